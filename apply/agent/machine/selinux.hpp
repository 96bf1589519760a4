#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace volley::agent {

/// The parts of a context: user, role, type, and the range, empty where the policy has none.
using ContextParts = std::array<std::string, 4>;
/// The properties of a file for them.
inline constexpr std::array<std::string_view, 4> context_properties = {"seluser", "selrole", "seltype",
                                                                       "selrange"};

/// "system_u:object_r:etc_t:s0"; nullopt for what has none. Throws ApplyError for anything else.
std::optional<ContextParts> parse_context(std::string_view text);
std::string context_text(const ContextParts& parts);

/// What the machine says about SELinux; tests have one of their own.
class SelinuxMachine {
public:
    virtual ~SelinuxMachine() = default;
    virtual bool enabled() = 0;
    virtual std::string mounts() = 0;  ///< as in /proc/mounts
    /// Of the file itself, and not of what a link leads to; nullopt when it has none.
    virtual std::optional<std::string> label(const std::string& path) = 0;
    virtual bool set_label(const std::string& path, const std::string& label) = 0;
    /// What `matchpathcon` prints: a line "PATH<tab>CONTEXT" for each path. `kind`: of files that do not
    /// exist yet, "file", "dir" or "lnk_file"; empty: as they are.
    virtual std::string defaults(const std::string& kind, const std::vector<std::string>& paths) = 0;
    /// The file setrans.conf of the policy: "s0=SystemLow".
    virtual std::string translations() = 0;
};

/// The contexts of files in one run. Everything is asked for when it is needed, and once.
class FileContexts {
public:
    FileContexts();  ///< of this machine
    void use(std::unique_ptr<SelinuxMachine> machine) { machine_ = std::move(machine); }

    bool enabled();
    /// Whether SELinux is on and the file system has labels.
    bool has_labels(const std::string& path);
    /// Throws ApplyError when it is not a context.
    std::optional<ContextParts> current(const std::string& path);
    /// False when the machine refuses it.
    bool set(const std::string& path, const ContextParts& parts);
    /// What the policy wants of a file; nullopt when nothing. `kind` as in SelinuxMachine::defaults().
    std::optional<ContextParts> default_of(const std::string& path, const std::string& kind);
    /// That default_of() will be asked: all are looked up together, because the tool reads the whole policy.
    void expect(const std::string& path, const std::string& kind);
    /// "s0" of "SystemLow"; what is no such name stays.
    std::string range_without_names(const std::string& range);

private:
    using Key = std::pair<std::string, std::string>;  // kind, path
    void look_up();

    std::unique_ptr<SelinuxMachine> machine_;
    std::optional<bool> enabled_;
    std::optional<std::map<std::string, std::string>> mounts_;  // types of file systems by their places
    std::optional<std::map<std::string, std::string>> names_;   // ranges by their names
    std::map<Key, std::optional<ContextParts>> defaults_;
    std::vector<Key> expected_;
};

}  // namespace volley::agent
