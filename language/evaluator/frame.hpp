#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <forward_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "language/name_index.hpp"
#include "language/text/regexp.hpp"
#include "language/value.hpp"

namespace volley {

/// What the last successful match left for $0, $1, ...
struct MatchData {
    std::string subject;
    RegexpMatch match;
};

/// What reading a parameter that has no value yet throws. No LanguageError: whoever evaluates the default
/// turns it into one, and so it gets the position of the call.
struct UnevaluatedParameter {
    std::string name;
};

/// What the component above keeps beside a frame with a description derives from this.
class FrameOwner {
protected:
    FrameOwner() = default;
    ~FrameOwner() = default;
};

class Frame;
using FramePtr = std::shared_ptr<Frame>;

/// The variables of one scope: the top scope, a class or defined type, a function call, a lambda call.
/// Spec "Parameter scope". Used by one thread at a time.
class Frame {
public:
    explicit Frame(FramePtr parent = {}, std::string description = {});

    /// The variable here or in an enclosing frame; nullptr when there is none. `name` has no "::".
    const Value* find(std::string_view name) const;
    /// Only what was set in this very frame.
    const Value* find_here(std::string_view name) const;
    void set(std::string_view name, Value value);
    /// The same without copying the name, which must outlive the frame: one of a program's tree.
    void bind(std::string_view lasting_name, Value value);
    std::vector<std::pair<std::string, Value>> variables() const;
    /// Every variable here that holds this very object (not an equal one) gets another value. False: there is
    /// none.
    bool replace(const Value& old, const Value& now);
    /// Looking up one of `names` here, as long as it is not set, throws UnevaluatedParameter; for defaults of
    /// parameters.
    void forbid(std::vector<std::string_view> names) { forbidden_ = std::move(names); }
    /// Setting a variable in this frame throws from now on.
    void make_read_only() noexcept { read_only_ = true; }

    /// $0 and so on, from this frame or the nearest enclosing one that has matched. undef without a match.
    Value match_group(std::size_t index) const;
    /// Matches of enclosing frames are not seen here: a function does not know what its caller has matched.
    void hide_outer_matches() noexcept { hides_matches_ = true; }
    bool hides_outer_matches() const noexcept { return hides_matches_; }
    std::shared_ptr<const MatchData> match;

    const FramePtr& parent() const noexcept { return parent_; }
    /// The frame of the class, define or function that this one is inside of.
    const Frame& root() const;
    /// Marks the frame of a class, define, node or the top scope, as opposed to a function's or lambda's.
    const std::string& description() const noexcept { return description_; }
    /// Not owned; null when nobody has set it.
    FrameOwner* owner = nullptr;

private:
    struct Variable {
        std::string_view name;
        Value value;
    };
    /// The place of a variable; variables_.size() when there is none of that name.
    std::size_t place_of(std::string_view name) const;

    const FramePtr parent_;
    const std::string description_;
    boost::container::small_vector<Variable, 3> variables_;  // most calls have so few
    std::vector<std::string_view> forbidden_;
    bool read_only_ = false;
    bool hides_matches_ = false;
    std::forward_list<std::string> own_names_;
    mutable NameIndex index_;  // of variables_
};

/// Restores the match data of a frame at the end of if, unless, case and selector.
class MatchGuard {
public:
    explicit MatchGuard(Frame& frame) : frame_(frame), saved_(frame.match) {}
    ~MatchGuard() { frame_.match = std::move(saved_); }
    MatchGuard(const MatchGuard&) = delete;
    MatchGuard& operator=(const MatchGuard&) = delete;

private:
    Frame& frame_;
    std::shared_ptr<const MatchData> saved_;
};

}  // namespace volley
