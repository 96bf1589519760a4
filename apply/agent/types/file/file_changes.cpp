#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>

#include "apply/agent/checksums/digest.hpp"
#include "apply/agent/machine/accounts.hpp"
#include "apply/agent/machine/modes.hpp"
#include "apply/agent/machine/process.hpp"
#include "apply/agent/types/file/file.hpp"
#include "apply/agent/values/errors.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

constexpr unsigned new_file_mode = 0644;
constexpr unsigned new_folder_mode = 0755;
constexpr const char* default_bucket = "/var/lib/volley-agent/bucket";

/// The umask of this program does not count.
class NoUmask {
public:
    NoUmask() : before_(::umask(0)) {}
    ~NoUmask() { ::umask(before_); }
    NoUmask(const NoUmask&) = delete;
    NoUmask& operator=(const NoUmask&) = delete;

private:
    mode_t before_;
};

/// Sets the mode of what is there now, and not of what a link that takes its place leads to.
void set_mode_of(const std::string& path, unsigned mode, bool follow) {
    const UniqueFd fd(::open(path.c_str(), O_PATH | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW)));
    if (!fd) throw SystemError(errno, path);
    struct stat found {};
    if (::fstat(fd.get(), &found) != 0) throw SystemError(errno, path);
    if (S_ISLNK(found.st_mode)) throw SystemError(ELOOP, path);
    const std::string same = "/proc/self/fd/" + std::to_string(fd.get());
    int result = ::chmod(same.c_str(), static_cast<mode_t>(mode));
    if (result != 0 && errno == ENOENT)
        result = ::chmod(path.c_str(), static_cast<mode_t>(mode));  // there is no /proc
    if (result != 0) throw SystemError(errno, path);
}

void set_owner_of(const std::string& path, uid_t owner, gid_t group, bool follow) {
    const int result = ::fchownat(AT_FDCWD, path.c_str(), owner, group, follow ? 0 : AT_SYMLINK_NOFOLLOW);
    if (result != 0) throw SystemError(errno, path);
}

/// As Ruby hands a number to the system; negative ones turn around.
std::uint32_t as_system_id(const Value& number) {
    constexpr std::int64_t least = std::numeric_limits<std::int32_t>::min();
    constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
    const std::int64_t all = number.integer();
    if (all < least || all > most)
        throw ApplyError("integer " + number.to_text() + " too " + (all < 0 ? "small" : "big") +
                         " to convert to `unsigned int'");
    return static_cast<std::uint32_t>(all);
}

/// As Ruby's gsub: an empty text is found before and after each letter.
std::string replaced_all(std::string text, const std::string& what, const std::string& with) {
    if (what.empty()) {
        std::string all = with;
        for (const char letter : text) all += letter + with;
        return all;
    }
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
    return text;
}

}  // namespace

void FileInstance::sync(Wanted& wanted, const Value& current) {
    if (wanted.name == "ensure") {
        sync_ensure();
    } else if (wanted.name == "content" || wanted.name == "checksum_value") {
        write();
    } else if (wanted.name == "target") {
        make_link();
    } else if (wanted.name == "owner") {
        sync_owner(wanted.value);
    } else if (wanted.name == "group") {
        sync_group(wanted.value);
    } else if (is_context(wanted.name)) {
        sync_context(wanted.name, wanted.value.to_text());
    } else {
        // A new owner or group took setuid and setgid away: what was there before counts.
        const auto now = fixed_ ? stat() : std::nullopt;
        sync_mode(now ? now->mode : changed_mode(current.text(), 0, false));
    }
}

void FileInstance::sync_ensure() {
    // Compatibility: a folder that stays because force is missing counts as removed.
    remove_existing(ensure_);
    if (ensure_ == "directory")
        make_directory();
    else if (ensure_ == "link")
        make_link();
    else if (ensure_ != "absent")
        write();
}

void FileInstance::make_directory() {
    const std::string parent = parent_of(path_);
    if (!file_exists(parent))
        throw ApplyError("Cannot create " + path_ + "; parent directory " + parent + " does not exist");
    if (mode_.empty()) {
        if (::mkdir(path_.c_str(), 0777) != 0) throw SystemError(errno, path_);
    } else {
        const NoUmask none;
        if (::mkdir(path_.c_str(), static_cast<mode_t>(changed_mode(mode_, new_folder_mode, true))) != 0)
            throw SystemError(errno, path_);
    }
    fix_properties();
}

void FileInstance::make_link() {
    if (target_.empty()) throw ApplyError("Cannot create a symlink without a target");
    remove_existing(target_);
    if (file_exists(path_)) throw ApplyError("Could not remove existing file");
    // Compatibility: Puppet enters the folder first.
    const std::string folder = parent_of(path_);
    struct stat at {};
    if (::stat(folder.c_str(), &at) != 0) throw SystemError(errno, folder);
    if (!S_ISDIR(at.st_mode)) throw SystemError(ENOTDIR, folder);
    if (::symlink(target_.c_str(), path_.c_str()) != 0) throw SystemError(errno, path_);
    give_to_group_of_owner(folder);
    fix_properties();
}

/// Compatibility: Puppet makes a link as its owner where that one may write, and so with the owner's group.
void FileInstance::give_to_group_of_owner(const std::string& folder) {
    if (!owner_ || group_ || ::geteuid() != 0) return;
    const auto uid = uid_of((owner_->is(Value::Kind::Array) ? owner_->items().front() : *owner_).to_text());
    const auto user = uid ? user_with(*uid) : std::nullopt;
    const auto at = file_stat(folder, true);
    if (!user || !at || (at->mode & S_ISGID) != 0) return;  // a folder with setgid says the group itself
    const auto further = further_groups_of(user->name);
    const bool of_group =
        at->group == user->gid || std::any_of(further.begin(), further.end(),
                                              [&](const GroupEntry& one) { return one.gid == at->group; });
    const unsigned may_write = at->owner == user->uid ? 0200U : of_group ? 0020U : 0002U;
    if (user->uid == 0 || (at->mode & may_write) != 0)
        set_owner_of(path_, static_cast<uid_t>(-1), user->gid, false);
}

void FileInstance::write() {
    remove_existing("file");
    if (source_ && !source_->known()) source_->facts(checksum_, follow_links_);
    if (source_ || has_content_ || content_by_checksum_)
        write_content();
    else
        write_nothing();
    fix_properties();
}

/// An empty file. A link that leads nowhere gets it at its end, where links are followed.
void FileInstance::write_nothing() {
    const NoUmask none;
    const unsigned mode = mode_.empty() ? new_file_mode : changed_mode(mode_, new_file_mode, false);
    const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_TRUNC | (follow_links_ ? 0 : O_NOFOLLOW);
    const UniqueFd file(::open(path_.c_str(), flags, static_cast<mode_t>(mode)));
    if (!file) throw SystemError(errno, path_);
}

void FileInstance::write_content() {
    const unsigned mode = mode_.empty() ? new_file_mode : changed_mode(mode_, new_file_mode, false);
    ReplacedFile file(path_, resource_.text("staging_location"), mode);
    const auto digest = make_digest(checksum_);
    const auto take = [&](std::string_view piece) {
        if (digest) digest->add(piece);
        file.write(piece);
    };
    if (source_) {
        source_->read(take);
    } else if (content_by_checksum_) {
        const Bucket bucket(bucket_folder());
        const std::string named = content_checksum();
        if (!bucket.read(named.substr(named.find('}') + 1), take))
            throw ApplyError("Could not retrieve content for " + named +
                             " from filebucket: there is no such content");
    } else {
        take(resource_.text("content"));
    }
    // Compatibility: a checksum of a text counts only where its type is given.
    const bool of_text = !source_ && resource_.find("checksum") == nullptr;
    const std::string wanted = of_text ? content_checksum() : wanted_checksum();
    if (digest && !wanted.empty() && !content_by_checksum_) {
        const std::string written = "{" + checksum_.text() + "}" + digest->finish();
        if (written != wanted)
            throw ApplyError("File written to disk did not match desired checksum; discarding changes (" +
                             written + " vs " + wanted + ")");
    }
    file.complete();
    validate(file.temporary_path());
    file.put_into_place();
}

void FileInstance::validate(const std::string& temporary) const {
    const std::string command = resource_.text("validate_cmd");
    if (command.empty()) return;
    const std::string line = replaced_all(command, resource_.text("validate_replacement", "%"), temporary);
    const Finished done = run(Command(command_words(line)));
    if (done.exit_code == 0) return;
    // The tool may quote the content.
    const bool secret = is_sensitive("content") || is_sensitive("validate_cmd");
    throw ApplyError("Execution of '" + (is_sensitive("validate_cmd") ? "[redacted]" : line) + "' returned " +
                     std::to_string(done.exit_code) + ": " +
                     (secret ? "[output redacted]" : std::string(trim(done.output))));
}

void FileInstance::fix_properties() {
    fixed_ = true;
    const auto found = stat();
    if (!found) return;
    for (Wanted& one : wanted()) {
        if (one.name == "owner" && !owner_in_sync(one, Value(static_cast<std::int64_t>(found->owner))))
            sync_owner(one.value);
        if (one.name == "group" && !group_in_sync(one, Value(static_cast<std::int64_t>(found->group))))
            sync_group(one.value);
    }
    // A new owner takes setuid and setgid away.
    if (!mode_.empty()) {
        const auto now = stat();
        const std::optional<FileKind> kind = now ? std::optional(now->kind) : std::nullopt;
        if (!mode_in_sync(current_mode(now), kind)) sync_mode(now ? now->mode : new_file_mode);
    }
    fix_context();
}

void FileInstance::sync_owner(const Value& uid) {
    try {
        set_owner_of(path_, as_system_id(uid), static_cast<gid_t>(-1), follow_links_);
    } catch (const std::runtime_error& error) {
        throw ApplyError("Failed to set owner to '" + uid.to_text() + "': " + error.what());
    }
}

void FileInstance::sync_group(const Value& gid) {
    try {
        set_owner_of(path_, static_cast<uid_t>(-1), as_system_id(gid), follow_links_);
    } catch (const std::runtime_error& error) {
        throw ApplyError("Failed to set group to '" + gid.to_text() + "': " + error.what());
    }
}

void FileInstance::sync_mode(unsigned before) {
    const auto found = stat();
    const unsigned mode = changed_mode(mode_, before, found && found->kind == FileKind::Directory);
    try {
        set_mode_of(path_, mode, follow_links_);
    } catch (const SystemError& error) {
        throw ApplyError("failed to set mode " + octal(before) + " on " + path_ + ": " + error.what());
    }
}

bool FileInstance::remove_existing(const std::string& wanted_kind) {
    const auto found = stat();
    if (!found) return false;
    const std::string kind(kind_word(found->kind));
    if (!backup_.empty()) {
        const bool can = (found->kind == FileKind::Directory && force_) || found->kind == FileKind::File ||
                         found->kind == FileKind::Link;
        if (can)
            back_up();
        else
            run_.log(Level::Warning, resource_, "Could not back up file of type " + kind);
    }
    if (wanted_kind != "link" && kind == wanted_kind) return false;
    if (found->kind == FileKind::Directory) {
        if (!force_) {
            run_.log(Level::Notice, resource_, "Not removing directory; use 'force' to override");
            return false;
        }
        remove_tree(path_);
        return true;
    }
    if (found->kind == FileKind::CharacterDevice || found->kind == FileKind::BlockDevice)
        throw ApplyError("Could not remove files of type " + kind);
    remove_file(path_);
    return true;
}

std::string FileInstance::bucket_folder() const {
    const Resource* bucket = run_.catalog.find(
        "Filebucket", backup_.empty() || backup_.text()[0] == '.' ? "puppet" : backup_.text());
    if (bucket != nullptr) {
        std::string path = bucket->text("path");
        if (path.starts_with('/')) return path;
    }
    return run_.settings.state_folder.empty() ? std::string(default_bucket)
                                              : run_.settings.state_folder + "/bucket";
}

void FileInstance::back_up() {
    if (!file_exists(path_)) return;
    if (backup_.text()[0] == '.') {
        const std::string copy = path_ + backup_;
        if (const auto old = file_stat(copy, follow_links_)) {
            if (old->kind == FileKind::Directory)
                throw ApplyError("Will not remove directory backup " + copy + "; use a filebucket");
            run_.log(Level::Info, resource_,
                     "Removing old backup of type " + std::string(kind_word(old->kind)));
            remove_file(copy);
        }
        try {
            // Compatibility: of a link what it leads to is kept.
            copy_preserving(real_path(path_), copy);
        } catch (const SystemError& error) {
            throw ApplyError("Could not back " + path_ + " up: " + error.what());
        }
        return;
    }
    const Bucket bucket(bucket_folder());
    const auto keep = [&](const std::string& file) {
        const std::string sum = bucket.keep(file);
        run_.log(Level::Info, resource_, "Filebucketed " + file + " to " + backup_ + " with sum " + sum);
    };
    const auto found = file_stat(path_, false);
    if (found && found->kind == FileKind::File) keep(path_);
    if (!found || found->kind != FileKind::Directory || recurse_ != Recurse::No) return;
    run_.log(Level::Info, resource_, "Recursively backing up to filebucket");
    auto below = files_below(path_, false);
    // As Ruby's Find: what is in a folder stands before what comes after it.
    const auto place = [](char letter) { return letter == '/' ? 0 : 1 + static_cast<unsigned char>(letter); };
    std::sort(below.begin(), below.end(), [&](const Found& one, const Found& other) {
        return std::lexicographical_compare(
            one.full.begin(), one.full.end(), other.full.begin(), other.full.end(),
            [&](char left, char right) { return place(left) < place(right); });
    });
    for (const Found& one : below) {
        // Compatibility: of a link what it leads to is kept.
        const auto what = file_exists(one.full) ? file_stat(one.full, true) : std::nullopt;
        if (what && what->kind == FileKind::File) keep(one.full);
    }
}

}  // namespace volley::agent
