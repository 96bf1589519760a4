#include "apply/agent/facts/answer_memory.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "apply/agent/facts/host.hpp"
#include "apply/agent/machine/files.hpp"
#include "apply/agent/machine/process.hpp"

using namespace volley::agent;

namespace {

/// A folder with a program in it, which counts how often it was run.
class Place {
public:
    Place() {
        std::string name = (std::filesystem::temp_directory_path() / "answers.XXXXXX").string();
        folder_ = ::mkdtemp(name.data()) == nullptr ? "" : name;
        answer("1");
    }
    ~Place() { std::filesystem::remove_all(folder_); }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    std::string path(const std::string& name) const { return folder_ + "/" + name; }
    void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
    /// The program prints this from now on.
    void answer(const std::string& text) const {
        const std::string counted = "echo ran >>" + path("runs") + "\n";
        replace_content(path("program"), "#!/bin/sh\n" + counted + "echo " + text + " " + path("data") + "\n",
                        0755);
        std::filesystem::permissions(path("program"), std::filesystem::perms::owner_all);
    }
    std::size_t runs() const {
        return std::filesystem::exists(path("runs")) ? std::filesystem::file_size(path("runs")) / 4 : 0;
    }
    std::string ask(double settled = 0, const std::string& circumstances = {}) const {
        AnswerMemory memory(path("memory"), settled);
        FactHost host;
        host.remember_in(memory);
        const LastingQuestion question{"program", {path("program"), "-x"}, 20, files_named, circumstances};
        host.begin_asking(question);
        const std::string answer = host.answer_to(question).value_or("nothing");
        memory.save();
        return answer.substr(0, answer.find(' '));
    }

private:
    static std::optional<std::vector<std::string>> files_named(const std::string&,
                                                               const std::string& answer) {
        const std::string path = answer.substr(answer.find(' ') + 1);
        return std::vector<std::string>{path.substr(0, path.find('\n'))};
    }

    std::string folder_;
};

}  // namespace

TEST_CASE("a program is not asked again while its files are the same", "[agent][facts]") {
    const Place place;
    CHECK(place.ask() == "1");
    CHECK(place.ask() == "1");
    CHECK(place.runs() == 1);
    CHECK(std::filesystem::status(place.path("memory/answers.json")).permissions() ==
          (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));

    SECTION("another program takes its place") {
        place.answer("2");
        CHECK(place.ask() == "2");
        CHECK(place.ask() == "2");
        CHECK(place.runs() == 2);
    }
    SECTION("a file that was missing is there") {
        place.write("data", "x");
        CHECK(place.ask() == "1");
        CHECK(place.ask() == "1");
        CHECK(place.runs() == 2);
    }
    SECTION("a file has another content of the same size, and its time was set back") {
        place.write("data", "x");
        CHECK(place.ask() == "1");
        const auto time = std::filesystem::last_write_time(place.path("data"));
        ::usleep(20'000);  // more than a tick of the kernel's clock
        place.write("data", "y");
        std::filesystem::last_write_time(place.path("data"), time);
        CHECK(place.ask() == "1");
        CHECK(place.runs() == 3);
    }
    SECTION("the environment says something else") {
        ::setenv("RUBYOPT", "-W0", 1);
        CHECK(place.ask() == "1");
        ::unsetenv("RUBYOPT");
        CHECK(place.runs() == 2);
    }
    SECTION("the memory is not what it should be") {
        for (const char* text : {"", "[", "[]", "{\"program\": 1}", "{\"program\": {\"files\": {}}}"}) {
            place.write("memory/answers.json", text);
            CHECK(place.ask() == "1");
        }
        CHECK(place.runs() == 6);
    }
    SECTION("the memory is a link") {
        std::filesystem::rename(place.path("memory/answers.json"), place.path("elsewhere"));
        std::filesystem::create_symlink(place.path("elsewhere"), place.path("memory/answers.json"));
        CHECK(place.ask() == "1");
        CHECK(place.runs() == 2);
    }
}

TEST_CASE("a program is asked again after another boot", "[agent][facts]") {
    const Place place;
    CHECK(place.ask(0, "first") == "1");
    CHECK(place.ask(0, "first") == "1");
    CHECK(place.runs() == 1);
    CHECK(place.ask(0, "second") == "1");
    CHECK(place.ask(0, "second") == "1");
    CHECK(place.runs() == 2);
}

TEST_CASE("a boot is named by its id and the start of the first process", "[agent][facts]") {
    const Place place;
    const std::string process = "1 (odd) name) S 0 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 77 9 9";
    std::filesystem::create_directories(place.path("proc/sys/kernel/random"));
    std::filesystem::create_directories(place.path("proc/1"));
    const FactHost host(place.path(""));
    CHECK_FALSE(host.boot());
    place.write("proc/sys/kernel/random/boot_id", "abc-1\n");
    CHECK_FALSE(host.boot());
    place.write("proc/1/stat", "1 (cut) S 0\n");
    CHECK_FALSE(host.boot());
    place.write("proc/1/stat", process + "\n");
    CHECK(host.boot() == "abc-1 77");
    CHECK(FactHost().boot());
}

TEST_CASE("what goes by a file that has just changed is not remembered", "[agent][facts]") {
    const Place place;
    CHECK(place.ask(60) == "1");
    CHECK(place.ask(60) == "1");
    CHECK(place.runs() == 2);
}

TEST_CASE("programs for facts run at the same time", "[agent][facts]") {
    const Place place;
    // Each waits for the other one.
    const std::string first = "touch " + place.path("a") + "; until [ -e " + place.path("b") +
                              " ]; do sleep 0.01; done; echo first";
    const std::string second = "touch " + place.path("b") + "; until [ -e " + place.path("a") +
                               " ]; do sleep 0.01; done; echo second";
    const FactHost host;
    host.begin({"/bin/sh", "-c", first});
    host.begin({"/bin/sh", "-c", second});
    CHECK(host.output_of({"/bin/sh", "-c", first}) == "first\n");
    CHECK(host.output_of({"/bin/sh", "-c", second}) == "second\n");
}

TEST_CASE("a program that nobody asks for its answer is ended", "[agent][process]") {
    const Place place;
    const auto started = std::chrono::steady_clock::now();
    {
        const FactHost host;
        host.begin({"/bin/sh", "-c", "echo $$ >" + place.path("pid") + "; exec sleep 1000"});
        while (!std::filesystem::exists(place.path("pid")) ||
               std::filesystem::file_size(place.path("pid")) == 0) {
            ::usleep(1000);
        }
    }
    std::ifstream file(place.path("pid"));
    pid_t pid = 0;
    file >> pid;
    CHECK(::kill(pid, 0) != 0);
    CHECK(std::chrono::steady_clock::now() - started < std::chrono::seconds(500));
}

TEST_CASE("what a program prints beyond a pipe waits until it is read", "[agent][process]") {
    Command command({"/bin/sh", "-c", "head -c 300000 /dev/zero | tr '\\0' x"});
    RunningProgram program(command);
    ::usleep(50'000);
    const Finished done = program.finish(60);
    CHECK(done.output.size() == 300000);
    CHECK(done.exit_code == 0);
}
