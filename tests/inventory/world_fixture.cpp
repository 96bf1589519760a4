#include <fstream>

#include "support/text.hpp"
#include "tests/inventory/world.hpp"

namespace volley::inventory::testing {

namespace fs = std::filesystem;

World::World() {
    root = fs::canonical(fs::temp_directory_path()) / ("volley-" + random_uuid());
    project = root / "project";
    home = root / "home";
    system = root / "system";
    for (const fs::path& directory : {project, home, system}) fs::create_directories(directory);
    write("bolt-project.yaml", "name: demo\n");
    log_to({}, LogLevel::Trace);
    log_to([this](const LogRecord& record) { messages_.emplace_back(record.message); }, LogLevel::Warn);
    messages_.clear();
}

World::~World() {
    log_to({}, LogLevel::Trace);
    std::error_code ignored;
    fs::remove_all(root, ignored);
}

fs::path World::write(const fs::path& path, std::string_view content) const {
    const fs::path full = path.is_absolute() ? path : project / path;
    fs::create_directories(full.parent_path());
    std::ofstream(full, std::ios::binary) << content;
    return full;
}

ProcessContext World::process() const {
    ProcessContext out;
    out.working_directory = project;
    out.home = home;
    out.system_config = system;
    out.environment = [this](std::string_view name) -> std::optional<std::string> {
        const auto found = environment.find(name);
        return found == environment.end() ? std::nullopt : std::optional(found->second);
    };
    out.ask_secret = [this](std::string_view question) {
        questions.emplace_back(question);
        return answers.at(questions.size() - 1);
    };
    out.output_formats = {"human", "json", "ndjson", "rainbow"};
    return out;
}

Config World::config(const Overrides& overrides) const { return load_config(process(), overrides); }

std::unique_ptr<Inventory> World::load(std::string_view yaml, const Overrides& overrides) const {
    write("inventory.yaml", yaml);
    const ProcessContext here = process();
    return Inventory::load(here, config(overrides), make_builtin_plugins(here));
}

std::vector<std::string> World::names(Inventory& inventory, std::string_view list, TargetSyntax syntax) {
    std::vector<std::string> out;
    for (const Target& target : inventory.resolve(list, syntax)) out.push_back(target.name());
    return out;
}

bool World::warned(std::string_view id) const {
    const std::string mark = "[ID: " + std::string(id) + "]";
    for (const std::string& message : messages_) {
        if (message.ends_with(mark)) return true;
    }
    return false;
}

}  // namespace volley::inventory::testing
