#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <typeindex>
#include <unordered_map>
#include <vector>

#include "apply/agent/catalog/catalog.hpp"
#include "apply/agent/transaction/log.hpp"
#include "apply/agent/transaction/secrets.hpp"
#include "apply/agent/transaction/state.hpp"
#include "apply/agent/transaction/status.hpp"

namespace volley::agent {

/// How a catalog is applied.
struct Settings {
    bool noop = false;
    bool show_diff = false;
    bool ignore_schedules = false;
    /// Schedules and the filebucket that are always there count as resources, as with `puppet apply`; else
    /// only those that something in the catalog names.
    bool all_default_resources = true;
    std::vector<std::string> tags;
    std::vector<std::string> skip_tags;
    Level level = Level::Notice;  ///< the least important lines that are logged
    std::string state_folder;     ///< empty: nothing is remembered
};

/// A file that the controller has for the target.
struct OfferedFile {
    std::string kind = "file";  ///< file or directory
    std::string checksum;       ///< SHA-256, in hexadecimal
    unsigned mode = 0644;
};

/// Where the content of puppet:/// sources comes from.
class ContentSource {
public:
    virtual ~ContentSource() = default;
    /// By the URL without its scheme and server: "modules/ntp/ntp.conf".
    virtual std::optional<OfferedFile> find(const std::string& path) = 0;
    /// Everything that is offered below a folder, as paths relative to it.
    virtual std::vector<std::string> below(const std::string& path) = 0;
    /// Throws ApplyError when the content does not come.
    virtual void fetch(const std::string& checksum, const std::function<void(std::string_view)>& take) = 0;
};

/// Hears of a run while it goes on.
class Listener {
public:
    virtual ~Listener() = default;
    virtual void logged(const LogLine&) {}
    virtual void finished(const Resource&, const Status&) {}
    /// Asked between resources: whether the run shall end here.
    virtual bool stop_wanted() { return false; }
};

/// One application of a catalog: what all types and the transaction share.
class Run {
public:
    Run(Catalog catalog_to_apply, Settings how, ContentSource* offered = nullptr,
        Listener* hearing = nullptr);

    Catalog catalog;
    const Settings settings;
    Secrets secrets;  ///< what messages and reports do not show
    State state;
    ContentSource* contents;
    Listener* listener;

    void log(Level level, std::string message);                            ///< from "Puppet"
    void log(Level level, const Resource& resource, std::string message);  ///< from the resource
    /// From a property of the resource.
    /// The number of the line, for line() and message(); nullopt when the level is too low for the log.
    std::optional<std::size_t> log(Level level, const Resource& resource, std::string_view property,
                                   std::string message);
    /// From the provider of the resource: "Exec[e](provider=posix)".
    void log_by_provider(Level level, const Resource& resource, std::string message);
    /// The loglevel of the resource.
    static Level level_of(const Resource& resource);
    bool logs(Level level) const noexcept { return level >= settings.level; }
    /// Once a run.
    void warn_once(const std::string& message);

    /// One object of each class for the whole run: what providers remember of the machine.
    template <class T>
    T& shared() {
        auto& found = shared_[std::type_index(typeid(T))];
        if (!found) found = std::make_shared<T>();
        return *static_cast<T*>(found.get());
    }
    /// True while the run has changed nothing, so that what was seen at its begin still counts.
    bool is_untouched() const noexcept { return untouched_; }
    void touch() noexcept { untouched_ = false; }

    /// Ends the run before the next resource, as one that a resource asked for: for a reboot.
    void stop() noexcept { stop_requested_ = true; }
    bool stop_requested() const noexcept { return stop_requested_; }
    /// What is started when everything is done and the report is on its way. Never waited for.
    void start_last(std::vector<std::string> words) { last_commands_.push_back(std::move(words)); }
    const std::vector<std::vector<std::string>>& last_commands() const noexcept { return last_commands_; }

    bool noop(const Resource& resource) const { return resource.noop.value_or(settings.noop); }
    std::size_t line_count() const noexcept { return lines_.size(); }
    LogLine line(std::size_t number) const;
    const std::string& message(std::size_t number) const {
        const LoggedLine& kept = lines_[number];
        return kept.whole ? kept.whole->message : kept.message;
    }

private:
    /// A line of the log: what stands in the catalog as well is not kept again.
    struct LoggedLine {
        Level level = Level::Notice;
        bool in_place = false;
        Word source;  // of a line about a resource of the catalog: the property
        const Resource* resource = nullptr;
        timespec time{};
        std::string message;
        std::unique_ptr<LogLine> whole;  // of a line about a resource that is not in the catalog
    };
    static LogLine line_about(const Resource& resource, bool in_place, std::string_view property);
    void keep(LoggedLine kept, LogLine line);
    std::deque<LoggedLine> lines_;
    std::set<std::string> warned_;
    std::unordered_map<std::type_index, std::shared_ptr<void>> shared_;
    bool untouched_ = true;
    bool stop_requested_ = false;
    std::vector<std::vector<std::string>> last_commands_;
};

/// Starts the last commands of a run, which go on when the agent has ended.
void start_last_commands(const Run& run);

}  // namespace volley::agent
