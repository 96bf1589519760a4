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

void Run::keep(LoggedLine kept, LogLine line) {
    line.level = kept.level;
    line.time = kept.time = time_now();
    kept.message = secrets.redacted(std::move(line.message));
    line.message = kept.message;
    line.tags.insert(line.tags.begin(), level_name(line.level));
    if (listener != nullptr) listener->logged(line);
    // What is not in the catalog may be gone when the report is written.
    const Resource* about = kept.resource;
    if (about != nullptr && catalog.find(about->reference()) != about) {
        kept.resource = nullptr;
        kept.message.clear();
        kept.whole = std::make_unique<LogLine>(std::move(line));
    }
    lines_.push_back(std::move(kept));
}

LogLine Run::line_about(const Resource& resource, bool in_place, std::string_view property) {
    LogLine line;
    // Compatibility: what is logged about parameters does not name the containers.
    line.source = in_place || resource.is_whit() ? resource.path() : "/" + resource.reference();
    if (!property.empty()) line.source += "/" + std::string(property);
    line.tags = resource.tags;
    line.file = resource.file;
    line.line = resource.line;
    return line;
}

LogLine Run::line(std::size_t number) const {
    const LoggedLine& kept = lines_[number];
    if (kept.whole) return *kept.whole;
    LogLine line;
    if (kept.resource != nullptr)
        line = line_about(*kept.resource, kept.in_place, kept.source.text());
    else
        line.source = kept.source;
    line.level = kept.level;
    line.message = kept.message;
    line.time = kept.time;
    line.tags.insert(line.tags.begin(), level_name(line.level));
    return line;
}

void Run::log(Level level, std::string message) {
    if (!logs(level)) return;
    LogLine line;
    line.source = "Puppet";
    line.message = std::move(message);
    LoggedLine kept;
    kept.level = level;
    kept.source = line.source;
    keep(std::move(kept), std::move(line));
}

void Run::log(Level level, const Resource& resource, std::string message) {
    log(level, resource, "", std::move(message));
}

std::optional<std::size_t> Run::log(Level level, const Resource& resource, std::string_view property,
                                    std::string message) {
    if (!logs(level)) return std::nullopt;
    if (!resource.in_place) resource.is_named_early = true;
    // Compatibility: a resource keeps the name that its first line had; its properties do not.
    const bool in_place = resource.in_place && (!property.empty() || !resource.is_named_early);
    LogLine line = line_about(resource, in_place, property);
    line.message = std::move(message);
    LoggedLine kept;
    kept.level = level;
    kept.source = property;
    kept.resource = &resource;
    kept.in_place = in_place;
    keep(std::move(kept), std::move(line));
    return lines_.size() - 1;
}

void Run::log_by_provider(Level level, const Resource& resource, std::string message) {
    if (!logs(level)) return;
    LogLine line;
    line.source = resource.reference() + "(provider=" + std::string(resource.instance->provider()) + ")";
    line.message = std::move(message);
    LoggedLine kept;
    kept.level = level;
    kept.source = line.source;
    keep(std::move(kept), std::move(line));
}

Level Run::level_of(const Resource& resource) {
    if (resource.loglevel == "verbose") return Level::Info;
    return level_named(resource.loglevel).value_or(Level::Notice);
}

void Run::warn_once(const std::string& message) {
    if (warned_.insert(message).second) log(Level::Warning, message);
}

void start_last_commands(const Run& run) {
    for (const std::vector<std::string>& words : run.last_commands()) start_apart(Command(words));
}

}  // namespace volley::agent
