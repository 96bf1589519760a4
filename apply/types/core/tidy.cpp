#include "apply/types/type_spec.hpp"

namespace volley::resource_types {

const TypeSpec& tidy_type() {
    using enum AttributeRole;
    static const TypeSpec spec{
        .name = "tidy",
        .doc = "Removes files that fit.",
        .attributes =
            {
                {"path", Namevar, "String", "A file, or the folder to look in."},
                {"recurse", Parameter, "Variant[Boolean, Integer, Enum[inf]]",
                 "Whether to look in folders below, and how deep."},
                {"max_files", Parameter, "Integer[-1]",
                 "More files than this are an error; 0 warns above 1000, -1 is silent."},
                {"matches", Parameter, "Variant[String, Array[String]]", "Patterns of names."},
                {"backup", Parameter, "Variant[Boolean, String]", "As in file."},
                {"age", Parameter, "String", "How old a file must be: \"2d\", \"1w\"."},
                {"type", Parameter, "Enum[atime, mtime, ctime]", "Which time counts as its age (atime)."},
                {"size", Parameter, "Variant[String, Integer]", "How large it must be: \"100k\", \"2m\"."},
                {"rmdirs", Parameter, "Boolean", "Whether empty folders go too (false)."},
            },
        .isomorphic = false,
    };
    return spec;
}

}  // namespace volley::resource_types
