#include "cli/migration/migration.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>
#include <system_error>

#include "support/error.hpp"
#include "support/files.hpp"
#include "support/standard_input.hpp"
#include "support/text.hpp"
#include "support/yaml/document.hpp"
#include "support/yaml/writer.hpp"

namespace volley::cli {
namespace {

namespace fs = std::filesystem;

void say_to_migrator(std::string_view text) {
    [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
}

/// "20261121_134455123": local time to the millisecond.
std::string migration_time() {
    const auto now = std::chrono::system_clock::now();
    const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
    const auto milliseconds =
        std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
    std::tm local{};
    ::localtime_r(&seconds, &local);
    char text[32] = {};
    const std::size_t length = std::strftime(text, sizeof text, "%Y%m%d_%H%M%S", &local);
    return fmt::format("{}{:03}", std::string_view(text, length), milliseconds);
}

}  // namespace

Json migrated_data(const fs::path& file, std::string_view what) {
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return Json::object();
    const auto document = yaml::Document::read(file, what);
    const yaml::Node root = document->root();
    if (root.is_null()) return Json::object();
    if (!root.is_map())
        throw Error("bolt/file-error", fmt::format("{}: the {} must be a map", root.where(), what));
    return root.to_json();
}

void write_migrated(const fs::path& file, const Json& data) {
    write_file_atomically(file, "---\n" + to_yaml(data));
}

Migration::Migration(Session& session, bool yes)
    : session_(session),
      yes_(yes),
      stage_(session, session.config().project.path),
      project_(session.config().project.path),
      project_file_(project_ / "bolt-project.yaml"),
      inventory_file_(session.config().inventory_file) {}

bool Migration::ask(std::string_view question) {
    if (yes_) return true;
    while (true) {
        say_to_migrator(fmt::format("    {} ([y]es/[n]o) ", question));
        const auto line = read_input_line();
        if (!line) throw Error("bolt/cli-error", "Could not read the answer: end of standard input");
        const std::string answer = lower(trim(*line));
        if (answer == "y" || answer == "yes") return true;
        if (answer == "n" || answer == "no") return false;
        say_to_migrator("    Invalid response, must pick [y]es or [n]o\n");
    }
}

fs::path Migration::backup_place(const fs::path& path) const {
    const fs::path folder = project_ / ".bolt-bak";
    fs::create_directories(folder);
    const std::string name = path.filename().string() + "." + migration_time();
    fs::path place = folder / (name + ".bak");
    for (int i = 1; fs::exists(place); ++i) place = folder / fmt::format("{}.{}.bak", name, i);
    return place;
}

void Migration::back_up(const fs::path& file) {
    const fs::path place = backup_place(file);
    step(fmt::format("Backing up {} from {} to {}", file.filename().string(), file.string(), place.string()));
    fs::copy_file(file, place);
}

}  // namespace volley::cli
