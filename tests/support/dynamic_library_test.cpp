#include "support/dynamic_library.hpp"

#include <catch2/catch.hpp>

namespace volley {

TEST_CASE("a library is loaded when it is used, and says why it cannot be", "[support]") {
    double (*cosine)(double) = nullptr;
    DynamicLibrary mathematics("libm.so.6");
    mathematics.find(cosine, "cos");
    REQUIRE(cosine != nullptr);
    CHECK(cosine(0) == 1);
    CHECK(mathematics.fault().empty());
    mathematics.find(cosine, "no_such_function");
    CHECK(cosine == nullptr);
    mathematics.find(cosine, "nor_this_one");
    CHECK(mathematics.fault() == "it has no no_such_function");

    DynamicLibrary missing("libnot-there.so.1");
    missing.find(cosine, "cos");
    CHECK(cosine == nullptr);
    CHECK(missing.fault().find("libnot-there.so.1") == 0);
}

}  // namespace volley
