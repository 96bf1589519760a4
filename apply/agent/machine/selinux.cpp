#include "apply/agent/machine/selinux.hpp"

#include <sys/xattr.h>

#include <algorithm>
#include <cerrno>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/machine/process.hpp"
#include "apply/agent/values/errors.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

constexpr const char* label_attribute = "security.selinux";
constexpr std::size_t longest_label = 4096;
/// Of the paths of one call, so that it stays below what the system takes.
constexpr std::size_t most_argument_bytes = 64 * 1024;
/// Those that Puppet knows to have labels.
constexpr std::array<std::string_view, 10> labelled_file_systems = {"ext2", "ext3", "ext4",  "gfs",   "gfs2",
                                                                    "xfs",  "jfs",  "btrfs", "tmpfs", "zfs"};

bool is_space(char c) { return std::string_view(" \t\r\n\f\v").find(c) != std::string_view::npos; }

bool is_range(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        const bool alphanumeric = (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
        return alphanumeric || is_space(c) || std::string_view(":,._-").find(c) != std::string_view::npos;
    });
}

std::string without_spaces(std::string text) {
    std::erase_if(text, is_space);
    return text;
}

std::string text_of_file(const std::string& path) {
    try {
        return read_whole(path, 1U << 20U);
    } catch (const SystemError&) {
        return {};
    }
}

class ThisMachine final : public SelinuxMachine {
public:
    bool enabled() override {
        for (const std::string& line : split(mounts(), '\n')) {
            const std::vector<std::string> fields = split(line, ' ');
            // A container sees it read-only, and has no policy of its own.
            if (fields.size() > 3 && fields[2] == "selinuxfs" &&
                ("," + fields[3] + ",").find(",ro,") == std::string::npos)
                return file_exists("/etc/selinux/config");
        }
        return false;
    }
    std::string mounts() override { return text_of_file("/proc/mounts"); }
    std::optional<std::string> label(const std::string& path) override {
        std::string text(longest_label, '\0');
        const ssize_t length = ::lgetxattr(path.c_str(), label_attribute, text.data(), text.size());
        if (length <= 0) return std::nullopt;
        text.resize(static_cast<std::size_t>(length));
        while (text.ends_with('\0')) text.pop_back();
        return text;
    }
    bool set_label(const std::string& path, const std::string& label) override {
        return ::lsetxattr(path.c_str(), label_attribute, label.c_str(), label.size() + 1, 0) == 0;
    }
    std::string defaults(const std::string& kind, const std::vector<std::string>& paths) override {
        std::vector<std::string> path = search_path();
        path.insert(path.end(), {"/usr/sbin", "/sbin"});
        const auto program = find_program("matchpathcon", path);
        if (!program) return {};
        std::vector<std::string> words{*program};
        if (!kind.empty()) words.insert(words.end(), {"-m", kind});
        words.insert(words.end(), paths.begin(), paths.end());
        Command command(std::move(words));
        command.errors = Command::Errors::Dropped;
        return run(command).output;
    }
    std::string translations() override {
        for (const std::string& line : split(text_of_file("/etc/selinux/config"), '\n')) {
            if (line.starts_with("SELINUXTYPE="))
                return text_of_file("/etc/selinux/" + std::string(trim(line.substr(12))) + "/setrans.conf");
        }
        return {};
    }
};

}  // namespace

std::optional<ContextParts> parse_context(std::string_view text) {
    if (text == "unlabeled" || text == "<<none>>") return std::nullopt;
    ContextParts parts;
    std::string_view rest = text;
    bool fits = true;
    for (std::size_t at = 0; at < 3; ++at) {
        const std::size_t colon = rest.find(':');
        parts[at] = rest.substr(0, colon);
        fits = fits && !parts[at].empty() && std::none_of(parts[at].begin(), parts[at].end(), is_space) &&
               (colon != std::string_view::npos || at == 2);
        const bool last = colon == std::string_view::npos;
        rest = last ? std::string_view() : rest.substr(colon + 1);
        if (at == 2 && !last) {
            parts[3] = rest;
            fits = fits && is_range(rest);
        }
    }
    if (!fits) throw ApplyError("Invalid context to parse: " + std::string(text));
    return parts;
}

std::string context_text(const ContextParts& parts) {
    return parts[0] + ":" + parts[1] + ":" + parts[2] + (parts[3].empty() ? "" : ":" + parts[3]);
}

FileContexts::FileContexts() : machine_(std::make_unique<ThisMachine>()) {}

bool FileContexts::enabled() {
    if (!enabled_) enabled_ = machine_->enabled();
    return *enabled_;
}

bool FileContexts::has_labels(const std::string& path) {
    if (!enabled()) return false;
    if (!mounts_) {
        mounts_.emplace();
        for (const std::string& line : split(machine_->mounts(), '\n')) {
            const std::vector<std::string> fields = split(line, ' ');
            if (fields.size() > 2 && fields[2] != "rootfs") (*mounts_)[fields[1]] = fields[2];
        }
    }
    for (std::string place = plain_path(path);; place = parent_of(place)) {
        if (const auto found = mounts_->find(place); found != mounts_->end()) {
            const auto& types = labelled_file_systems;
            return std::find(types.begin(), types.end(), found->second) != types.end();
        }
        if (place == "/") return false;
    }
}

std::optional<ContextParts> FileContexts::current(const std::string& path) {
    const auto label = machine_->label(path);
    return label ? parse_context(*label) : std::nullopt;
}

bool FileContexts::set(const std::string& path, const ContextParts& parts) {
    return machine_->set_label(path, context_text(parts));
}

void FileContexts::expect(const std::string& path, const std::string& kind) {
    if (Key key{kind, path}; !defaults_.contains(key)) expected_.push_back(std::move(key));
}

std::optional<ContextParts> FileContexts::default_of(const std::string& path, const std::string& kind) {
    const Key key{kind, path};
    if (!defaults_.contains(key)) {
        expected_.push_back(key);
        look_up();
    }
    return defaults_[key];
}

void FileContexts::look_up() {
    std::sort(expected_.begin(), expected_.end());
    expected_.erase(std::unique(expected_.begin(), expected_.end()), expected_.end());
    for (std::size_t at = 0; at < expected_.size();) {
        const std::string kind = expected_[at].first;
        std::vector<std::string> paths;
        for (std::size_t bytes = 0; at < expected_.size() && expected_[at].first == kind; ++at) {
            bytes += expected_[at].second.size() + 1;
            if (!paths.empty() && bytes > most_argument_bytes) break;
            paths.push_back(expected_[at].second);
        }
        const std::string output = machine_->defaults(kind, paths);
        std::string_view rest = output;
        for (const std::string& path : paths) {
            std::optional<ContextParts>& found = defaults_[{kind, path}];
            // A path that the tool could not answer for has no line.
            if (!rest.starts_with(path + "\t")) continue;
            const std::size_t end = std::min(rest.find('\n', path.size()), rest.size());
            found = parse_context(rest.substr(path.size() + 1, end - path.size() - 1));
            if (found) (*found)[3] = range_without_names((*found)[3]);
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    expected_.clear();
}

std::string FileContexts::range_without_names(const std::string& range) {
    if (!names_) {
        names_.emplace();
        for (const std::string& line : split(machine_->translations(), '\n')) {
            const std::string plain = without_spaces(line);
            const std::size_t equals = plain.find('=');
            if (plain.starts_with('#') || equals == std::string::npos) continue;
            names_->emplace(plain.substr(equals + 1), plain.substr(0, equals));
        }
    }
    const auto found = names_->find(range);
    return found == names_->end() || range.empty() ? range : found->second;
}

}  // namespace volley::agent
