// Compiled where VOLLEY_NATIVE_RUBY is OFF.
#include <catch2/catch.hpp>

#include "language/ruby/ruby.hpp"
#include "tests/language/ruby/ruby_module.hpp"

namespace volley::testing {

TEST_CASE("without the native part all Ruby is the worker's", "[language][ruby]") {
    RubyModule module;
    module.newer("one", "def one = 1");
    module.older("two", "type: :rvalue", "    2");
    if (!no_ruby())
        CHECK(module.run("[m::one(), two(), inline_template('<%= @x.inspect %>')]") == "[1, 2, 'nil']");
    constexpr const char* reason =
        " needs Ruby (this program is built without native Ruby), which is turned off (--no-ruby)";
    for (const char* code : {"m::one()", "two()", "inline_template('text')"}) {
        INFO(code);
        const std::string failed = module.run_natively(code);
        CHECK(failed.starts_with(calling));
        CHECK(failed.ends_with(reason));
    }
}

TEST_CASE("without the native part no Ruby is known to be right", "[language][ruby]") {
    CHECK_FALSE(is_native_ruby("1 + 1", false));
    CHECK_FALSE(is_native_ruby("<%= 1 %>", true));
}

}  // namespace volley::testing
