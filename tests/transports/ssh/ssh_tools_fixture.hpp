#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "transports/runtime.hpp"
#include "transports/task.hpp"

namespace volley::transports::ssh::testing {

/// A private folder that is removed with everything in it.
class TempDir {
public:
    TempDir();
    ~TempDir();
    TempDir(const TempDir&) = delete;
    TempDir& operator=(const TempDir&) = delete;
    const std::filesystem::path& path() const noexcept { return path_; }
    std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
    std::filesystem::path write(std::string_view name, std::string_view content) const;

private:
    std::filesystem::path path_;
};

std::string slurp(const std::filesystem::path& file);

struct ShellResult {
    int status = -1;
    std::string out;
};
/// Runs a line with /bin/sh; standard error goes nowhere.
ShellResult run_shell(const std::string& line);
/// The same, and fails the test when the status is not 0.
std::string must_run(const std::string& line);
bool have(const std::string& program);

/// Runs a coroutine on the runtime's loop to its end; throws what it throws.
template <class T>
T wait_for(Runtime& runtime, Task<T> task) {
    std::optional<T> result;
    std::exception_ptr failure;
    boost::asio::co_spawn(runtime.loop(), std::move(task), [&](std::exception_ptr error, T value) {
        failure = error;
        if (!error) result.emplace(std::move(value));
    });
    runtime.loop().restart();
    runtime.loop().run();
    if (failure) std::rethrow_exception(failure);
    return std::move(*result);
}
void wait_for(Runtime& runtime, Task<void> task);

}  // namespace volley::transports::ssh::testing
