#pragma once

#include "language/evaluator/environment.hpp"
#include "language/execution_state.hpp"

namespace volley::testing {

/// Settings for programs that nobody has written: no Ruby runs (its code would be the fuzzer's), and a
/// program that walks over everything it can think of, or fills the memory, is stopped soon.
inline LanguageSettings bounded_settings() {
    LanguageSettings settings;
    execution_state().most_visits = 100'000;
    execution_state().most_text = 1UL << 20;
    execution_state().most_elements = 100'000;
    settings.ruby = false;
    settings.calls = 10'000;
    return settings;
}

}  // namespace volley::testing
