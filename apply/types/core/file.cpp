#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& file_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "file",
        .doc = "A file, a folder or a link, with its content, owner and mode.",
        .attributes =
            {
                {"ensure", Property, "Variant[Enum[present, absent, file, directory, link], String]",
                 "What it should be. Any other text makes a link to that path."},
                {"content", Property, "Variant[String, Binary]", "The content. Excludes source and target."},
                {"checksum_value", Property, "String",
                 "The checksum of the source, when it is known before."},
                {"target", Property, "String", "Where the link points to."},
                {"owner", Property, "Variant[String, Integer]", "The owner, by name or number."},
                {"group", Property, "Variant[String, Integer]", "The group, by name or number."},
                {"mode", Property, "String",
                 "The mode: octal digits, or symbols such as \"u=rw,g=r\". In a folder, who may read may "
                 "enter."},
                {"type", Property, "String", "What it is. Can only be audited."},
                {"seluser", Property, "String", "The user of the SELinux context."},
                {"selrole", Property, "String", "The role of the SELinux context."},
                {"seltype", Property, "String", "The type of the SELinux context."},
                {"selrange", Property, "String", "The range of the SELinux context."},
                {"ctime", Property, "String", "When its metadata changed. Can only be audited."},
                {"mtime", Property, "String", "When its content changed. Can only be audited."},
                {"path", Namevar, "String", "The absolute path. Slashes at the end of a title do not count."},
                {"backup", Parameter, "Variant[Boolean, String]",
                 "What happens to what is overwritten: nothing (false), a copy beside it (a suffix that "
                 "begins with a dot), or a filebucket."},
                {"recurse", Parameter, "Variant[Boolean, Enum[remote]]",
                 "Whether the content of a folder is managed too; remote: only what the source has."},
                {"recurselimit", Parameter, "Integer[0]", "How deep."},
                {"max_files", Parameter, "Integer[-1]",
                 "More files than this are an error; 0 warns above 1000, -1 is silent."},
                {"replace", Parameter, "Boolean", "Whether an existing file's content is changed (true)."},
                {"force", Parameter, "Boolean", "Whether a folder may be replaced or removed (false)."},
                {"ignore", Parameter, "Variant[String, Array[String]]",
                 "Patterns of names that are left alone in a folder."},
                {"links", Parameter, "Enum[manage, follow]",
                 "Whether a link itself is managed, or what it points to."},
                {"purge", Parameter, "Boolean",
                 "Whether files of a folder that nobody manages are removed; needs recurse (false)."},
                {"sourceselect", Parameter, "Enum[first, all]",
                 "Of several sources, whether the first that exists counts, or all."},
                {"show_diff", Parameter, "Boolean",
                 "Whether the difference of the content may be shown (true)."},
                {"staging_location", Parameter, "String", "A folder for the file while it is written."},
                {"validate_cmd", Parameter, "String",
                 "A command that must accept the new content; % stands for its path."},
                {"validate_replacement", Parameter, "String", "What stands for the path instead of %."},
                {"provider", Parameter, "Enum[posix, windows]", "What manages it."},
                {"checksum", Parameter,
                 "Enum[sha256, sha256lite, md5, md5lite, sha1, sha1lite, sha224, sha384, sha512, mtime, "
                 "ctime, none]",
                 "How content is compared (sha256)."},
                {"source", Parameter, "Variant[String, Array[String]]",
                 "Where the content comes from: a path, \"puppet:///modules/MODULE/FILE\", \"http://...\". "
                 "The first that exists counts."},
                {"source_permissions", Parameter, "Enum[ignore, use, use_when_creating]",
                 "Whether owner and mode come from the source (ignore)."},
                {"selinux_ignore_defaults", Parameter, "Boolean",
                 "Whether the context that the policy has for the path is ignored (false)."},
            },
        .autorequires = "file the nearest parent folder and target; user owner; group group",
        .title = TitleRule::WithoutTrailingSlashes,
    };
    return spec;
}

}  // namespace volley::resource_types
