#include <fnmatch.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <deque>

#include "apply/agent/machine/accounts.hpp"
#include "apply/agent/machine/files.hpp"
#include "apply/agent/transaction/run.hpp"
#include "apply/agent/types/file/entry_count.hpp"
#include "apply/agent/types/instance.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/values/errors.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

constexpr std::size_t deepest_tidied = 256;

/// "2w" as a number of what the letters in `units` stand for; the unit that is left out is `usual`.
std::int64_t amount_of(const Value& value, const char* what, char usual,
                       const std::vector<std::pair<char, std::int64_t>>& units) {
    const std::string text = value.to_text();
    // Compatibility: a number that is not a text is refused.
    if (!value.is_text()) throw ApplyError("Invalid tidy " + std::string(what) + " " + text);
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto number = decimal(std::string_view(text).substr(0, digits));
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    if (!number || !std::all_of(text.begin(), text.end(), is_word))
        throw ApplyError("Invalid tidy " + std::string(what) + " " + text);
    // Compatibility: of several digits the last one is taken for the unit.
    if (digits == text.size() && digits > 1)
        throw ApplyError("Invalid " + std::string(what) + " unit '" + text.back() + "'");
    const char letter = digits < text.size()
                            ? static_cast<char>(std::tolower(static_cast<unsigned char>(text[digits])))
                            : usual;
    for (const auto& [unit, size] : units) {
        if (unit == letter) return static_cast<std::int64_t>(*number) * size;
    }
    throw ApplyError("Invalid " + std::string(what) + " unit '" + std::string(1, letter) + "'");
}

/// Removes files that are old or large enough: a File resource for each of them, before anything else is
/// done.
class Tidy final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    Current retrieve() override { return {}; }
    std::vector<Wanted> wanted() override { return {}; }
    void sync(Wanted&, const Value&) override {}
    bool depth_first() const override { return true; }
    std::vector<std::unique_ptr<Resource>> generate() override;

private:
    bool is_there() const;
    bool fits(const std::string& path) const;
    std::vector<std::string> candidates() const;

    std::string path_;
    bool recurse_ = false;
    long most_ = 0;
    std::optional<std::int64_t> depth_;
    std::optional<std::int64_t> age_, size_;
    std::string time_ = "atime";
    std::vector<Value> patterns_;
    bool counts_by_text_ = false;
    bool limited_ = false;  ///< to what fits one of the patterns; without any, to nothing
    bool folders_ = false;
};

void Tidy::prepare() {
    if (const Value* given = resource_.find("path"); given != nullptr && !given->is_text())
        throw conversion_error(resource_, "path", *given, not_a_text(*given));
    const std::string path = resource_.text("path", resource_.title);
    if (!path.starts_with('/'))
        throw parameter_error(resource_, "path", "File paths must be fully qualified, not '" + path + "'");
    path_ = plain_path(path);
    const Value* const given = resource_.find("recurse");
    const bool is_list = given != nullptr && given->is(Value::Kind::Array);
    const std::string recurse = resource_.text("recurse", "false");
    if (given != nullptr && given->is(Value::Kind::Integer))
        depth_ = given->integer();
    else if (const auto depth = decimal(recurse))
        depth_ = *depth;
    if (is_list || (recurse != "true" && recurse != "false" && recurse != "inf" && !depth_))
        throw conversion_error(resource_, "recurse", *given, "Invalid recurse value " + given->inspected());
    recurse_ = recurse == "true" || recurse == "inf" || (depth_ && *depth_ != 0);
    const auto read = [this](const char* name, const auto& units, char usual) -> std::optional<std::int64_t> {
        const Value* value = resource_.find(name);
        if (value == nullptr) return std::nullopt;
        try {
            return amount_of(*value, name, usual, units);
        } catch (const ApplyError& error) {
            throw parameter_error(resource_, name, error.what());
        }
    };
    using Units = std::vector<std::pair<char, std::int64_t>>;
    age_ = read("age", Units{{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}, {'w', 604800}}, 'd');
    size_ = read(
        "size", Units{{'b', 1}, {'k', 1LL << 10}, {'m', 1LL << 20}, {'g', 1LL << 30}, {'t', 1LL << 40}}, 'k');
    time_ = word_parameter(resource_, "type", "atime, mtime, ctime", "atime");
    patterns_ = each_value(resource_, "matches");
    limited_ = resource_.find("matches") != nullptr;
    if (limited_ && !recurse_)
        throw parameter_error(resource_, "matches", "Tidy can't use matches with recurse 0, false, or undef");
    folders_ = boolean_parameter(resource_, "rmdirs", false);
    if (const Value* most = resource_.find("max_files")) {
        const auto number = decimal(most->to_text());
        if (!number) throw invalid_parameter(resource_, "max_files", {}, "/^[0-9]+$/");
        most_ = static_cast<long>(*number);
        counts_by_text_ = most->is_text();
    }
}

/// Compatibility: a place below what is not a folder is an error, not one where nothing is.
bool Tidy::is_there() const {
    struct stat found {};
    if (::lstat(path_.c_str(), &found) == 0) return true;
    if (errno != ENOENT && errno != EACCES) throw SystemError(errno, path_);
    if (errno == EACCES) run_.log(Level::Warning, resource_, "Could not stat; permission denied");
    return false;
}

bool Tidy::fits(const std::string& path) const {
    if (run_.catalog.find("File", path) != nullptr) return false;
    const auto stat = file_stat(path, false);
    if (!stat || (stat->kind == FileKind::Directory && !folders_)) return false;
    if (limited_) {
        const std::string name = name_of(path);
        const auto matches = [&](const Value& pattern) {
            if (!pattern.is_text()) throw ApplyError(not_a_text(pattern));
            return ::fnmatch(pattern.text().c_str(), name.c_str(), FNM_PATHNAME) == 0;
        };
        if (std::none_of(patterns_.begin(), patterns_.end(), matches)) return false;
    }
    if (!age_ && !size_) return true;
    const timespec& when = time_ == "atime"   ? stat->accessed
                           : time_ == "mtime" ? stat->changed
                                              : stat->status_changed;
    if (age_ && time_now().tv_sec - when.tv_sec >= *age_) return true;
    return size_ && stat->size >= *size_;
}

std::vector<std::string> Tidy::candidates() const {
    std::vector<std::string> found{path_};
    if (!recurse_) return found;
    std::deque<std::pair<std::string, std::size_t>> waiting{{path_, 1}};
    while (!waiting.empty()) {
        const auto [folder, depth] = waiting.front();
        waiting.pop_front();
        const auto stat = file_stat(folder, false);
        if (!stat || stat->kind != FileKind::Directory ||
            (depth_ && static_cast<std::int64_t>(depth) > *depth_) || depth > deepest_tidied)
            continue;
        for (const std::string& name : names_in(folder)) {
            found.push_back((folder == "/" ? "" : folder) + "/" + name);
            waiting.emplace_back(found.back(), depth + 1);
        }
    }
    return found;
}

std::vector<std::unique_ptr<Resource>> Tidy::generate() {
    if (!is_there()) return {};
    std::vector<std::string> paths;
    std::vector<std::string> all = candidates();
    // Compatibility: Puppet compares a text with a number.
    if (recurse_ && counts_by_text_) throw ApplyError("comparison of String with 0 failed");
    if (recurse_) check_entry_count(run_, path_, all.size() - 1, most_);
    for (std::string& path : all) {
        if (fits(path)) paths.push_back(std::move(path));
    }
    // What is in a folder comes before it.
    std::sort(paths.begin(), paths.end(), std::greater<>());
    if (!paths.empty())
        run_.log(Level::Notice, resource_, "Tidying " + std::to_string(paths.size()) + " files");
    std::vector<std::unique_ptr<Resource>> made;
    for (const std::string& path : paths) {
        auto file = std::make_unique<Resource>();
        file->type = "File";
        file->title = path;
        file->add_tag("file");
        file->set("ensure", Value(std::string("absent")));
        file->set("force", Value(true));
        file->noop = resource_.noop;
        file->loglevel = resource_.loglevel;
        file->schedule = resource_.schedule;
        file->require = resource_.require;
        file->subscribe = resource_.subscribe;
        file->before = resource_.before;
        file->notify = resource_.notify;
        const std::string parent = parent_of(path);
        if (folders_ && std::binary_search(paths.begin(), paths.end(), parent, std::greater<>()))
            file->before.push_back("File[" + parent + "]");
        made.push_back(std::move(file));
    }
    return made;
}

constexpr std::array<Attribute, 9> tidy_attributes = {
    {{"path", Kind::Namevar, "String", "A file, or the folder to look in."},
     {"age", Kind::Parameter, "String", "How old a file is at least: 1w, 2d, 3h, 4m, 5s."},
     {"size", Kind::Parameter, "Variant[String, Integer]",
      "How large a file is at least: 1b, 2k, 3m, 4g, 5t."},
     {"type", Kind::Parameter, "Enum[atime, mtime, ctime]", "Which time counts as its age (atime)."},
     {"matches", Kind::Parameter, "Variant[String, Array[String]]", "Patterns of names."},
     {"recurse", Kind::Parameter, "Variant[Boolean, Integer, Enum[inf]]",
      "Whether to look in folders below, and how deep."},
     {"rmdirs", Kind::Parameter, "Boolean", "Whether empty folders go too (false)."},
     {"max_files", Kind::Parameter, "Integer[0]",
      "More files and folders than this below the folder are an error; 0 warns above 1000 (0)."},
     {"backup", Kind::Parameter, "Variant[Boolean, String]",
      "Taken for compatibility: what is removed is kept nowhere."}}};

}  // namespace

const TypeSpec& tidy_type() {
    static const TypeSpec spec{"tidy", "Removes files that are old or large.", "", tidy_attributes,
                               make_instance_of<Tidy>};
    return spec;
}

}  // namespace volley::agent
