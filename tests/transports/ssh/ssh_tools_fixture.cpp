#include "tests/transports/ssh/ssh_tools_fixture.hpp"

#include <stdlib.h>
#include <sys/wait.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <system_error>

namespace volley::transports::ssh::testing {

TempDir::TempDir() {
    std::string name = (std::filesystem::temp_directory_path() / "volley-ssh-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
}

TempDir::~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path TempDir::write(std::string_view name, std::string_view content) const {
    const auto file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
    std::filesystem::permissions(file,
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    return file;
}

std::string slurp(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

ShellResult run_shell(const std::string& line) {
    ShellResult ran;
    FILE* pipe = ::popen(("exec 2>/dev/null </dev/null; " + line).c_str(), "re");
    REQUIRE(pipe != nullptr);
    std::array<char, 4096> buffer{};
    while (const auto size = std::fread(buffer.data(), 1, buffer.size(), pipe))
        ran.out.append(buffer.data(), size);
    const int status = ::pclose(pipe);
    ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return ran;
}

std::string must_run(const std::string& line) {
    const ShellResult ran = run_shell(line);
    INFO(line);
    REQUIRE(ran.status == 0);
    return ran.out;
}

bool have(const std::string& program) { return run_shell("command -v " + program).status == 0; }

void wait_for(Runtime& runtime, Task<void> task) {
    std::exception_ptr failure;
    boost::asio::co_spawn(runtime.loop(), std::move(task),
                          [&](std::exception_ptr error) { failure = error; });
    runtime.loop().restart();
    runtime.loop().run();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace volley::transports::ssh::testing
