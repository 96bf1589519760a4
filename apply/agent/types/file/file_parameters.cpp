#include <array>
#include <charconv>
#include <span>

#include "apply/agent/checksums/digest.hpp"
#include "apply/agent/machine/accounts.hpp"
#include "apply/agent/machine/modes.hpp"
#include "apply/agent/types/file/file.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tool.hpp"
#include "apply/agent/values/errors.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

constexpr std::string_view checksum_types =
    "sha256, sha256lite, md5, md5lite, sha1, sha1lite, sha512, sha384, sha224, mtime, ctime, none";

/// "{md5}0123..." : compatibility, such a content names one of a bucket.
bool looks_like_checksum(std::string_view text) {
    if (!text.starts_with('{')) return false;
    const std::size_t end = text.find('}');
    if (end == std::string_view::npos || end < 4 || end > 11 || end + 1 >= text.size()) return false;
    for (const char c : text.substr(1, end - 1)) {
        const bool word = (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_';
        if (!word) return false;
    }
    return std::string_view(" \t\r\n\f\v").find(text[end + 1]) == std::string_view::npos;
}

std::vector<std::string> source_places(const Value& given) {
    std::vector<std::string> places;
    for (const Value& one : given.is(Value::Kind::Array) ? given.items() : Value::Items{given}) {
        if (!one.is_text())
            throw ApplyError("Could not understand source " + one.to_text() + ": " + not_a_text(one));
        places.push_back(one.text());
    }
    return places;
}

bool is_empty_list(const Value& value) { return value.is(Value::Kind::Array) && value.items().empty(); }

}  // namespace

/// All of a list are checked, the first one counts; nullptr when there is none.
template <class FaultOf>
const Value* FileInstance::first_checked(const char* name, const FaultOf& fault_of) {
    const Value* given = resource_.find(name);
    if (given == nullptr) return nullptr;
    const bool is_list = given->is(Value::Kind::Array);
    const std::span<const Value> all =
        is_list ? std::span<const Value>(given->items()) : std::span<const Value>(given, 1);
    for (const Value& one : all) {
        if (const std::string fault = fault_of(one); !fault.empty())
            throw parameter_error(resource_, name, fault);
    }
    if (all.empty()) {
        resource_.erase(name);
        return nullptr;
    }
    if (is_list) resource_.set(name, Value(all.front()));
    return resource_.find(name);
}

void FileInstance::prepare() {
    const Value* const given_path = resource_.find("path");
    std::string path = given_path != nullptr ? interpolated(*given_path) : resource_.title;
    if (given_path != nullptr ? !is_absolute_path(run_, *given_path) : !path.starts_with('/'))
        throw parameter_error(resource_, "path", "File paths must be fully qualified, not '" + path + "'");
    if (path.find('\0') != std::string::npos)
        throw parameter_error(resource_, "path", "File paths cannot hold a null byte");
    path_ = plain_path(path);
    for (const char* name : {"ctime", "mtime", "type"}) {
        if (resource_.find(name) != nullptr)
            throw parameter_error(resource_, name, std::string(name) + " is read-only");
    }
    run_.catalog.add_alias("File[" + path_ + "]", resource_);

    checksum_ = word_parameter(resource_, "checksum", checksum_types, "sha256");
    checksum_value_ = resource_.text("checksum_value");
    if (resource_.find("source") != nullptr) {
        try {
            source_ = std::make_unique<FileSource>(source_places(*resource_.find("source")), run_);
        } catch (const ApplyError& error) {
            throw parameter_error(resource_, "source", error.what());
        }
    }
    const std::string permissions =
        word_parameter(resource_, "source_permissions", "use, use_when_creating, ignore", "ignore");
    if (permissions != "ignore" && !resource_.file.empty())
        run_.warn_once(
            "The `source_permissions` parameter is deprecated. Explicitly set `owner`, `group`, and "
            "`mode`.\n  "
            " (file: " +
            resource_.file + ", line: " + std::to_string(resource_.line) + ")");
    if (const Value* target = first_checked("target", [](const Value& one) {
            return one.is_undef() || one.to_text().empty() ? invalid_value(one, "notlink", "/./")
                                                           : std::string();
        }))
        target_ = target->to_text();
    if (const Value* mode = first_checked("mode", fault_of_mode)) mode_ = normal_mode(mode->text());
    check_account("owner");
    check_account("group");
    if (const Value* owner = resource_.find("owner"); owner != nullptr && !is_empty_list(*owner))
        owner_ = std::make_unique<Value>(*owner);
    if (const Value* group = resource_.find("group"); group != nullptr && !is_empty_list(*group)) {
        for (const std::string& name : resource_.texts("group")) {
            if (name.empty()) throw parameter_error(resource_, "group", "Invalid group name '\"\"'");
        }
        group_ = std::make_unique<Value>(*group);
    }
    word_parameter(resource_, "links", "follow, manage");
    follow_links_ = resource_.text("links") == "follow";
    force_ = boolean_parameter(resource_, "force", false);
    purge_ = boolean_parameter(resource_, "purge", false);
    replace_ = boolean_parameter(resource_, "replace", true);
    show_diff_ = boolean_parameter(resource_, "show_diff", true);
    if (const Value* given = resource_.find("backup")) {
        const bool is_list = given->is(Value::Kind::Array);
        const Value backup = !is_list ? *given : given->items().empty() ? Value() : given->items()[0];
        if (!backup.is_text() && !backup.is(Value::Kind::Boolean))
            throw parameter_error(resource_, "backup", "Invalid backup type " + backup.inspected());
    }
    backup_ = resource_.text("backup", "false");
    if (backup_ == "true") backup_ = ".puppet-bak";
    if (backup_ == "false") backup_ = {};
    read_content();
    read_recursion();
    read_ensure();
    check_creators();
    if (is_sensitive("content") || is_sensitive("source")) {
        resource_.sensitive.insert("ensure");
        resource_.sensitive.insert("content");
    }
    ignores_context_defaults_ = true_or_false(resource_, "selinux_ignore_defaults", false);
    word_parameter(resource_, "sourceselect", "first, all");
    if (const Value* place = resource_.find("staging_location");
        place != nullptr && !is_absolute_path(run_, *place))
        throw parameter_error(resource_, "staging_location",
                              "File paths must be fully qualified, not '" + interpolated(*place) + "'");
}

/// Puppet fails at different times with a truth value, where it has no number for it.
void FileInstance::check_account(const char* name) const {
    const Value* given = resource_.find(name);
    if (given == nullptr) return;
    for (const Value& one : given->is(Value::Kind::Array) ? given->items() : Value::Items{*given}) {
        if (one.is_undef() && std::string_view(name) == "group")
            throw parameter_error(resource_, name, "Invalid group name 'nil'");
        if (one.is(Value::Kind::Object) || one.is(Value::Kind::Hash) || one.is(Value::Kind::Array) ||
            one.is_undef())
            throw parameter_error(resource_, name, not_a_text(one));
        if (one.is(Value::Kind::Boolean))
            throw parameter_error(resource_, name,
                                  std::string(name) == "group" && !one.boolean()
                                      ? "Invalid group name 'false'"
                                      : "can't convert " + one.to_text() + " into Integer");
    }
}

void FileInstance::finish() {
    // Compatibility: an empty text is the name of a filebucket, too, and there is none of that name.
    const bool named = !backup_.empty() || resource_.text("backup", "false").empty();
    if (named && !backup_.text().starts_with('.') && run_.catalog.find("Filebucket", backup_) == nullptr)
        throw ApplyError("Could not find filebucket " + backup_ + " specified in backup");
    expect_context();
}

void FileInstance::read_content() {
    const Value* content = resource_.find("content");
    if (content == nullptr) return;
    if (is_empty_list(*content)) return resource_.erase("content");
    const auto check_text = [this](const Value& text) {
        if (text.is_text()) return;
        throw conversion_error(resource_, "content", text, not_a_text(text));
    };
    if (content->is(Value::Kind::Array)) {
        for (const Value& one : content->items()) check_text(one);
        // Compatibility: the last of a list is the content.
        resource_.set("content", Value(content->items().back()));
        content = resource_.find("content");
    }
    check_text(*content);
    content_by_checksum_ = !content->is(Value::Kind::Binary) && looks_like_checksum(content->to_text());
    has_content_ = !content_by_checksum_;
}

void FileInstance::read_recursion() {
    const Value* const given = resource_.find("recurse");
    const bool is_list = given != nullptr && given->is(Value::Kind::Array);
    const std::string recurse = is_list ? given->inspected() : resource_.text("recurse", "false");
    if (recurse == "true")
        recurse_ = Recurse::Yes;
    else if (recurse == "remote")
        recurse_ = Recurse::Remote;
    else if (recurse != "false")
        throw parameter_error(resource_, "recurse",
                              "Invalid recurse value " + resource_.find("recurse")->inspected());
    if (const Value* limit = resource_.find("recurselimit")) {
        recurse_limit_ = decimal(limit->to_text());
        if (!recurse_limit_) throw invalid_parameter(resource_, "recurselimit", {}, "/^[0-9]+$/");
    }
    const std::string most = resource_.text("max_files", "0");
    const auto [end, fault] = std::from_chars(most.data(), most.data() + most.size(), max_files_);
    if (fault != std::errc() || end != most.data() + most.size() || max_files_ < -1)
        throw invalid_parameter(resource_, "max_files", {}, "/^[0-9]+$/, /^-1$/");
    if (const Value* ignore = resource_.find("ignore");
        ignore != nullptr && !ignore->is(Value::Kind::String) && !ignore->is(Value::Kind::Array) &&
        ignore->to_text() != "false")
        throw parameter_error(resource_, "ignore", "Ignore must be a string or an Array");
    ignore_ = resource_.texts("ignore");
    if (recurse_ == Recurse::No && recurse_limit_)
        run_.log(Level::Warning, resource_,
                 "Possible error: recurselimit is set but not recurse, no recursion will happen");
}

void FileInstance::read_ensure() {
    // Puppet takes a number, or true, for the target of a link, and fails when it makes that.
    const Value* given = first_checked("ensure", [](const Value& one) {
        const bool fits = one.is_text() ? !one.text().empty() : one.to_text() == "false";
        return fits ? std::string() : invalid_value(one, "absent, file, present, directory, link", "/./");
    });
    const std::string word = given != nullptr ? given->to_text() : std::string();
    ensure_ = word == "false" ? "absent" : word;
    if (ensure_.empty()) {
        if (!target_.empty())
            ensure_ = "link";
        else if (has_content_ || content_by_checksum_)
            ensure_ = "file";
    }
    static constexpr std::array<std::string_view, 6> words = {"",     "absent",    "present",
                                                              "file", "directory", "link"};
    bool known = false;
    for (const std::string_view one : words) known = known || ensure_ == one;
    if (known) return;
    target_ = ensure_;
    ensure_ = "link";
}

void FileInstance::check_creators() const {
    const auto failed = [this](const std::string& why) {
        return ApplyError("Validation of " + resource_.reference() + " failed: " + why);
    };
    const int creators =
        (has_content_ || content_by_checksum_ ? 1 : 0) + (source_ ? 1 : 0) + (target_.empty() ? 0 : 1);
    if (creators > 1) throw failed("You cannot specify more than one of content, source, target");
    if (!source_ && recurse_ == Recurse::Remote)
        throw failed("You cannot specify a remote recursion without a source");
    if (checksum_ == "none" && source_) throw failed("You cannot specify source when using checksum 'none'");
    if (is_time_checksum(checksum_) && (has_content_ || content_by_checksum_))
        throw failed("You cannot specify content when using checksum '" + checksum_ + "'");
    // Compatibility: of a text only where its type is given.
    if (!checksum_value_.empty() && (!has_content_ || resource_.find("checksum") != nullptr) &&
        !is_time_checksum(checksum_)) {
        const bool hexadecimal =
            checksum_value_.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
        if (!hexadecimal || checksum_value_.size() != digest_of(checksum_, "").size())
            throw failed("Checksum value '" + checksum_value_ + "' is not a valid checksum type " +
                         checksum_);
    }
    if (!checksum_value_.empty() && !has_content_ && !source_)
        run_.log(Level::Warning, resource_,
                 "Checksum value is ignored unless content or source are specified");
}

}  // namespace volley::agent
