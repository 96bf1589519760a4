#include "apply/agent/types/ini/ini_file.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/types/ini/subsettings.hpp"
#include "apply/agent/values/errors.hpp"

using namespace volley::agent;

namespace {

/// An ini file in a folder of its own.
struct OnDisk {
    explicit OnDisk(const std::string& text) {
        REQUIRE(::mkdtemp(folder.data()) != nullptr);
        path = folder + "/f";
        replace_content(path, text, 0644);
    }
    ~OnDisk() { remove_tree(folder); }
    std::string folder = "/tmp/agent_ini.XXXXXX";
    std::string path;
};

}  // namespace

TEST_CASE("a setting is put where people would put it", "[agent][ini]") {
    struct Row {
        std::string name, before, section, setting, after;
    };
    const Row rows[] = {
        {"its own line", "[a]\n  x=1 # no\n", "a", "x", "[a]\n  x=new\n"},
        {"after its comment", "[a]\n#x = 1\ny = 2\n", "a", "x", "[a]\n#x = 1\nx = new\ny = 2\n"},
        {"before blank lines", "[a]\ny = 2\n\n[b]\n", "a", "x", "[a]\ny = 2\nx = new\n\n[b]\n"},
        {"a new section", "[a]\ny = 2\n", "b", "x", "[a]\ny = 2\n\n[b]\nx = new\n"},
        {"the top", "[a]\ny = 2\n", "", "x", "x = new\n\n[a]\ny = 2\n"},
        {"nothing yet", "", "a", "x", "[a]\nx = new\n"},
        {"as its neighbours", "[a]\n   y = 2\n  z = 3\n", "a", "x", "[a]\n   y = 2\n  z = 3\n  x = new\n"},
        {"no line's end", "[a]\ny = 2", "a", "x", "[a]\ny = 2\nx = new\n"},
        {"the later of two sections", "[a]\nx = 1\n[a]\nx = 2\n", "a", "x", "[a]\nx = 1\n[a]\nx = new\n"},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.name) {
            const OnDisk disk(row.before);
            IniFile file(disk.path, {});
            file.set(row.section, row.setting, "new");
            CHECK(file.text() == row.after);
            file.save();
            const IniFile again(disk.path, {});
            CHECK(again.value(row.section, row.setting) == "new");
            CHECK(again.text() == row.after);
        }
    }
}

TEST_CASE("a setting goes with its section where that is all there is in it", "[agent][ini]") {
    struct Row {
        std::string before, after;
    };
    const Row rows[] = {
        {"[a]\nx = 1\n[b]\n", "[b]\n"},
        {"[a]\nx = 1\n# stays\n", "[a]\n# stays\n"},
        {"[a]\nx = 1\ny = 2\nx = 3\n[b]\nx = 4\n", "[a]\ny = 2\n[b]\nx = 4\n"},
        {"[b]\nx = 1\n", "[b]\nx = 1\n"},
    };
    for (const Row& row : rows) {
        const OnDisk disk(row.before);
        IniFile file(disk.path, {});
        file.remove("a", "x");
        CHECK(file.text() == row.after);
    }
}

TEST_CASE("what separates a setting from its value is the resource's", "[agent][ini]") {
    const OnDisk disk("[a]\nx: 1\ny=>2\nz  3\n");
    const auto value = [&](const std::string& separator, const std::string& setting) {
        IniStyle style;
        style.separator = separator;
        return IniFile(disk.path, style).value("a", setting);
    };
    CHECK(value(": ", "x") == "1");
    CHECK(value(" => ", "y") == "2");
    CHECK(value(" ", "z") == "3");
    CHECK(value("=", "x") == std::nullopt);
}

TEST_CASE("words of a setting are changed one by one", "[agent][ini]") {
    const std::optional<std::string> value = "\"-a -b=1 -c\"";
    SubsettingStyle style;
    style.value_separator = "=";
    Subsettings words(value, style);
    CHECK(words.value("-b") == "1");
    CHECK_FALSE(words.has("-z"));
    words.set("-b", "2", "end", "");
    words.set("-z", "3", "before", "-b");
    words.set("-y", "4", "index", "-2");
    CHECK(words.text() == "\"-a -z=3 -b=2 -y=4 -c\"");
    words.remove("-z");
    words.remove("-y");
    CHECK(words.text() == "\"-a -b=2 -c\"");
    CHECK_THROWS_AS(words.set("-q", "", "index", "-9"), ApplyError);
    style.quote = "'";
    CHECK(Subsettings(std::nullopt, style).text() == "''");
}
