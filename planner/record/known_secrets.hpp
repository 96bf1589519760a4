#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "language/value.hpp"
#include "planner/action.hpp"
#include "support/json/json.hpp"

namespace volley::planner {

/// The secrets that a run has met so far, so that nothing that is recorded shows them, wherever they turn up.
class KnownSecrets {
public:
    void add(std::string text);
    void add(const Value& value);      ///< what is Sensitive in it
    void add(const Json& value);       ///< every text in it
    void learn(const Action& action);  ///< parameters that its task calls sensitive
    void learn(const Result& result);  ///< what a task returned as `_sensitive`
    bool empty() const noexcept { return secrets_.empty(); }
    bool found_in(std::string_view text) const;
    /// The text with each of them replaced.
    std::string masked(std::string text) const;
    /// The same for all texts in a value. Returns whether there was one.
    bool mask(Json& value) const;

private:
    bool replace_in(std::string& text) const;
    std::vector<std::string> secrets_;  // the longest first: one may be a part of another
};

}  // namespace volley::planner
