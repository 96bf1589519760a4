#include "apply/agent/types/file/file.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>

#include "apply/agent/checksums/digest.hpp"
#include "apply/agent/machine/accounts.hpp"
#include "apply/agent/machine/modes.hpp"
#include "apply/agent/types/file/file_diff.hpp"
#include "apply/agent/types/tables/table_text.hpp"
#include "apply/agent/values/errors.hpp"
#include "apply/agent/values/whole_number.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

/// Differences of larger files are not looked for.
constexpr std::int64_t most_diff_bytes = 8 << 20;

std::string event_of(const std::string& ensure) {
    if (ensure == "directory") return "directory_created";
    if (ensure == "link") return "link_created";
    return ensure == "absent" ? "file_removed" : "file_created";
}

Value name_or_number(const std::optional<std::string>& name, const Value& value) {
    return name ? Value(*name) : value;
}

/// Which of two times in Ruby's form is later; both begin with year, month and day.
bool not_older(const std::string& current, const std::string& desired) {
    const auto moment = [](const std::string& text) -> std::int64_t {
        tm parts{};
        const char* rest = ::strptime(text.c_str(), "%Y-%m-%d %H:%M:%S", &parts);
        if (rest == nullptr) return 0;
        std::int64_t seconds = ::timegm(&parts);
        int hours = 0, minutes = 0;
        char sign = '+';
        if (std::sscanf(rest, " %c%2d%2d", &sign, &hours, &minutes) == 3)
            seconds -= (sign == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
        return seconds;
    };
    return moment(current) >= moment(desired);
}

/// The first of a list is what is set.
Value first_of(const Value& value) { return value.is(Value::Kind::Array) ? value.items().front() : value; }

/// The numbers of users or groups that `wanted` names: any of a list is as good as the others, and the first
/// is what stays in `wanted`. nullopt in a noop run where one does not exist; else that is an error.
template <class Find>
std::optional<std::vector<std::int64_t>> resolve(Value& wanted, bool noop, const char* what,
                                                 const Find& find) {
    const Value::Items all = wanted.is(Value::Kind::Array) ? wanted.items() : Value::Items{wanted};
    wanted = all.front();
    std::vector<std::int64_t> numbers;
    for (const Value& one : all) {
        std::optional<std::int64_t> number = one.is(Value::Kind::Integer) ? std::optional(one.integer())
                                             : one.is(Value::Kind::Float)
                                                 ? std::optional(static_cast<std::int64_t>(one.number()))
                                                 : whole_number(one.to_text());
        if (!number) {
            if (const auto found = find(one.to_text())) number = static_cast<std::int64_t>(*found);
        }
        if (!number && noop) return std::nullopt;
        if (!number) throw SystemError("Could not find " + std::string(what) + " " + one.to_text());
        if (numbers.empty()) wanted = Value(*number);
        numbers.push_back(*number);
    }
    return numbers;
}

bool holds(const std::vector<std::int64_t>& numbers, const Value& current) {
    return current.is(Value::Kind::Integer) &&
           std::find(numbers.begin(), numbers.end(), current.integer()) != numbers.end();
}

/// Larger numbers are of nobody.
bool may_have_name(const Value& number) {
    constexpr std::int64_t largest = 4'294'967'290;  // Puppet's maximum_uid
    return number.is(Value::Kind::Integer) && number.integer() >= 0 && number.integer() <= largest;
}

std::string after_brace(const std::string& checksum) { return checksum.substr(checksum.find('}') + 1); }

}  // namespace

std::optional<FileStat> FileInstance::stat() const {
    try {
        return file_stat(path_, follow_links_);
    } catch (const SystemError& error) {
        if (error.error() != EACCES) throw;
        run_.log(Level::Warning, resource_, "Could not stat; permission denied");
        return std::nullopt;
    }
}

void FileInstance::take_over_source() {
    // Compatibility: a checksum_value that is only audited keeps the source from being looked at, too.
    if (!source_ || reads("checksum_value")) return;
    if (resource_.generated) source_->take_dangling_links();
    const SourceFacts& facts = source_->facts(checksum_, follow_links_);
    if (facts.kind == FileKind::File) content_checksum_ = facts.checksum;
    if (ensure_ == "absent") return;
    if (facts.kind == FileKind::Link) {
        ensure_ = "link";
        target_ = facts.link_target;
    } else if (facts.kind == FileKind::Fifo || facts.kind == FileKind::Socket) {
        // Compatibility: the word for what the source is becomes what a link leads to.
        ensure_ = "link";
        target_ = kind_word(facts.kind);
    } else {
        ensure_ = kind_word(facts.kind);
    }
    const std::string permissions = resource_.text("source_permissions", "ignore");
    const bool use = permissions == "use" || (permissions == "use_when_creating" && !file_exists(path_));
    if (!use) return;
    if (mode_.empty()) mode_ = octal(facts.stat.mode);
    if (::geteuid() != 0 || facts.local.empty()) return;
    if (!owner_) owner_ = std::make_unique<Value>(static_cast<std::int64_t>(facts.stat.owner));
    if (!group_) group_ = std::make_unique<Value>(static_cast<std::int64_t>(facts.stat.group));
}

std::string FileInstance::checksum_of_file() const { return checksum_of(path_, checksum_); }

Value FileInstance::current_content(const std::optional<FileStat>& stat) {
    if (!stat) return absent();
    if (stat->kind != FileKind::File) return {};
    return Value(holds_content(*stat) ? content_checksum() : checksum_of_file());
}

/// Whether the file has the very bytes that it shall have: then they are hashed once, not twice.
bool FileInstance::holds_content(const FileStat& stat) const {
    if (!has_content_ || is_time_checksum(checksum_)) return false;
    const Value& content = *resource_.find("content");
    return content.is_text() && static_cast<std::size_t>(stat.size) == content.text().size() &&
           file_holds(path_, content.text());
}

Value FileInstance::current_mode(const std::optional<FileStat>& stat) {
    if (!stat) return absent();
    // Who may read a folder may enter it.
    const bool is_folder =
        stat->kind == FileKind::Directory || (stat->kind == FileKind::Link && is_directory(path_));
    if (is_folder && is_octal_mode(mode_)) {
        unsigned mode = changed_mode(mode_, 0, true);
        mode |= (mode & 0444U) >> 2U;
        mode_ = octal(mode);
    }
    return Value(shown_mode(octal(stat->mode)));
}

Current FileInstance::retrieve() {
    take_over_source();
    const auto found = stat();
    kind_ = found ? std::optional(found->kind) : std::nullopt;
    Current current;
    current.set("ensure", found ? Value::symbol(std::string(kind_word(found->kind))) : absent());
    const auto set = [&](const char* name, bool managed, const auto& read) {
        if (managed) current.set(name, found ? read() : absent());
    };
    const auto audited = [&](std::string_view name) { return resource_.audit.contains(name); };
    set("content", manages_content() || audited("content"), [&] { return current_content(found); });
    set("checksum_value", is_by_checksum_value(), [&] {
        const Value checksum = current_content(found);
        return checksum.is_text() ? Value(after_brace(checksum.text())) : checksum;
    });
    set("target", !target_.empty() || audited("target"),
        [&] { return found->kind == FileKind::Link ? Value(read_link(path_)) : Value::symbol("notlink"); });
    set("owner", owner_ != nullptr || audited("owner"),
        [&] { return Value(static_cast<std::int64_t>(found->owner)); });
    set("group", group_ != nullptr || audited("group"),
        [&] { return Value(static_cast<std::int64_t>(found->group)); });
    set("mode", !mode_.empty() || audited("mode"), [&] { return current_mode(found); });
    retrieve_context(current, found.has_value());
    for (const auto& [name, at] :
         {std::pair("ctime", &FileStat::status_changed), std::pair("mtime", &FileStat::changed)})
        set(name, reads(name), [&, at = at] { return Value(timestamp_text(((*found).*at).tv_sec)); });
    set("type", reads("type"), [&] { return Value(std::string(kind_word(found->kind))); });
    return current;
}

std::vector<Wanted> FileInstance::wanted() {
    std::vector<Wanted> list;
    const auto add = [&](const char* name, Value value, std::string event = {}) {
        Wanted one;
        one.name = name;
        one.value = std::move(value);
        one.event = std::move(event);
        one.sensitive = is_sensitive(name);
        list.push_back(std::move(one));
    };
    if (!ensure_.empty()) add("ensure", Value::symbol(ensure_), event_of(ensure_));
    if (is_by_checksum_value())
        add("checksum_value", Value(checksum_value_));
    else if (const std::string& checksum = content_checksum(); !checksum.empty())
        add("content", Value(checksum));
    if (!target_.empty()) add("target", Value(target_));
    if (owner_) add("owner", *owner_);
    if (group_) add("group", *group_);
    if (!mode_.empty()) add("mode", Value(shown_mode(mode_)));
    const ContextParts context = wanted_context();
    for (std::size_t at = 0; at < context.size(); ++at) {
        if (!context[at].empty()) add(context_properties[at].data(), Value(context[at]));
    }
    return list;
}

/// Whether the content of a source is compared with a checksum of the catalog, and the source not looked at.
bool FileInstance::is_by_checksum_value() const { return source_ != nullptr && !checksum_value_.empty(); }

bool FileInstance::manages_content() const {
    return has_content_ || content_by_checksum_ || !content_checksum_.empty();
}

/// Of a file with a source what take_over_source() found; empty when nothing is known.
const std::string& FileInstance::content_checksum() {
    if (content_checksum_.empty() && content_by_checksum_) {
        content_checksum_ = resource_.text("content");
    } else if (content_checksum_.empty() && has_content_) {
        const Value& content = *resource_.find("content");
        const std::string shown = content.is_text() ? std::string() : content.to_text();
        content_checksum_ =
            "{" + checksum_.text() + "}" + digest_of(checksum_, content.is_text() ? content.text() : shown);
    }
    return content_checksum_;
}

std::string FileInstance::wanted_checksum() {
    if ((manages_content() || source_) && !checksum_value_.empty())
        return "{" + checksum_.text() + "}" + checksum_value_;
    return content_checksum();
}

bool FileInstance::should_be_file() const {
    if (ensure_ == "file") return true;
    if (!ensure_.empty() && ensure_ != "present") return false;
    const auto found = stat();
    if (ensure_ == "present") return !found || found->kind == FileKind::File;
    return manages_content() || (found && found->kind == FileKind::File);
}

bool FileInstance::content_in_sync(const Wanted& wanted, const Value& current) {
    if (should_be_file()) {
        if (current == absent()) return false;
    } else {
        const auto found = stat();
        if (ensure_ == "present" && found)
            run_.log(Level::Warning, resource_,
                     "Ensure set to :present but file type is " + std::string(kind_word(found->kind)) +
                         " so no content will be synced");
        return true;
    }
    if (!replace_) return true;
    const Value desired =
        wanted.name == "content" && !checksum_value_.empty() ? Value(wanted_checksum()) : wanted.value;
    bool same = current == desired;
    const bool by_time = checksum_ == "mtime" || checksum_ == "ctime";
    if (!same && by_time && current.is_text() && desired.is_text())
        same = not_older(after_brace(current.text()), after_brace(desired.text()));
    if (!same && run_.settings.show_diff && show_diff_) show_diff(wanted.name);
    return same;
}

void FileInstance::show_diff(const std::string& property) {
    const Level level = Run::level_of(resource_);
    if (is_sensitive("content")) {
        run_.log(level, resource_, property, "[diff redacted]");
        return;
    }
    const auto found = stat();
    if (found && found->kind == FileKind::File && found->size > most_diff_bytes) return;
    std::string before = found && found->kind == FileKind::File ? read_whole(path_) : std::string();
    std::string after = has_content_ ? resource_.text("content") : std::string();
    if (source_) {
        if (!source_->known()) source_->facts(checksum_, follow_links_);
        after.clear();
        source_->read([&](std::string_view piece) { after += piece; });
    }
    if (after.size() > static_cast<std::size_t>(most_diff_bytes)) return;
    run_.log(level, resource_, property, "\n" + unified_diff(path_, before, after));
}

bool FileInstance::owner_in_sync(Wanted& wanted, const Value& current) {
    const auto users = resolve(wanted.value, run_.noop(resource_), "user", [](const std::string& name) {
        const auto user = user_named(name);
        return user ? std::optional(user->uid) : std::nullopt;
    });
    if (!users) return false;
    if (holds(*users, current)) return true;
    if (::geteuid() == 0) return false;
    run_.warn_once("Cannot manage ownership unless running as root");
    return true;
}

bool FileInstance::group_in_sync(Wanted& wanted, const Value& current) {
    const auto groups = resolve(wanted.value, run_.noop(resource_), "group", [](const std::string& name) {
        const auto group = group_named(name);
        return group ? std::optional(group->gid) : std::nullopt;
    });
    return groups && holds(*groups, current);
}

bool FileInstance::mode_in_sync(const Value& current, std::optional<FileKind> kind) const {
    if (kind == FileKind::Link && !follow_links_) return true;
    if (!current.is_text() || !is_octal_mode(current.text())) return false;
    const unsigned now = changed_mode(current.text(), 0, false);
    return changed_mode(mode_, now, kind == FileKind::Directory) == now;
}

bool FileInstance::is_unchanged(const Wanted& wanted, const Value& before, const Value& current) {
    if (wanted.name == "content" || wanted.name == "checksum_value") {
        // Compatibility: Puppet asks again whether the content is in sync, now with what it was brought to,
        // and so shows a difference again; after the change there is none in it.
        Wanted known = wanted;
        known.value = before;
        return content_in_sync(known, current);
    }
    // Of a user or a group that does not exist nothing is known.
    const bool named = wanted.name == "owner" || wanted.name == "group";
    return before == current || (named && !wanted.value.is(Value::Kind::Integer));
}

bool FileInstance::in_sync(Wanted& wanted, const Value& current) {
    if (wanted.name == "ensure") {
        if (!(current == absent()) && !replace_) return true;
        if (ensure_ == "present") return !current.is_undef() && !(current == absent());
        return current == wanted.value;
    }
    if (wanted.name == "content" || wanted.name == "checksum_value") return content_in_sync(wanted, current);
    if (wanted.name == "owner") return owner_in_sync(wanted, current);
    if (wanted.name == "group") return group_in_sync(wanted, current);
    if (wanted.name == "mode") return mode_in_sync(current, kind_);
    if (is_context(wanted.name)) return current == wanted.value;
    // The target of a link. Puppet replaces also what is to be a file or a folder, and undoes it in the next
    // run.
    if (ensure_ == "file" || ensure_ == "directory" || recurse_ != Recurse::No) return true;
    return (!replace_ && file_exists(path_)) || current == wanted.value;
}

std::string FileInstance::change_text(const Wanted& wanted, const Value& current) {
    const auto content_text = [](const std::string& before, const std::string& after) {
        if (before.empty()) return "defined content as '" + after + "'";
        return "content changed '" + before + "' to '" + after + "'";
    };
    if (wanted.name == "content")
        return content_text(current == absent() ? "" : current.to_text(), wanted.value.to_text());
    if (wanted.name == "ensure" && (ensure_ == "file" || ensure_ == "present") && !content_checksum().empty())
        return content_text("", content_checksum());
    if (wanted.name == "mode" && !is_octal_mode(mode_)) {
        const unsigned before = changed_mode(current.text(), 0, false);
        const unsigned after = changed_mode(mode_, before, is_directory(path_));
        return "mode changed " + puppet_quoted(shown_mode(octal(before))) + " to " +
               puppet_quoted(shown_mode(octal(after))) + " (" + mode_.text() + ")";
    }
    return Instance::change_text(wanted, current);
}

std::string FileInstance::shown_current(const Wanted& wanted, const Value& value) {
    if (wanted.name == "owner" && may_have_name(value)) {
        const auto user = user_with(static_cast<uid_t>(value.integer()));
        return name_or_number(user ? std::optional(user->name) : std::nullopt, value).shown();
    }
    if (wanted.name == "group" && may_have_name(value)) {
        const auto group = group_with(static_cast<gid_t>(value.integer()));
        return name_or_number(group ? std::optional(group->name) : std::nullopt, value).shown();
    }
    return Instance::shown_current(wanted, value);
}

std::string FileInstance::shown_wanted(const Wanted& wanted) {
    if (wanted.name != "mode") return shown_current(wanted, wanted.value);
    std::string text = wanted.value.to_text();
    // Compatibility: zeros stand before a short symbolic mode, too.
    text.insert(0, text.size() < 4 ? 4 - text.size() : 0, '0');
    return "'" + text + "'";
}

std::vector<Autorelation> FileInstance::autorelations() {
    std::vector<Autorelation> list;
    for (std::string at = path_; at.size() > 1;) {
        at = parent_of(at);
        if (run_.catalog.find("File", at) == nullptr) continue;
        list.push_back({Autorelation::Kind::Require, "File", at});
        break;
    }
    if (!target_.empty()) list.push_back({Autorelation::Kind::Require, "File", target_});
    const auto add = [&](const char* type, const std::unique_ptr<Value>& value) {
        if (!value) return;
        const Value first = first_of(*value);
        if (first.is_text() && !decimal(first.text()))
            list.push_back({Autorelation::Kind::Require, type, first.text()});
    };
    add("User", owner_);
    add("Group", group_);
    return list;
}

namespace {

constexpr std::array<Attribute, 33> file_attributes = {
    {{"path", Kind::Namevar, "String", "The absolute path. Slashes at the end of a title do not count."},
     takes_lists({"ensure", Kind::Property, "Variant[Enum[present, absent, file, directory, link], String]",
                  "What it should be. Any other text makes a link to that path."}),
     takes_lists(
         {"content", Kind::Property, "Variant[String, Binary]", "The content. Excludes source and target."}),
     {"source", Kind::Parameter, "Variant[String, Array[String]]",
      "Where the content comes from: a path, \"puppet:///modules/MODULE/FILE\", \"http://...\". The first "
      "that exists counts."},
     {"checksum_value", Kind::Property, "String", "The checksum of the source, when it is known before."},
     takes_lists({"target", Kind::Property, "String", "Where the link points to."}),
     takes_lists({"owner", Kind::Property, "Variant[String, Integer]", "The owner, by name or number."}),
     takes_lists({"group", Kind::Property, "Variant[String, Integer]", "The group, by name or number."}),
     takes_lists(
         {"mode", Kind::Property, "String",
          "The mode: octal digits, or symbols such as \"u=rw,g=r\". In a folder, who may read may enter."}),
     {"type", Kind::Property, "String", "What it is. Can only be audited."},
     {"seluser", Kind::Property, "String", "The user of the SELinux context, in place of the policy's."},
     {"selrole", Kind::Property, "String", "The role of the SELinux context, in place of the policy's."},
     {"seltype", Kind::Property, "String", "The type of the SELinux context, in place of the policy's."},
     {"selrange", Kind::Property, "String", "The range of the SELinux context, in place of the policy's."},
     {"ctime", Kind::Property, "String", "When its metadata changed. Can only be audited."},
     {"mtime", Kind::Property, "String", "When its content changed. Can only be audited."},
     {"checksum", Kind::Parameter,
      "Enum[sha256, sha256lite, md5, md5lite, sha1, sha1lite, sha224, sha384, sha512, mtime, ctime, none]",
      "How content is compared (sha256)."},
     {"backup", Kind::Parameter, "Variant[Boolean, String]",
      "What happens to what is overwritten: nothing (false), a copy beside it (a suffix that begins with a "
      "dot), or a filebucket."},
     {"force", Kind::Parameter, "Boolean", "Whether a folder may be replaced or removed (false)."},
     {"ignore", Kind::Parameter, "Variant[String, Array[String]]",
      "Patterns of names that are left alone in a folder."},
     {"links", Kind::Parameter, "Enum[manage, follow]",
      "Whether a link itself is managed, or what it points to (manage)."},
     {"max_files", Kind::Parameter, "Integer[-1]",
      "More files than this are an error; 0 warns above 1000, -1 is silent (0)."},
     {"purge", Kind::Parameter, "Boolean",
      "Whether files of a folder that nobody manages are removed; needs recurse (false)."},
     {"recurse", Kind::Parameter, "Variant[Boolean, Enum[remote]]",
      "Whether the content of a folder is managed too (false); remote: only what the source has."},
     {"recurselimit", Kind::Parameter, "Integer[0]", "How deep."},
     {"replace", Kind::Parameter, "Boolean", "Whether an existing file's content is changed (true)."},
     {"show_diff", Kind::Parameter, "Boolean", "Whether the difference of the content may be shown (true)."},
     {"source_permissions", Kind::Parameter, "Enum[ignore, use, use_when_creating]",
      "Whether owner and mode come from the source (ignore)."},
     {"sourceselect", Kind::Parameter, "Enum[first, all]",
      "Of several sources, whether the first that exists counts, or all (first)."},
     {"staging_location", Kind::Parameter, "String", "A folder for the file while it is written."},
     {"validate_cmd", Kind::Parameter, "String",
      "A command that must accept the new content; % stands for its path."},
     {"validate_replacement", Kind::Parameter, "String", "What stands for the path in validate_cmd (%)."},
     {"selinux_ignore_defaults", Kind::Parameter, "Boolean",
      "Whether the context that the policy has for the path is ignored (false)."}}};

}  // namespace

const TypeSpec& file_type() {
    static const TypeSpec spec{"file", "A file, a folder or a link, with its content, owner and mode.",
                               "posix", file_attributes, make_instance_of<FileInstance>};
    return spec;
}

}  // namespace volley::agent
