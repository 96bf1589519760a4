#include <catch2/catch.hpp>
#include <random>

#include "language/errors.hpp"
#include "language/text/text.hpp"
#include "language/types/parse.hpp"
#include "language/types/types.hpp"

using namespace volley;

namespace {

/// Random types and values; the same ones on every run.
class Generator {
public:
    explicit Generator(unsigned seed) : random_(seed) {}

    std::string type(int depth) {
        static const std::vector<std::string> plain{"Any",
                                                    "Undef",
                                                    "Default",
                                                    "Scalar",
                                                    "ScalarData",
                                                    "Numeric",
                                                    "Integer",
                                                    "Integer[1]",
                                                    "Integer[-3,7]",
                                                    "Float",
                                                    "Float[0.5,2.5]",
                                                    "Boolean",
                                                    "String",
                                                    "String[1]",
                                                    "String[2,4]",
                                                    "Enum[a,b]",
                                                    "Enum[a,'B',true]",
                                                    "Pattern[/^a/]",
                                                    "Regexp",
                                                    "Regexp[/x/]",
                                                    "SemVer",
                                                    "SemVerRange",
                                                    "Timespan",
                                                    "Timestamp",
                                                    "Binary",
                                                    "URI",
                                                    "Collection",
                                                    "Array",
                                                    "Hash",
                                                    "Data",
                                                    "RichData",
                                                    "Type",
                                                    "Sensitive",
                                                    "Callable",
                                                    "CatalogEntry",
                                                    "Class",
                                                    "Class[a]",
                                                    "File",
                                                    "File['/a']",
                                                    "Iterable",
                                                    "Iterator",
                                                    "Boolean[true]",
                                                    "Tuple",
                                                    "Struct",

                                                    "Object",
                                                    "TypeSet",
                                                    "SemVer['>=1.0.0']",
                                                    "Timespan[1]",
                                                    "Init",
                                                    "Error",
                                                    "Runtime"};
        if (depth == 0 || one_in(3)) return plain[below(plain.size())];
        const auto inner = [this, depth] { return type(depth - 1); };
        switch (below(11)) {
            case 0:
                return "Array[" + inner() + "]";
            case 1:
                return "Array[" + inner() + "," + size() + "]";
            case 2:
                return "Hash[String," + inner() + "]";
            case 3:
                return "Hash[Integer," + inner() + "," + size() + "]";
            case 4:
                return "Tuple[" + inner() + "," + inner() + (one_in(2) ? "," + size() : "") + "]";
            case 5:
                return "Struct[{a=>" + inner() + ",Optional[b]=>" + inner() + "}]";
            case 6:
                return "Variant[" + inner() + "," + inner() + "]";
            case 7:
                return "Optional[" + inner() + "]";
            case 8:
                return "Type[" + inner() + "]";
            case 9:
                return "Callable[" + inner() + "," + inner() + "]";
            default:  // what it contains is generalized once, which an Enum shows
                return one_in(2) ? "Sensitive[Array[String[1]]]" : "Iterable[" + inner() + "]";
        }
    }

    Value value(int depth) {
        switch (below(depth == 0 ? 9 : 11)) {
            case 0:
                return Value(static_cast<std::int64_t>(below(20)) - 10);
            case 1:
                return Value(static_cast<double>(below(100)) / 8);
            case 2:
                return Value(one_in(2));
            case 3:
                return Value(std::string(below(4), 'a'));
            case 4:
                return Value();
            case 5:
                return Value::make_default();
            case 6:
                return Value(Regexp::compile("x"));
            case 7:
                return Value(parse_type(type(1)));
            case 8:
                return Value::sensitive(Value(1));
            case 9: {
                std::vector<Value> items(below(4));
                for (Value& item : items) item = value(depth - 1);
                return items;
            }
            default: {
                HashBuilder hash;
                for (std::size_t i = below(4); i > 0; --i) {
                    const Value key =
                        one_in(3) ? Value(static_cast<std::int64_t>(i)) : Value("k" + std::to_string(i));
                    hash.set(key, value(depth - 1));
                }
                return hash.build();
            }
        }
    }

private:
    std::size_t below(std::size_t limit) { return random_() % limit; }
    bool one_in(std::size_t count) { return below(count) == 0; }
    std::string size() {
        const std::size_t low = below(3);
        return std::to_string(low) + (one_in(2) ? "" : "," + std::to_string(low + below(3)));
    }
    std::mt19937 random_;
};

constexpr int rounds = 400;

}  // namespace

TEST_CASE("a type that is printed and read again is the same type", "[types][property]") {
    Generator generator(1);
    for (int i = 0; i < rounds; ++i) {
        const TypePtr type = parse_type(generator.type(3));
        const std::string text = to_string(*type);
        INFO(text);
        const TypePtr again = parse_type(text);
        CHECK(same_type(*type, *again));
        CHECK(to_string(*again) == text);
        CHECK(type->hash() == again->hash());
    }
}

TEST_CASE("every type is assignable to itself and to what it generalizes to", "[types][property]") {
    Generator generator(2);
    for (int i = 0; i < rounds; ++i) {
        const TypePtr type = parse_type(generator.type(3));
        INFO(to_string(*type));
        CHECK(is_assignable(*type, *type));
        // What a Callable takes goes the other way: one that takes less is not an instance of one that takes
        // more.
        if (to_string(*type).find("Callable[") == std::string::npos)
            CHECK(is_assignable(*type->generalize(), *type));
        CHECK(is_assignable(*types::any(), *type));
    }
}

TEST_CASE("a value is an instance of what is inferred of it", "[types][property]") {
    Generator generator(3);
    for (int i = 0; i < rounds; ++i) {
        const Value value = generator.value(3);
        INFO(to_program_text(value));
        INFO(to_string(*infer(value)));
        CHECK(is_instance(*infer_set(value), value));
        // Compatibility: what reduces the types of several items to one passes over undef.
        if (to_program_text(value).find("undef") != std::string::npos) continue;
        CHECK(is_instance(*infer(value), value));
        CHECK(is_instance(*infer(value)->generalize(), value));
    }
}

TEST_CASE("assignable goes on: a value of a narrower type is one of every wider type", "[types][property]") {
    Generator generator(4);
    int seen = 0;
    for (int i = 0; i < rounds * 5; ++i) {
        const TypePtr wide = parse_type(generator.type(2));
        const Value value = generator.value(2);
        const TypePtr narrow = infer_set(value);
        if (!is_assignable(*wide, *narrow)) continue;
        ++seen;
        INFO(to_string(*wide));
        INFO(to_program_text(value));
        CHECK(is_instance(*wide, value));
    }
    CHECK(seen > rounds / 4);
}

TEST_CASE("both types are assignable to what they have in common", "[types][property]") {
    Generator generator(5);
    for (int i = 0; i < rounds; ++i) {
        const TypePtr a = infer(generator.value(0));
        const TypePtr b = infer(generator.value(0));
        const TypePtr both = common_type(a, b);
        INFO(to_string(*a) << " and " << to_string(*b) << " have " << to_string(*both));
        if (a->kind() != TypeKind::Undef) CHECK(is_assignable(*both, *a));
        if (b->kind() != TypeKind::Undef) CHECK(is_assignable(*both, *b));
    }
}
