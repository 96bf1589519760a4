#include "language/loaders/parsed_files.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <vector>

using namespace volley;

namespace {

double cpu_seconds() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

}  // namespace

TEST_CASE("CODE-2.8 a file is found as quickly when very many are in use", "[loaders]") {
    const auto path =
        std::filesystem::temp_directory_path() / ("volley-parsed-" + std::to_string(::getpid()) + ".pp");
    std::ofstream(path) << "1\n";
    std::filesystem::last_write_time(path,
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    std::vector<std::shared_ptr<const CheckedProgram>> in_use;
    const LanguageSettings settings;
    const auto hold = [&](std::size_t count) {
        while (in_use.size() < count)
            in_use.push_back(parsed_file(path, settings, "m" + std::to_string(in_use.size())));
    };
    const auto time_of_lookups = [&] {
        const double begin = cpu_seconds();
        for (int i = 0; i < 2000; ++i) parsed_file(path, settings, "m1");
        return cpu_seconds() - begin;
    };
    hold(5000);
    const double few = time_of_lookups();
    hold(12'000);
    const double many = time_of_lookups();
    INFO(few << " s, then " << many << " s");
    CHECK(many < 5 * few + 0.05);
    CHECK(parsed_file(path, settings, "m1") == in_use[1]);
    std::filesystem::remove(path);
}
