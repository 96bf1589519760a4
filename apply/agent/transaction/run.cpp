#include "apply/agent/transaction/run.hpp"

#include "apply/agent/machine/process.hpp"
#include "apply/agent/types/instance.hpp"

namespace volley::agent {

Run::Run(Catalog catalog_to_apply, Settings how, ContentSource* offered, Listener* hearing)
    : catalog(std::move(catalog_to_apply)),
      settings(std::move(how)),
      secrets(catalog),
      state(settings.state_folder),
      contents(offered),
      listener(hearing) {}

void Run::keep(LogLine line) {
    line.time = time_now();
    line.message = secrets.redacted(std::move(line.message));
    line.tags.insert(line.tags.begin(), std::string(level_name(line.level)));
    if (listener != nullptr) listener->logged(line);
    lines_.push_back(std::move(line));
}

void Run::log(Level level, std::string message) {
    if (!logs(level)) return;
    LogLine line;
    line.level = level;
    line.source = "Puppet";
    line.message = std::move(message);
    keep(std::move(line));
}

void Run::log(Level level, const Resource& resource, std::string message) {
    log(level, resource, "", std::move(message));
}

void Run::log(Level level, const Resource& resource, std::string_view property, std::string message) {
    if (!logs(level)) return;
    LogLine line;
    line.level = level;
    // Compatibility: what is logged about parameters does not name the containers.
    line.source = resource.in_place || resource.is_whit() ? resource.path() : "/" + resource.reference();
    if (!property.empty()) line.source += "/" + std::string(property);
    line.message = std::move(message);
    line.tags = resource.tags;
    line.file = resource.file;
    line.line = resource.line;
    keep(std::move(line));
}

void Run::log_by_provider(Level level, const Resource& resource, std::string message) {
    if (!logs(level)) return;
    LogLine line;
    line.level = level;
    line.source = resource.reference() + "(provider=" + std::string(resource.instance->provider()) + ")";
    line.message = std::move(message);
    keep(std::move(line));
}

Level Run::level_of(const Resource& resource) {
    return level_named(resource.loglevel).value_or(Level::Notice);
}

void Run::warn_once(const std::string& message) {
    if (warned_.insert(message).second) log(Level::Warning, message);
}

void start_last_commands(const Run& run) {
    for (const std::vector<std::string>& words : run.last_commands()) start_apart(Command(words));
}

}  // namespace volley::agent
