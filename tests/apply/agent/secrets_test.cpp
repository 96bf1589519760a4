#include "apply/agent/transaction/secrets.hpp"

#include <catch2/catch.hpp>

using namespace volley::agent;

namespace {

Value text(const char* words) { return Value(std::string(words)); }

Secrets secrets_of(const Value& value) {
    Secrets secrets;
    secrets.add(value);
    return secrets;
}

}  // namespace

TEST_CASE("messages do not show secrets", "[agent][secrets]") {
    const Secrets secrets = secrets_of(
        Value(Value::Items{text("hush"), text("hush-hush\n"), Value(std::int64_t{271828}),
                           Value(Value::Pairs{{text("name"), text("inner secret")}}), text("a \"b\"\tc")}));
    struct Row {
        std::string_view message, shown;
    };
    static constexpr Row rows[] = {
        {"", ""},
        {"hus", "hus"},
        {"nothing of it", "nothing of it"},
        {"hush", "[redacted]"},
        {"xhush hush-hush!", "x[redacted] [redacted]!"},
        {"huhush", "hu[redacted]"},
        {"pin 271828, name: inner secret", "pin [redacted], name: [redacted]"},
        {"Invalid value \"a \\\"b\\\"\\tc\".", "Invalid value \"[redacted]\"."},
    };
    for (const Row& row : rows) {
        INFO(row.message);
        CHECK(secrets.redacted(std::string(row.message)) == row.shown);
    }
}

TEST_CASE("only Sensitive parameters of a catalog are secrets", "[agent][secrets]") {
    const Catalog catalog =
        read_catalog(R"({"name": "n", "resources": [{"type": "Exec", "title": "e", "parameters": {
        "cwd": {"__ptype": "Sensitive", "__pvalue": "/srv/hidden"}, "umask": "0077", "user": "anybody",
        "unless": ["/bin/true", {"__ptype": "Sensitive", "__pvalue": "/bin/false"}]},
        "sensitive_parameters": ["user"]}]})");
    const Secrets secrets(catalog);
    CHECK(secrets.redacted("0077 /srv/hidden anybody /bin/false") == "0077 [redacted] [redacted] [redacted]");
}

TEST_CASE("what is too short or too long to be a secret in a message is left alone", "[agent][secrets]") {
    const std::string large(5000, 'x');
    Secrets secrets = secrets_of(text("yes"));
    secrets.add(large);
    secrets.add(Value(true));
    secrets.add(Value());
    CHECK(secrets.redacted("yes, true " + large) == "yes, true " + large);
}
