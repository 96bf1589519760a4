#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "language/compile.hpp"
#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/serialization/rich_data.hpp"
#include "language/text/text.hpp"
#include "language/types/parse.hpp"
#include "language/types/type.hpp"
#include "tests/language/generator.hpp"

using namespace volley;

namespace {

constexpr int property_rounds = 700;

/// The same texts on every run and machine.
std::vector<std::uint8_t> property_bytes(std::mt19937& random) {
    std::vector<std::uint8_t> bytes(120);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random() % 256);
    return bytes;
}

/// True when `wanted` holds for the value or something in it.
template <class Wanted>
bool anywhere(const Value& value, const Wanted& wanted) {
    if (wanted(value)) return true;
    if (value.is_array()) {
        for (const Value& item : value.as_array()) {
            if (anywhere(item, wanted)) return true;
        }
    }
    if (value.is_hash()) {
        for (const auto& entry : value.as_hash()) {
            if (anywhere(entry.key, wanted) || anywhere(entry.value, wanted)) return true;
        }
    }
    return false;
}

bool is_nan(const Value& value) { return value.is(Kind::Float) && std::isnan(value.as_float()); }
bool is_undef(const Value& value) { return value.is_undef(); }

}  // namespace

TEST_CASE("types print as texts that mean the same", "[property]") {
    std::mt19937 random(1);
    for (int round = 0; round < property_rounds; ++round) {
        const auto bytes = property_bytes(random);
        const std::string text = volley::testing::Generator(bytes).type(4);
        INFO(text);
        TypePtr type;
        try {
            type = parse_type(text);
        } catch (const LanguageError&) {
            continue;  // "Type[...]" of what is not a type, and the like
        }
        const std::string printed = to_string(*type);
        INFO(printed);
        const TypePtr again = parse_type(printed);
        CHECK(same_type(*type, *again));
        CHECK(to_string(*again) == printed);
    }
}

TEST_CASE("a type accepts itself, its general form and what is common with another", "[property]") {
    std::mt19937 random(2);
    for (int round = 0; round < property_rounds; ++round) {
        const auto bytes = property_bytes(random);
        volley::testing::Generator generator(bytes);
        const std::string one = generator.type(3);
        const std::string other = generator.type(3);
        INFO(one << " and " << other);
        try {
            const TypePtr a = parse_type(one);
            const TypePtr b = parse_type(other);
            CHECK(is_assignable(*a, *a));
            // Parameters of a Callable go the other way: a general one takes more, which is less general.
            if (one.find("Callable") == std::string::npos) CHECK(is_assignable(*a->generalize(), *a));
            const TypePtr both = common_type(a, b);
            INFO(to_string(*both));
            CHECK(is_assignable(*both, *a));
            CHECK(is_assignable(*both, *b));
        } catch (const LanguageError&) {
        }
    }
}

TEST_CASE("assignability is transitive", "[property]") {
    std::mt19937 random(3);
    int chains = 0;
    for (int round = 0; round < 4 * property_rounds; ++round) {
        const auto bytes = property_bytes(random);
        volley::testing::Generator generator(bytes);
        const std::string texts[] = {generator.type(1), generator.type(1), generator.type(1)};
        try {
            const TypePtr a = parse_type(texts[0]);
            const TypePtr b = parse_type(texts[1]);
            const TypePtr c = parse_type(texts[2]);
            if (!is_assignable(*a, *b) || !is_assignable(*b, *c)) continue;
            ++chains;
            INFO(texts[0] << " <- " << texts[1] << " <- " << texts[2]);
            CHECK(is_assignable(*a, *c));
        } catch (const LanguageError&) {
        }
    }
    CHECK(chains > 0);
}

TEST_CASE("programs end in a value that equals itself and that its type accepts, or in an error",
          "[property]") {
    std::mt19937 random(4);
    LanguageHost host;
    int values = 0;
    for (int round = 0; round < property_rounds; ++round) {
        const auto bytes = property_bytes(random);
        const std::string code = volley::testing::Generator(bytes).program();
        INFO(code);
        Environment environment(host);
        try {
            Evaluator evaluator(environment);
            const Value value = evaluator.run(compile_program(code, environment));
            ++values;
            static_cast<void>(to_rich_json(value));
            if (!anywhere(value, is_nan)) CHECK(puppet_equals(value, value));
            INFO(to_program_text(value));
            // Compatibility: the common type of undef and another is the other, so that lists with undef are
            // no instances of what is inferred of them.
            if (value.is_undef() || !anywhere(value, is_undef)) CHECK(is_instance(*infer(value), value));
            CHECK(is_instance(*infer_set(value), value));
        } catch (const LanguageError& error) {
            CHECK(std::string(error.what()) != "");
        }
    }
    CHECK(values > property_rounds / 20);
}
