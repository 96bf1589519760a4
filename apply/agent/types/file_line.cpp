#include <algorithm>
#include <array>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/text/pattern.hpp"
#include "apply/agent/types/parameters.hpp"
#include "apply/agent/types/tool.hpp"

namespace volley::agent {
namespace {

using Kind = Attribute::Kind;

/// A regular expression, which may be given as a text.
std::string pattern_text(const Value& given) {
    if (given.is_regexp()) return given.regexp_source();
    if (!given.is_text()) throw ApplyError(not_a_text(given));
    return given.text();
}

/// A line of a file, of stdlib.
class FileLine final : public Instance {
public:
    using Instance::Instance;

    void prepare() override;
    std::string_view provider() const override { return "ruby"; }
    Current retrieve() override;
    std::vector<Wanted> wanted() override { return {want("ensure", ensure_)}; }
    void sync(Wanted& wanted, const Value& current) override;
    std::vector<Autorelation> autorelations() override {
        return {{Autorelation::Kind::Require, "File", path_}};
    }

private:
    bool exists() const;
    std::size_t count(const Pattern& pattern) const;
    void add();
    void remove();
    bool is_own(const std::string& line) const;
    ApplyError too_many() const {
        return ApplyError("More than one line in file '" + path_ + "' matches pattern '" + match_ + "'");
    }

    std::string path_, line_, match_, after_;
    Value ensure_;
    std::optional<Pattern> match_pattern_, after_pattern_;
    bool multiple_ = false, replace_ = true, all_ = false, append_ = true, match_for_absence_ = false;
    std::vector<std::string> lines_;  // with their ends
};

void FileLine::prepare() {
    ensure_ = present_or_absent(resource_, true);
    const Value* const path = resource_.find("path");
    if (path != nullptr) path_ = interpolated(*path);
    line_ = resource_.text("line");
    multiple_ = true_or_false(resource_, "multiple", false);
    replace_ = true_or_false(resource_, "replace", true);
    all_ = true_or_false(resource_, "replace_all_matches_not_matching_line", false);
    append_ = true_or_false(resource_, "append_on_no_match", true);
    match_for_absence_ = true_or_false(resource_, "match_for_absence", false);
    if (path != nullptr && !is_absolute_path(run_, *path))
        throw parameter_error(resource_, "path", "File paths must be fully qualified, not '" + path_ + "'");
    const auto failed = [this](const char* why) {
        return ApplyError("Validation of " + resource_.reference() + " failed: " + why);
    };
    if (all_ && resource_.find("multiple") != nullptr && !multiple_)
        throw failed("multiple must be true when replace_all_matches_not_matching_line is true");
    if (all_ && !replace_)
        throw failed("replace must be true when replace_all_matches_not_matching_line is true");
    const bool by_match = ensure_ == absent() && match_for_absence_ && resource_.find("match") != nullptr;
    if (resource_.find("line") == nullptr && !by_match) throw failed("line is a required attribute");
    if (path_.empty()) throw failed("path is a required attribute");
    path_ = plain_path(path_);
}

bool FileLine::is_own(const std::string& line) const {
    if (resource_.find("line") == nullptr) return false;
    std::string_view text = line;
    if (text.ends_with('\n')) text.remove_suffix(1);
    if (text.ends_with('\r')) text.remove_suffix(1);
    return text == line_;
}

std::size_t FileLine::count(const Pattern& pattern) const {
    return static_cast<std::size_t>(std::count_if(lines_.begin(), lines_.end(), [&](const std::string& line) {
        return (!all_ || !is_own(line)) && pattern.matches(line);
    }));
}

bool FileLine::exists() const {
    const bool has_line =
        std::any_of(lines_.begin(), lines_.end(), [this](const auto& line) { return is_own(line); });
    if (!match_pattern_) return has_line;
    const std::size_t matching = count(*match_pattern_);
    if (ensure_ == present()) {
        if (matching == 0) return has_line || !append_;
        if (all_) return false;
        return has_line || !replace_;
    }
    return has_line || (matching > 0 && match_for_absence_);
}

Current FileLine::retrieve() {
    lines_.clear();
    if (file_exists(path_) || !run_.noop(resource_)) {
        const std::string text = read_whole(path_, 256U << 20U);
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find('\n', at), text.size() - 1);
            lines_.push_back(text.substr(at, end + 1 - at));
            at = end + 1;
        }
    }
    // A broken regular expression fails this resource, not the run.
    if (const Value* match = resource_.find("match"); match != nullptr && !match_pattern_) {
        match_ = pattern_text(*match);
        match_pattern_.emplace(match_);
    }
    Current current;
    current.set("ensure", exists() ? present() : absent());
    if (reads("line") && resource_.find("line") != nullptr)
        current.set("line", Value(resource_.text("line")));
    return current;
}

void FileLine::add() {
    // Compatibility: what a line that is not replaced would match is counted without a pattern, too.
    if (!replace_ && !match_pattern_ && !lines_.empty())
        throw SystemError("wrong argument type nil (expected Regexp)");
    const std::size_t matching = match_pattern_ ? count(*match_pattern_) : 0;
    if (!replace_ && matching > 0) return;
    if (matching > 1 && !multiple_) throw too_many();
    if (const Value* after = resource_.find("after"); after != nullptr && !after_pattern_) {
        try {
            after_ = pattern_text(*after);
            after_pattern_.emplace(after_);
        } catch (const ApplyError& error) {
            throw SystemError(error.what());  // with the context that other failures of the change get
        }
    }
    std::size_t places = match_pattern_ ? matching : after_pattern_ ? count(*after_pattern_) : 0;
    if (!match_pattern_ && places > 1 && !multiple_)
        throw ApplyError(std::to_string(places) + " lines match pattern '" + after_ + "' in file '" + path_ +
                         "'. One or no line must match the pattern.");
    std::string text;
    const auto put = [&](const std::string& line) { text += line + (line.ends_with('\n') ? "" : "\n"); };
    for (const std::string& line : lines_) {
        put(match_pattern_ && match_pattern_->matches(line) ? line_ : line);
        if (!after_pattern_ || (match_pattern_ && places > 0) || !after_pattern_->matches(line)) continue;
        put(line_);
        if (match_pattern_) ++places;
    }
    if (places == 0) put(line_);
    replace_content(path_, text, 0644);
}

void FileLine::remove() {
    const bool by_match = match_for_absence_ && match_pattern_;
    if (by_match && count(*match_pattern_) > 1 && !multiple_) throw too_many();
    std::string text;
    for (const std::string& line : lines_) {
        if (!(by_match ? match_pattern_->matches(line) : is_own(line))) text += line;
    }
    replace_content(path_, text, 0644);
}

void FileLine::sync(Wanted&, const Value&) {
    if (ensure_ == present())
        add();
    else
        remove();
}

constexpr std::array<Attribute, 12> file_line_attributes = {
    {{"name", Kind::Namevar, "String", "A name."},
     {"ensure", Kind::Property, "Enum[present, absent]", "Whether the line should be there (present)."},
     {"path", Kind::Parameter, "String", "The absolute path of the file, which must exist."},
     {"line", Kind::Property, "String", "The line."},
     {"match", Kind::Parameter, "Variant[String, Regexp]",
      "A regular expression: the line that matches is replaced."},
     {"match_for_absence", Kind::Parameter, "Boolean",
      "With ensure absent, whether what matches is removed (false)."},
     {"multiple", Kind::Parameter, "Boolean",
      "Whether several lines may match; else that is an error (false)."},
     {"after", Kind::Parameter, "Variant[String, Regexp]",
      "A regular expression: a new line is put after the one that matches."},
     {"replace", Kind::Parameter, "Boolean", "Whether a line that matches is replaced (true)."},
     {"replace_all_matches_not_matching_line", Kind::Parameter, "Boolean",
      "Whether all that match and differ are replaced (false)."},
     {"append_on_no_match", Kind::Parameter, "Boolean",
      "Whether the line is added where nothing matches (true)."},
     {"encoding", Kind::Parameter, "String", "Taken for compatibility: lines are compared as bytes."}}};

}  // namespace

const TypeSpec& file_line_type() {
    static const TypeSpec spec{"file_line", "A line of a file, of the module stdlib.", "ruby",
                               file_line_attributes, make_instance_of<FileLine>};
    return spec;
}

}  // namespace volley::agent
