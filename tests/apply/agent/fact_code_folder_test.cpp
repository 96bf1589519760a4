#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>

#include "apply/agent/checksums/digest.hpp"
#include "apply/agent/facts/modules/code_folder.hpp"
#include "apply/agent/machine/files.hpp"
#include "apply/agent/values/errors.hpp"

using namespace volley::agent;

namespace {

struct StateFolder {
    std::string path = "/tmp/agent_facts.XXXXXX";
    StateFolder() { REQUIRE(::mkdtemp(path.data()) != nullptr); }
    ~StateFolder() { remove_tree(path); }
};

FactFile file(std::string path, const std::string& content, unsigned mode = 0644) {
    return {std::move(path), digest_of("sha256", content), mode};
}

/// Offers these contents and counts how often it is asked.
struct Contents {
    std::map<std::string, std::string> known;
    int asked = 0;
    explicit Contents(const std::vector<std::string>& contents) {
        for (const std::string& content : contents) known[digest_of("sha256", content)] = content;
    }
    FetchContents fetch() {
        return [this](const std::vector<std::string>& checksums) {
            ++asked;
            std::map<std::string, std::string> found;
            for (const std::string& checksum : checksums) found[checksum] = known.at(checksum);
            return found;
        };
    }
};

}  // namespace

TEST_CASE("code for facts is written once, privately, and again when it changed", "[agent][facts]") {
    const StateFolder state;
    Contents contents({"one", "two"});
    const std::vector<FactFile> files{file("a/lib/facter/a.rb", "one"), file("a/facts.d/b", "two", 0755)};
    const std::map<std::string, std::string> own{{"bridge.rb", "bridge"}};
    const std::string folder = code_folder(state.path, files, own, contents.fetch());
    CHECK(read_whole(folder + "/a/lib/facter/a.rb") == "one");
    CHECK(file_stat(folder + "/a/lib/facter/a.rb", false)->mode == 0600);
    CHECK(file_stat(folder + "/a/facts.d/b", false)->mode == 0700);
    CHECK(read_whole(folder + "/bridge.rb") == "bridge");
    CHECK(code_folder(state.path, files, own, contents.fetch()) == folder);
    CHECK(contents.asked == 1);
    replace_content(folder + "/a/lib/facter/a.rb", "changed", 0600);
    CHECK(code_folder(state.path, files, own, contents.fetch()) == folder);
    CHECK(read_whole(folder + "/a/lib/facter/a.rb") == "one");
    CHECK(contents.asked == 2);
    CHECK(code_folder(state.path, files, {{"bridge.rb", "newer"}}, contents.fetch()) != folder);
    CHECK(names_in(state.path).size() == 2);
}

TEST_CASE("code that leads out of its folder, or is not what was offered, is refused", "[agent][facts]") {
    const StateFolder state;
    Contents contents({"one"});
    for (const char* path : {"../x", "a/../../x", "/etc/x", "a//x", "a/./x", ""}) {
        CAPTURE(path);
        CHECK_THROWS_AS(code_folder(state.path, {file(path, "one")}, {}, contents.fetch()), ApplyError);
    }
    const FetchContents other = [](const std::vector<std::string>& checksums) {
        return std::map<std::string, std::string>{{checksums[0], "other"}};
    };
    CHECK_THROWS_AS(code_folder(state.path, {file("a/x", "one")}, {}, other), ApplyError);
    CHECK(names_in(state.path).empty());  // nothing half-written stays
}
