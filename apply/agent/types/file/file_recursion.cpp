#include <fnmatch.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <map>
#include <set>

#include "apply/agent/types/file/entry_count.hpp"
#include "apply/agent/types/file/file.hpp"
#include "apply/agent/values/errors.hpp"

namespace volley::agent {
namespace {

/// Links that are followed may lead round and round.
constexpr std::size_t deepest = 256;

}  // namespace

bool FileInstance::ignores(const std::string& name) const {
    return std::any_of(ignore_.begin(), ignore_.end(), [&](const std::string& pattern) {
        return ::fnmatch(pattern.c_str(), name.c_str(), FNM_PERIOD) == 0;
    });
}

/// Everything below a folder, near things first. With `limited` as the parameters of recursion say, else all
/// of it.
std::vector<FileInstance::Found> FileInstance::files_below(const std::string& folder, bool limited) const {
    struct Folder {
        std::string path, relative;
        std::size_t depth;
    };
    std::vector<Found> found;
    std::deque<Folder> waiting{{folder, "", 1}};
    const bool follow = limited && follow_links_;
    if (const auto top = file_stat(folder, follow); !top || top->kind != FileKind::Directory) return found;
    while (!waiting.empty()) {
        const Folder at = std::move(waiting.front());
        waiting.pop_front();
        if (limited && recurse_limit_ && at.depth > *recurse_limit_) continue;
        if (at.depth > deepest) throw ApplyError("The directory '" + folder + "' is nested too deeply");
        std::vector<std::string> names;
        try {
            names = names_in(at.path);
        } catch (const SystemError& error) {
            if (error.error() != EACCES && error.error() != ENOENT) throw;
            continue;
        }
        std::sort(names.begin(), names.end());
        for (const std::string& name : names) {
            if (limited && ignores(name)) continue;
            Found one{at.relative + name, (at.path == "/" ? "" : at.path) + "/" + name, FileKind::File};
            const auto stat = file_stat(one.full, follow);
            if (stat) one.kind = stat->kind;
            if (one.kind == FileKind::Directory)
                waiting.push_back({one.full, one.relative + "/", at.depth + 1});
            found.push_back(std::move(one));
        }
    }
    if (limited) check_entry_count(run_, folder, found.size(), max_files_);
    return found;
}

std::vector<FileInstance::Found> FileInstance::offered_below(const std::string& url) const {
    std::vector<Found> found;
    const auto path = offered_path(url);
    if (!path || run_.contents == nullptr) return found;
    for (const std::string& relative : run_.contents->below(*path)) {
        const auto depth = static_cast<std::size_t>(std::count(relative.begin(), relative.end(), '/')) + 1;
        if (recurse_limit_ && depth > *recurse_limit_) continue;
        bool ignored = false;
        for (std::size_t at = 0; at < relative.size();) {
            const std::size_t end = std::min(relative.find('/', at), relative.size());
            ignored = ignored || ignores(relative.substr(at, end - at));
            at = end + 1;
        }
        if (!ignored) found.push_back({relative, *path + "/" + relative, FileKind::File});
    }
    check_entry_count(run_, url, found.size(), max_files_);
    return found;
}

/// A resource for what was found: as this one, without what concerns only the folder itself.
std::unique_ptr<Resource> FileInstance::child(const std::string& relative) const {
    static const std::set<std::string, std::less<>> own = {"ensure", "recurse", "recurselimit", "max_files",
                                                           "target", "alias",   "source",       "path"};
    auto made = std::make_unique<Resource>();
    made->type = "File";
    made->title = (path_ == "/" ? "" : path_) + "/" + relative;
    made->add_tag("file");
    for (const auto& [name, value] : resource_.parameters) {
        if (!own.contains(name.text())) made->parameters.emplace_back(name, value);
    }
    made->noop = resource_.noop;
    made->loglevel = resource_.loglevel;
    made->schedule = resource_.schedule;
    made->audit = resource_.audit;
    made->sensitive = resource_.sensitive;
    return made;
}

std::vector<std::unique_ptr<Resource>> FileInstance::generate_late() {
    std::map<std::string, std::unique_ptr<Resource>> children;  // by path
    const auto child_at = [&](const std::string& relative) -> Resource& {
        auto& made = children[relative];
        if (!made) made = child(relative);
        return *made;
    };
    if (recurse_ != Recurse::Remote && is_directory(path_) && stat()->kind == FileKind::Directory) {
        for (const Found& one : files_below(path_, true)) child_at(one.relative);
    }
    if (!target_.empty()) {
        if (!file_exists(target_)) throw ApplyError(no_method(Value(), "each"));
        ensure_ = "directory";
        for (const Found& one : files_below(target_, true)) {
            Resource& made = child_at(one.relative);
            const bool folder = one.kind == FileKind::Directory;
            made.set("ensure", Value(std::string(folder ? "directory" : "link")));
            if (!folder) made.set("target", Value(one.full));
        }
    } else if (source_) {
        const bool all = resource_.text("sourceselect") == "all";
        std::vector<std::pair<std::string, std::string>> offered;  // the path below the folder, its source
        for (const std::string& url : source_->urls()) {
            FileSource one({url}, run_);
            try {
                if (one.facts(checksum_, follow_links_).kind != FileKind::Directory) {
                    offered.clear();
                    break;
                }
            } catch (const ApplyError&) {
                continue;  // the next one may exist
            }
            const auto local = source_path(url);
            for (const Found& found : local ? files_below(*local, true) : offered_below(url))
                offered.emplace_back(found.relative, url + "/" + found.relative);
            if (!all) break;
        }
        for (const auto& [relative, source] : offered) {
            Resource& made = child_at(relative);
            if (made.find("source") == nullptr) made.set("source", Value(source));
        }
    }
    std::set<std::string> explicit_paths;
    for (const auto& resource : run_.catalog.resources()) {
        if (resource->type != "File") continue;
        std::string place = plain_path(resource->text("path", resource->title));  // its instance may be gone
        if (place.starts_with(path_ == "/" ? "/" : path_ + "/")) explicit_paths.insert(std::move(place));
    }
    const auto managed_elsewhere = [&](std::string place) {
        for (; place.size() > path_.size(); place = parent_of(place)) {
            if (explicit_paths.contains(place)) return true;
        }
        return false;
    };
    std::vector<std::unique_ptr<Resource>> result;
    for (auto& [relative, made] : children) {
        if (managed_elsewhere(made->title)) continue;
        if (purge_ && made->find("source") == nullptr && made->find("target") == nullptr &&
            made->find("ensure") == nullptr)
            made->set("ensure", Value(std::string("absent")));
        result.push_back(std::move(made));
    }
    return result;
}

}  // namespace volley::agent
