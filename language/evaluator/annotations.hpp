#pragma once

#include <map>
#include <string>
#include <utility>

#include "language/value.hpp"

namespace volley {

/// What annotate() has attached to values: at most one annotation of each Annotation type for one object. It
/// belongs to that very object, not to equal ones, and lasts as long as the compilation or plan run.
class Annotations {
public:
    /// The annotation of that type, or undef.
    Value find(const Value& object, const std::string& type) const;
    /// Throws EvalError for numbers, texts, booleans, undef and default, which are not objects.
    void set(const Value& object, const std::string& type, Value annotation);
    /// Removes the annotation and returns it; undef when there was none.
    Value remove(const Value& object, const std::string& type);

private:
    struct Entry {
        Value object;  // keeps it alive, so that its address stays its own
        Value annotation;
    };
    std::map<std::pair<const Shared*, std::string>, Entry> entries_;
};

}  // namespace volley
