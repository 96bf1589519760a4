#include "apply/agent/transaction/state.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/json/json_reader.hpp"

using namespace volley;
using namespace volley::agent;

namespace {

class Folder {
public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "state.XXXXXX").string();
        path_ = ::mkdtemp(name.data()) == nullptr ? "" : name;
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    const std::string& path() const { return path_; }
    std::string file() const { return path_ + "/state.json"; }
    void write(const std::string& text) const { std::ofstream(file(), std::ios::binary) << text; }
    std::string read() const {
        std::ostringstream text;
        text << std::ifstream(file(), std::ios::binary).rdbuf();
        return text.str();
    }

private:
    std::string path_;
};

}  // namespace

TEST_CASE("a machine remembers its resources from run to run", "[agent][state]") {
    const Folder folder;
    const std::int64_t now = ::time(nullptr);
    const std::string odd = "Notify[a\n\"b\",\n}]";
    for (int run = 1; run <= 2; ++run) {
        State state(folder.path());
        CHECK(state.complaint().empty());
        if (run == 2) {
            CHECK(state.checked("File[/a]") == now);
            CHECK(state.checked(odd) == now);
            REQUIRE(state.brought_to(odd, "message") != nullptr);
            CHECK(value_to_json(*state.brought_to(odd, "message")) == "x,\n}\n");
            REQUIRE(state.audited("File[/a]", "mode") != nullptr);
        }
        state.set_checked("File[/a]", now);
        state.set_audited("File[/a]", "mode", Value(std::string("0644")));
        state.set_checked(odd, now);
        const Value odd_text(std::string("x,\n}\n"));
        state.set_brought_to(odd, {{"message", &odd_text}});
        state.save();
    }
    CHECK(parse_json(folder.read()).size() == 2);
    CHECK(std::filesystem::status(folder.file()).permissions() ==
          (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
}

TEST_CASE("a state that was written in another way is read, too", "[agent][state]") {
    const Folder folder;
    for (const char* text :
         {R"({"File[/a]":{"checked":7},"File[/b]":{"checked":8}})",
          "{\n  \"File[/a]\": {\n    \"checked\": 7\n  },\n  \"File[/b]\": {\"checked\": 8}\n}",
          "{\n\"File[/a]\":{\"checked\":7},\n\"File[/b]\":{\"checked\":8}\n}"}) {
        folder.write(text);
        const State state(folder.path());
        CHECK(state.complaint().empty());
        CHECK(state.checked("File[/a]") == 7);
        CHECK(state.checked("File[/b]") == 8);
    }
    for (const char* text : {"{}", "{\n}", "{\n\n}"}) {
        folder.write(text);
        CHECK(State(folder.path()).complaint().empty());
    }
}

TEST_CASE("a state that cannot be read is kept, and nothing of it counts", "[agent][state]") {
    const Folder folder;
    for (const char* text :
         {"{\n\"File[/a]\":{\"checked\":7},\n\"File[/b]\":{\"chec\n}", "[]", "{\n\"a\":1},{\n}", ""}) {
        folder.write(text);
        const State state(folder.path());
        CHECK_FALSE(state.complaint().empty());
        CHECK(state.checked("File[/a]") == 0);
        CHECK(std::filesystem::exists(folder.file() + ".bad"));
        CHECK_FALSE(std::filesystem::exists(folder.file()));
    }
}

TEST_CASE("resources that no run has looked at for 32 days are forgotten", "[agent][state]") {
    const Folder folder;
    const std::int64_t day = 86400, now = ::time(nullptr);
    const Value mode(std::string("0644"));
    State state(folder.path());
    state.set_checked("File[/old]", now - 33 * day);
    state.set_brought_to("File[/old]", {{"mode", &mode}});
    state.set_checked("File[/recent]", now - 31 * day);
    state.set_synced("File[/set]", now - day);
    state.set_brought_to("File[/without]", {{"mode", &mode}});
    state.save();
    const Json kept = parse_json(folder.read());
    CHECK_FALSE(kept.contains("File[/old]"));
    CHECK(kept.contains("File[/recent]"));
    CHECK(kept.contains("File[/set]"));
    CHECK(kept.contains("File[/without]"));
}

TEST_CASE("what a machine remembers stays as it is until it is another", "[agent][state]") {
    const Folder folder;
    const std::string now = std::to_string(::time(nullptr));
    const std::string others = ",\n\"File[/b]\":{\"checked\":" + now + ",\"values\":{\"mode\":\"0600\"}}\n}";
    const std::string head = "{\n\"File[/a]\":{\"checked\":" + now + ",\"synced\":7";
    const Value mode(std::string("0644")), owner(std::int64_t{0}), odd(std::string("a \"b\" \xc3\xa4"));
    const auto run = [&](const std::vector<std::pair<Word, const Value*>>& values) {
        State state(folder.path());
        CHECK(state.complaint().empty());
        state.set_brought_to("File[/a]", values);
        state.save();
        return folder.read();
    };
    folder.write(head + "}" + others);
    CHECK(run({}) == head + "}" + others);
    const std::string two = head + R"(,"values":{"mode":"0644","owner":0}})" + others;
    CHECK(run({{"mode", &mode}, {"owner", &owner}}) == two);
    CHECK(run({{"mode", &mode}, {"owner", &owner}}) == two);
    CHECK(run({{"mode", &mode}}) == two);  // what is not managed any more is still known
    const std::string other = head + ",\"values\":{\"mode\":\"a \\\"b\\\" \xc3\xa4\",\"owner\":0}}" + others;
    CHECK(run({{"mode", &odd}}) == other);
    CHECK(run({{"mode", &odd}, {"owner", &owner}}) == other);
    State state(folder.path());
    state.set_audited("File[/b]", "mode", mode);
    CHECK(value_to_json(*state.brought_to("File[/b]", "mode")) == "0600");
    CHECK(value_to_json(*state.brought_to("File[/a]", "owner")) == 0);
    state.save();
    CHECK(State(folder.path()).audited("File[/b]", "mode") != nullptr);
    CHECK(parse_json(folder.read())["File[/b]"]["values"]["mode"] == "0600");
}

TEST_CASE("a state with a line that is damaged inside cannot be read", "[agent][state]") {
    const Folder folder;
    for (const char* text :
         {"{\n\"File[/a]\":{\"checked\":7,\"values\":{\"mode\";\"0644\"}}\n}",
          "{\n\"File[/a]\":{\"checked\":7,\"values\":{}},\"b\":{\n}", "{\n\"File[/a]\":{\"checked\":7,}\n}",
          "{\n\"File[/a]\":{\"checked\":}\n}", "{\n\"File[/a]\n}", "{\n\"\n}"}) {
        folder.write(text);
        CHECK_FALSE(State(folder.path()).complaint().empty());
    }
}
