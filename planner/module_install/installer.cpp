#include "planner/module_install/installer.hpp"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <string.h>
#include <sys/file.h>

#include <nlohmann/json.hpp>
#include <system_error>

#include "planner/module_install/sources/unpack.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/files/temporary_folder.hpp"
#include "support/json/json_reader.hpp"
#include "support/log.hpp"
#include "support/process/parallel.hpp"
#include "support/unique_fd.hpp"

namespace volley::modules {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view installer_logger = "planner.modules.installer";
constexpr std::size_t download_threads = 6;
constexpr std::string_view scratch_prefix = ".volley-install-";
/// In each module that came from git: which commit of which repository it is.
constexpr std::string_view origin_file = ".volley-origin.json";

[[noreturn]] void installer_fault(const std::string& problem) {
    throw Error("bolt/puppetfile-error", "Failed to sync modules from the Puppetfile: " + problem);
}

Json module_json(const fs::path& file) {
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) return {};
    return try_parse_json(read_file(file, "module metadata"));
}

/// What a folder of modules holds under a name.
struct Present {
    std::optional<ModuleName> name = {};
    std::optional<Value> version = {};
    std::string git = {};
    std::string commit = {};
};

Present look_at(const fs::path& folder) {
    Present present;
    const auto text = [](const Json& json, const char* key) {
        const auto found = json.is_object() ? json.find(key) : json.end();
        return json.is_object() && found != json.end() && found->is_string() ? found->get<std::string>()
                                                                             : std::string();
    };
    const Json metadata = module_json(folder / "metadata.json");
    present.name = ModuleName::parse(text(metadata, "name"));
    present.version = parse_version(text(metadata, "version"));
    const Json origin = module_json(folder / origin_file);
    present.git = text(origin, "git");
    present.commit = text(origin, "commit");
    return present;
}

/// A module that has to be put into place.
struct Missing {
    const PuppetfileModule* module = nullptr;
    std::optional<Release> release = {};  // Forge; nullopt: the one of the module's version
    GitRepository* repository = nullptr;  // git
    std::string present_commit = {};      // git: what is there now
    bool current = false;                 // git: a branch that has not moved
};

class Installer {
public:
    Installer(const Puppetfile& puppetfile, const fs::path& folder, ModuleSources& sources)
        : puppetfile_(puppetfile), folder_(folder), sources_(sources) {}

    InstallReport run() {
        std::error_code error;
        fs::create_directories(folder_, error);
        if (error) installer_fault(fmt::format("cannot make {}: {}", folder_.string(), error.message()));
        const UniqueFd lock = locked();
        remove_leftovers();
        find_missing();
        if (!missing_.empty()) {
            const TemporaryFolder scratch(scratch_prefix, folder_);
            parallel_for(missing_.size(), download_threads, [&](std::size_t i) {
                fetch(missing_[i], scratch.path() / missing_[i].module->name.name);
            });
            for (const Missing& one : missing_) put_into_place(one, scratch.path());
        }
        purge();
        return report_;
    }

private:
    UniqueFd locked() const {
        const fs::path file = folder_ / ".volley-lock";
        UniqueFd fd{::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)};
        if (!fd) installer_fault(fmt::format("cannot write {}: {}", file.string(), ::strerror(errno)));
        while (::flock(fd.get(), LOCK_EX) != 0) {
            if (errno != EINTR)
                installer_fault(fmt::format("cannot lock {}: {}", file.string(), ::strerror(errno)));
        }
        return fd;
    }

    /// Of an install that was killed; whoever holds the lock is the only one.
    void remove_leftovers() const {
        std::vector<fs::path> leftovers;
        for (const auto& entry : fs::directory_iterator(folder_)) {
            if (entry.path().filename().string().starts_with(scratch_prefix))
                leftovers.push_back(entry.path());
        }
        for (const fs::path& leftover : leftovers) fs::remove_all(leftover);
    }

    void find_missing() {
        for (const PuppetfileModule& module : puppetfile_.modules) {
            if (module.kind == PuppetfileModule::Kind::Local) continue;
            const Present present = look_at(folder_ / module.name.name);
            if (module.kind == PuppetfileModule::Kind::Git)
                find_missing_git(module, present);
            else
                find_missing_release(module, present);
        }
    }

    void find_missing_release(const PuppetfileModule& module, const Present& present) {
        const bool same = present.name && present.name->name == module.name.name &&
                          present.name->same_owner(module.name) && present.version && present.git.empty();
        // Compatibility: without a version, whatever is there will do.
        const bool enough = module.version ? same && compare_versions(*present.version, *module.version) == 0
                                           : same && !module.latest;
        if (enough) {
            ++report_.kept;
            return;
        }
        Forge& forge = sources_.forge();
        if (module.version) {
            missing_.push_back({.module = &module});
            return;
        }
        const std::vector<Release>& all = forge.releases(module.name);
        if (all.empty())
            installer_fault(
                fmt::format("could not find the module {} on {}", module.name.full(), forge.place()));
        if (same && compare_versions(*present.version, all.front().version) == 0)
            ++report_.kept;
        else
            missing_.push_back({.module = &module, .release = all.front()});
    }

    void find_missing_git(const PuppetfileModule& module, const Present& present) {
        const bool same = present.git == shown_git_url(module.git) && !present.commit.empty();
        if (same && present.commit == module.ref) {
            ++report_.kept;
            return;
        }
        missing_.push_back({.module = &module,
                            .repository = &sources_.repository(module.git),
                            .present_commit = same ? present.commit : std::string()});
    }

    /// On a thread of its own; values of the language are only read.
    void fetch(Missing& missing, const fs::path& goal) {
        const std::string name = missing.module->name.full();
        fs::create_directories(goal);
        if (!missing.repository) {
            Forge& forge = sources_.forge();  // has been made by find_missing()
            if (!missing.release)
                missing.release = forge.release(missing.module->name, version_text(*missing.module->version));
            const std::string what = name + " " + version_text(missing.release->version);
            unpack_archive(forge.download(*missing.release), goal, {.what = what});
            check_content(*missing.release, what, goal);
            return;
        }
        const std::string commit = missing.repository->fetch(missing.module->ref);
        missing.current = commit == missing.present_commit;
        if (missing.current) return;
        missing.repository->write_files(commit, goal);
        const Json origin{{"git", shown_git_url(missing.module->git)}, {"commit", commit}};
        write_file_atomically(goal / origin_file, origin.dump(2) + "\n");
    }

    /// What is not what it is called would be fetched again at each install, and shown under another name.
    static void check_content(const Release& release, const std::string& what, const fs::path& folder) {
        const Present inside = look_at(folder);
        const bool same = inside.name && inside.name->name == release.name.name &&
                          inside.name->same_owner(release.name) && inside.version &&
                          compare_versions(*inside.version, release.version) == 0;
        if (!same) installer_fault(fmt::format("the archive of {} holds another module or version", what));
    }

    void put_into_place(const Missing& missing, const fs::path& scratch) {
        if (missing.current) {
            ++report_.kept;
            return;
        }
        const std::string& name = missing.module->name.name;
        std::error_code absent;
        std::error_code error;
        if (fs::exists(fs::symlink_status(folder_ / name, absent)))
            fs::rename(folder_ / name, scratch / (name + ".old"), error);
        if (!error) fs::rename(scratch / name, folder_ / name, error);
        if (error)
            installer_fault(fmt::format("cannot write {}: {}", (folder_ / name).string(), error.message()));
        ++report_.installed;
        log(LogLevel::Info, installer_logger,
            "Installed " + missing.module->name.full() + " in " + (folder_ / name).string());
    }

    void purge() {
        std::vector<fs::path> stale;
        std::error_code error;
        for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
            const std::string name = at->path().filename().string();
            if (!name.starts_with('.') && !puppetfile_.find(name)) stale.push_back(at->path());
        }
        for (const fs::path& path : stale) {
            fs::remove_all(path, error);
            if (error) installer_fault(fmt::format("cannot remove {}: {}", path.string(), error.message()));
            ++report_.removed;
            log(LogLevel::Info, installer_logger,
                "Removed " + path.string() + ", which the Puppetfile does not name");
        }
    }

    const Puppetfile& puppetfile_;
    const fs::path& folder_;
    ModuleSources& sources_;
    std::vector<Missing> missing_;
    InstallReport report_;
};

}  // namespace

InstallReport install_modules(const Puppetfile& puppetfile, const fs::path& modules, ModuleSources& sources) {
    try {
        return Installer(puppetfile, modules, sources).run();
    } catch (const Error& error) {
        if (error.info().kind() == "bolt/puppetfile-error") throw;
        installer_fault(error.what());
    } catch (const fs::filesystem_error& error) {
        installer_fault(error.what());
    }
}

}  // namespace volley::modules
