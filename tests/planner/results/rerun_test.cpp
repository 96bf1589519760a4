#include "planner/results/rerun.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/files.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

/// A folder of its own that goes away with the test.
struct Folder {
    std::filesystem::path path = std::filesystem::temp_directory_path() / ("volley-test-" + random_uuid());
    Folder() { std::filesystem::create_directory(path); }
    ~Folder() { std::filesystem::remove_all(path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
};

std::string kind_of(const std::filesystem::path& file, const std::string& which) {
    try {
        choose_rerun(read_rerun(file), which);
    } catch (const Error& error) {
        return error.info().kind();
    }
    return "none";
}

}  // namespace

TEST_CASE("ARG-010 ARG-011 the rerun file is written, and read by status") {
    const Folder folder;
    const auto file = folder.path / "new" / ".rerun.json";
    write_rerun(file, ResultSet({Result::of_value("a", "task", "x", Json::object()),
                                 Result::of_error("b", "task", ErrorInfo("k", "m"))}));
    CHECK(read_file(file, "file") ==
          R"([{"target":"a","status":"success"},{"target":"b","status":"failure"}])");
    CHECK(choose_rerun(read_rerun(file), "all") == std::vector<std::string>{"a", "b"});
    CHECK(choose_rerun(read_rerun(file), "failure") == std::vector<std::string>{"b"});
    CHECK(choose_rerun(read_rerun(file), "success") == std::vector<std::string>{"a"});
    CHECK(kind_of(file, "some") == "bolt/cli-error");
}

TEST_CASE("ARG-010 a rerun file without the data is a file error") {
    const Folder folder;
    const auto file = folder.path / "rerun.json";
    CHECK(kind_of(file, "all") == "bolt/file-error");
    for (const std::string text :
         {"", "{}", "[1]", R"([{"target":"a"}])", R"([{"target":1,"status":"failure"}])"}) {
        INFO(text);
        write_file_atomically(file, text);
        CHECK(kind_of(file, "all") == "bolt/file-error");
    }
}

TEST_CASE("ARG-011 a rerun file that cannot be written is not an error") {
    CHECK_NOTHROW(write_rerun("/proc/no/such/.rerun.json", ResultSet{}));
}

}  // namespace volley::planner
