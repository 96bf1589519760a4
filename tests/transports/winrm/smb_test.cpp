#include <catch2/catch.hpp>

#include "transports/errors.hpp"
#include "transports/winrm/smb/session.hpp"
#include "transports/winrm/smb/share_path.hpp"

namespace volley::transports::winrm::smb {
namespace {

std::string place(std::string_view path) {
    try {
        const SharePath found = share_path(path, "WRITE_ERROR");
        return found.share + " " + found.path;
    } catch (const TransportError& error) {
        return std::string(error.info().issue_code());
    }
}

}  // namespace

TEST_CASE("WRM-007 a path of Windows is one in a share", "[winrm][smb]") {
    struct Row {
        std::string_view path, want;
    };
    for (const Row& row : std::initializer_list<Row>{{"C:\\a\\b.txt", "C$ a/b.txt"},
                                                     {"d:/a//./b/", "d$ a/b"},
                                                     {"C:\\", "C$ "},
                                                     {"\\\\host\\public\\a\\b", "public a/b"},
                                                     {"//host/public", "public "},
                                                     {"\\\\host", "WRITE_ERROR"},
                                                     {"C:a", "WRITE_ERROR"},
                                                     {"a\\b", "WRITE_ERROR"},
                                                     {"/tmp/a", "WRITE_ERROR"},
                                                     {"$env:TEMP\\a", "WRITE_ERROR"},
                                                     {"C:\\a\\..\\b", "WRITE_ERROR"},
                                                     {"", "WRITE_ERROR"}}) {
        INFO(row.path);
        CHECK(place(row.path) == row.want);
    }
    CHECK(share_url("host", "C$", "a b/ä%#?") == "smb://host/C$/a%20b/%C3%A4%25%23%3F");
    CHECK(share_url("host", "read only", "") == "smb://host/read%20only/");
}

TEST_CASE("WRM-007 an IPv6 address does not do for SMB", "[winrm][smb]") {
    Login login;
    login.host = "::1";
    CHECK_THROWS_WITH(Session(login, "C$", "WRITE_ERROR", std::make_shared<std::atomic<bool>>(false)),
                      "file-protocol: smb takes the machine's name or an IPv4 address, not ::1");
}

}  // namespace volley::transports::winrm::smb
