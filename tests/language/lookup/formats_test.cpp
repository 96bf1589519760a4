#include <catch2/catch.hpp>

#include "language/errors.hpp"
#include "language/lookup/data/hocon.hpp"
#include "language/text/text.hpp"
#include "support/crypto/pkcs7.hpp"
#include "support/text.hpp"
#include "tests/language/lookup/world.hpp"

using namespace volley;

namespace {

std::string hocon(const char* text) {
    try {
        return to_program_text(lookup::hocon_value(text));
    } catch (const EvalError& error) {
        return std::string("! ") + error.what();
    }
}

}  // namespace

TEST_CASE("HOCON is read as its specification says", "[lookup]") {
    struct Row {
        const char *name, *text, *want;
    };
    static constexpr Row rows[] = {
        {"without braces", "a = 1, b : two\nc { d = true }",
         "{'a' => 1, 'b' => 'two', 'c' => {'d' => true}}"},
        {"dotted keys", "a.b.c = 1\na.b.d = 2", "{'a' => {'b' => {'c' => 1, 'd' => 2}}}"},
        {"quoted keys keep their dots", "\"a.b\" = 1", "{'a.b' => 1}"},
        {"objects merge, others replace", "a {x = 1}\na {y = 2}\nb = 1\nb = 2",
         "{'a' => {'x' => 1, 'y' => 2}, 'b' => 2}"},
        {"an object after a scalar starts anew", "a {x = 1}\na = 3\na {y = 2}", "{'a' => {'y' => 2}}"},
        {"words in a line", "a = one two   three", "{'a' => 'one two   three'}"},
        {"durations stay texts", "t = 10 s\nu = 5ms", "{'t' => '10 s', 'u' => '5ms'}"},
        {"numbers", "a = 1.50, b = -3, c = 1e3, d = 007", "{'a' => 1.5, 'b' => -3, 'c' => 1000, 'd' => 7}"},
        {"comments", "# one\na = 1 // two\nb = 2 # three", "{'a' => 1, 'b' => 2}"},
        {"triple quotes", "a = \"\"\"x\n\"y\" \"\"\"", "{'a' => \"x\\n\\\"y\\\" \"}"},
        {"escapes", "a = \"\\u00e9\\t\"", "{'a' => \"é\\t\"}"},
        {"lists over lines", "a = [1\n2,\n3,]", "{'a' => [1, 2, 3]}"},
        {"lists next to each other", "a = [1] [2]", "{'a' => [1, 2]}"},
        {"substitution", "a = 1\nb = ${a}", "{'a' => 1, 'b' => 1}"},
        {"substitution in a text", "a = x\nb = ${a}-${a}", "{'a' => 'x', 'b' => 'x-x'}"},
        {"substitution of an object, merged", "d {p = 1}\ne = ${d} {q = 2}",
         "{'d' => {'p' => 1}, 'e' => {'p' => 1, 'q' => 2}}"},
        {"substitution of what comes later", "b = ${a}\na = 1", "{'b' => 1, 'a' => 1}"},
        {"its own earlier value", "p = [a]\np = ${p} [b]", "{'p' => ['a', 'b']}"},
        {"plus-equals", "p = [a]\np += b", "{'p' => ['a', 'b']}"},
        {"a part of the object it stands in", "a { b = 1, c = ${a.b} }", "{'a' => {'b' => 1, 'c' => 1}}"},
        {"optional and missing", "a = ${?nope}\nb = [${?nope}, 1]", "{'b' => [1]}"},
        {"required and missing", "a = ${nope}",
         "! line 1: Could not resolve substitution to a value: ${nope}"},
        {"itself", "a = ${a}", "! line 1: the substitution ${a} refers to itself"},
        {"a circle", "a = ${b}\nb = ${a}", "! line 2: the substitution ${a} refers to itself"},
        {"not closed", "a {", "! line 1: an object is not closed, '}' is missing"},
        {"forbidden character", "a = b@c", "! line 1: the character '@' must be in quotes here"},
        {"no value", "a =", "! line 1: a value is missing"},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.name) { CHECK(hocon(row.text) == row.want); }
    }
}

TEST_CASE("eyaml texts are decrypted inside of other data", "[lookup]") {
    const Pkcs7Keys keys = pkcs7_create_keys(2048);
    const auto encrypted = [&keys](const std::string& text) {
        return "ENC[PKCS7," + base64_encode(pkcs7_encrypt(text, keys.certificate)) + "]";
    };
    std::string block = encrypted("in a block");
    for (std::size_t at = 40; at < block.size(); at += 45) block.insert(at, "\n    ");
    tests::LookupWorld world(
        {{"hiera.yaml", R"(
version: 5
hierarchy:
  - name: secrets
    lookup_key: eyaml_lookup_key
    path: secrets.eyaml
    options: { pkcs7_private_key: /keys/private.pem }
)"},
         {"/keys/private.pem", keys.private_key},
         {"data/secrets.eyaml", "plain: 'on %{kernel}'\nsecret: " + encrypted("hush") + "\nmixed: 'a " +
                                    encrypted("b") + " c'\nlist: [{k: '" + encrypted("%{kernel}") +
                                    "'}]\nblock: >\n    " + block + "\nbroken: ENC[PKCS7,aGVsbG8=]\n"}});
    CHECK(world.run("lookup('plain')") == "'on Linux'");
    CHECK(world.run("lookup('secret')") == "'hush'");
    CHECK(world.run("lookup('mixed')") == "'a b c'");
    CHECK(world.run("lookup('list')") == "[{'k' => 'Linux'}]");
    CHECK(world.run("lookup('block')") == "'in a block'");
    CHECK(world.run("lookup('broken')")
              .starts_with("! hiera-eyaml backend error decrypting ENC[PKCS7,aGVsbG8=] when looking up "
                           "broken in /env/data/secrets.eyaml. "
                           "Error was "));
    world.files->variables["EYAML_KEY"] = keys.private_key;
    world.files->files["/env/hiera.yaml"] = R"(
version: 5
hierarchy:
  - name: secrets
    lookup_key: eyaml_lookup_key
    path: secrets.eyaml
    options: { pkcs7_private_key_env_var: EYAML_KEY }
)";
    world.files->touch();
    CHECK(world.run("lookup('secret')") == "'hush'");
}
