#include "transports/shell/error_text.hpp"

#include <catch2/catch.hpp>

namespace volley::transports {

TEST_CASE("a shell's complaint is shown without the place in our program", "[shell][words]") {
    const std::string temporary = "/.volley-0123abcd-0123-0123-0123-0123456789ab";
    CHECK(plain_error_text("sh: 1: eval: cannot create /etc/x" + temporary + ": Permission denied") ==
          "cannot create /etc/x: Permission denied");
    CHECK(plain_error_text("sh: line 7: /x" + temporary + ": No space left on device") ==
          "/x: No space left on device");
    CHECK(plain_error_text("sh: eval: line 0: can't create " + temporary + ": Read-only file system") ==
          "can't create /: Read-only file system");
    CHECK(plain_error_text("cannot create " + temporary.substr(1) + ": denied") ==
          "cannot create the current directory: denied");
    CHECK(plain_error_text("mkdir: cannot create directory '/1': File exists") ==
          "mkdir: cannot create directory '/1': File exists");
    CHECK(plain_error_text("cut off in /.volley-01") == "cut off in /");
    CHECK(plain_error_text("").empty());
}

}  // namespace volley::transports
