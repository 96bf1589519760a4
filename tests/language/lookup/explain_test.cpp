#include <catch2/catch.hpp>

#include "tests/language/lookup/world.hpp"

using volley::tests::LookupWorld;

// The texts are those of Puppet 7.23, which returned the same for these files.
TEST_CASE("an explanation names each place that was searched", "[lookup]") {
    LookupWorld world({{"hiera.yaml", "version: 5\nhierarchy: [{ name: all, paths: [a.yaml, none.yaml] }]"},
                       {"data/a.yaml", "k: \"a %{kernel}\"\nh: { x: { y: 1 } }"}});
    CHECK(world.explain("k") == R"(Searching for "lookup_options"
  Global Data Provider (hiera configuration version 5)
    No such key: "lookup_options"
  Environment Data Provider (hiera configuration version 5)
    Using configuration "/env/hiera.yaml"
    Hierarchy entry "all"
      Merge strategy hash
        Path "/env/data/a.yaml"
          Original path: "a.yaml"
          No such key: "lookup_options"
        Path "/env/data/none.yaml"
          Original path: "none.yaml"
          Path not found
Searching for "k"
  Global Data Provider (hiera configuration version 5)
    No such key: "k"
  Environment Data Provider (hiera configuration version 5)
    Using configuration "/env/hiera.yaml"
    Hierarchy entry "all"
      Path "/env/data/a.yaml"
        Original path: "a.yaml"
        Interpolation on "a %{kernel}"
          Global Scope
            Found key: "kernel" value: "Linux"
        Found key: "k" value: "a Linux"
)");
    const std::string dotted = world.explain("h.x.z");
    CHECK(dotted.ends_with(R"(        Found key: "h" value: {
          "x" => {
            "y" => 1
          }
        }
  Sub key: "x.z"
    Found key: "x" value: {
      "y" => 1
    }
    No such key: "z"
Function lookup() did not find a value for the name 'h.x.z'
)"));
}

TEST_CASE("an explanation of lookup_options alone looks for nothing else", "[lookup]") {
    LookupWorld world({{"hiera.yaml", "version: 5\nhierarchy: [{ name: all, path: a.yaml }]"},
                       {"data/a.yaml", "lookup_options: { k: { merge: unique } }\nk: [1]"}});
    const std::string text = world.explain("k", true);
    CHECK(text.find("Found key: \"lookup_options\"") != std::string::npos);
    CHECK(text.find("Searching for \"k\"") == std::string::npos);
    CHECK(world.explain("k").find("Using merge options from \"lookup_options\" hash\n") != std::string::npos);
    CHECK(world.explain("lookup_options") ==
          "Invalid key \"lookup_options\"\nFunction lookup() did not find a value for the name "
          "'lookup_options'\n");
}

TEST_CASE("a module without data of its own is named in an explanation", "[lookup]") {
    LookupWorld world({{"hiera.yaml", "version: 5"}, {"modules/bare/manifests/init.pp", ""}});
    CHECK(world.explain("bare::x").find("Module data provider for module \"bare\" not found\n") !=
          std::string::npos);
    CHECK(world.explain("nowhere::x").find("Module \"nowhere\" not found\n") != std::string::npos);
}
