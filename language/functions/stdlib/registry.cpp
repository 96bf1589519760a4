#include "language/functions/stdlib/registry.hpp"

#include <deque>

namespace volley {

namespace stdlib {
#define VOLLEY_STDLIB(function, other) const Builtin& function##_function();
#include "language/functions/stdlib/registry.def"
#undef VOLLEY_STDLIB
}  // namespace stdlib

const std::vector<const Builtin*>& stdlib_builtins() {
    static const std::deque<Builtin> renamed = [] {
        std::deque<Builtin> copies;
        const auto add = [&copies](const Builtin& function, std::string_view other) {
            if (other.empty()) return;
            copies.push_back(function);
            copies.back().name = other;
        };
#define VOLLEY_STDLIB(function, other) add(stdlib::function##_function(), other);
#include "language/functions/stdlib/registry.def"
#undef VOLLEY_STDLIB
        return copies;
    }();
    static const std::vector<const Builtin*> list = [] {
        std::vector<const Builtin*> all{
#define VOLLEY_STDLIB(function, other) &stdlib::function##_function(),
#include "language/functions/stdlib/registry.def"
#undef VOLLEY_STDLIB
        };
        for (const Builtin& copy : renamed) all.push_back(&copy);
        return all;
    }();
    return list;
}

}  // namespace volley
