#include <catch2/catch.hpp>

#include "support/files.hpp"
#include "tests/language/lookup/world.hpp"
#include "tests/source_folder.hpp"

using namespace volley;

// hiera_eyaml/ was made by the package hiera-eyaml 3.3.0: `eyaml createkeys`, then `eyaml encrypt` with the
// outputs "string" and "block". The key protects nothing but this test.
TEST_CASE("what the hiera-eyaml package has encrypted is read with its key", "[lookup]") {
    const std::filesystem::path folder = tests::source_folder() / "tests/language/lookup/hiera_eyaml";
    tests::LookupWorld world(
        {{"hiera.yaml", R"(
version: 5
hierarchy:
  - name: secrets
    lookup_key: eyaml_lookup_key
    path: common.eyaml
    options:
      pkcs7_private_key: /keys/private_key.pkcs7.pem
      pkcs7_public_key: /keys/public_key.pkcs7.pem
)"},
         {"/keys/private_key.pkcs7.pem", read_file(folder / "private_key.pkcs7.pem", "key")},
         {"data/common.eyaml", read_file(folder / "common.eyaml", "data")}});
    CHECK(world.run("lookup('plain')") == "'visible'");
    CHECK(world.run("lookup('text')") == "'hello secret'");
    CHECK(world.run("lookup('mixed')") == "'user=hello secret;ok'");
    CHECK(world.run("lookup('block') == \"line one\\nline two\\n\"") == "true");
    CHECK(world.run("lookup('list') == ['one', 'plain two', \"line one\\nline two\\n\"]") == "true");
    CHECK(world.run("lookup('hash')") == "{'deep' => 'ünïcode ☃'}");
    CHECK(world.run("lookup('empty')") == "''");
    // What waits for `eyaml edit` to encrypt it is not a secret yet: as with the package, it stays as it is.
    CHECK(world.run("lookup('dec')") == "'DEC::PKCS7[not encrypted]!'");
    CHECK(world.run("lookup('dec_number')") == "'DEC(1)::PKCS7[x]!'");
}
