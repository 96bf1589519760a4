#include "transports/winrm/smb/copier.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "support/files.hpp"
#include "support/text.hpp"
#include "support/unique_fd.hpp"
#include "transports/errors.hpp"
#include "transports/shell/files/payload.hpp"
#include "transports/shell/files/transfer.hpp"
#include "transports/winrm/smb/share_path.hpp"

namespace volley::transports::winrm::smb {
namespace {

namespace fs = std::filesystem;
using Stop = std::shared_ptr<std::atomic<bool>>;

std::string below(const std::string& path, const std::string& name) {
    return path.empty() ? name : path + "/" + name;
}

void check_name(const std::string& name) {
    if (name.find_first_of("\\:*?\"<>|") != std::string::npos)
        throw file_error(fmt::format("'{}' cannot be a name on Windows", name), "WRITE_ERROR");
}

void send_file(Session& session, const PayloadEntry& entry, const std::string& place) {
    SequenceInput input;
    input.add(entry);
    const std::function<std::size_t(std::span<char>)> next = [&](std::span<char> block) {
        std::size_t filled = 0;
        while (filled < block.size() && !input.finished()) filled += input.read(block.subspan(filled));
        return filled;
    };
    session.write(place, next);
}

void send_all(Session& session, const fs::path& local, const PayloadEntry& root, const std::string& place) {
    if (!root.is_directory) return send_file(session, root, place);
    for (const PayloadEntry& entry : payload_tree(local, "WRITE_ERROR")) {
        check_name(entry.remote);
        const std::string where = entry.remote == "." ? place : below(place, entry.remote);
        if (entry.is_directory) {
            session.make_directory(where);
        } else {
            send_file(session, entry, where);
        }
    }
}

void send(const Login& login, const fs::path& local, const std::string& remote, const Stop& stop) {
    SharePath to = share_path(remote, "WRITE_ERROR");
    const std::string name = own_name(local);
    const PayloadEntry root = payload_entry(local, name, "WRITE_ERROR");
    Session session(login, to.share, "WRITE_ERROR", stop);
    Kind there = session.kind(to.path);
    if (there == Kind::Directory) {
        to.path = below(to.path, name);
        there = session.kind(to.path);
    }
    if (there == Kind::Directory)
        throw file_error(fmt::format("{} already exists and is a directory", session.name_of(to.path)),
                         "MV_ERROR");
    const std::size_t parent = to.path.rfind('/');
    const std::string folder = parent == std::string::npos ? "" : to.path.substr(0, parent);
    check_name(to.path);
    session.make_directory(folder);
    const std::string part = below(folder, ".volley-" + random_uuid());
    try {
        send_all(session, local, root, part);
        session.rename(part, to.path);
    } catch (...) {
        session.remove(part);
        throw;
    }
}

void fetch_file(Session& session, const std::string& path, const fs::path& place) {
    const UniqueFd file(::open(place.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    const auto failed = [&] {
        return file_error(fmt::format("'{}' on the controller: {}", place.string(), std::strerror(errno)),
                          "DOWNLOAD_ERROR");
    };
    if (!file) throw failed();
    const std::function<void(std::string_view)> keep = [&](std::string_view block) {
        while (!block.empty()) {
            const ssize_t written = ::write(file.get(), block.data(), block.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) throw failed();
            block.remove_prefix(static_cast<std::size_t>(written));
        }
    };
    session.read(path, keep);
}

void fetch_all(Session& session, const std::string& path, const fs::path& place, std::size_t depth) {
    if (depth > most_levels)
        throw file_error(fmt::format("{} is deeper than {} directories", session.name_of(path), most_levels),
                         "DOWNLOAD_ERROR");
    fs::create_directory(place);
    for (const Child& child : session.children(path)) {
        // The server makes the names.
        if (child.name.empty() || child.name.find('/') != std::string::npos ||
            child.name.find('\0') != std::string::npos)
            throw file_error(fmt::format("{} has an entry whose name is not one", session.name_of(path)),
                             "DOWNLOAD_ERROR");
        if (child.is_directory) {
            fetch_all(session, below(path, child.name), place / child.name, depth + 1);
        } else {
            fetch_file(session, below(path, child.name), place / child.name);
        }
    }
}

void fetch(const Login& login, const std::string& remote, const fs::path& directory, const Stop& stop) {
    const SharePath from = share_path(remote, "DOWNLOAD_ERROR");
    Session session(login, from.share, "DOWNLOAD_ERROR", stop);
    const fs::path place = directory / own_name(from.path);
    switch (session.kind(from.path)) {
        case Kind::Nothing:
            throw file_error(fmt::format("{} does not exist", session.name_of(from.path)), "DOWNLOAD_ERROR");
        case Kind::File:
            return fetch_file(session, from.path, place);
        case Kind::Directory:
            return fetch_all(session, from.path, place, 0);
    }
}

/// Ends a copy that nobody waits for any more.
struct StopAtEnd {
    ~StopAtEnd() { stop->store(true); }
    Stop stop = std::make_shared<std::atomic<bool>>(false);
};

class SmbCopier final : public FileCopier {
public:
    SmbCopier(DetachedThreads& threads, Login login) : threads_(threads), login_(std::move(login)) {}

    Task<void> upload(fs::path local, std::string remote) override {
        const StopAtEnd end;
        auto working = threads_.run([login = login_, local, remote, stop = end.stop] {
            send(login, local, remote, stop);
            return std::string();
        });
        static_cast<void>(co_await std::move(working));
    }
    Task<void> download(std::string remote, fs::path directory) override {
        const StopAtEnd end;
        auto working = threads_.run([login = login_, remote, directory, stop = end.stop] {
            fetch(login, remote, directory, stop);
            return std::string();
        });
        static_cast<void>(co_await std::move(working));
    }

private:
    DetachedThreads& threads_;
    Login login_;
};

}  // namespace

std::unique_ptr<FileCopier> make_copier(DetachedThreads& threads, Login login) {
    return std::make_unique<SmbCopier>(threads, std::move(login));
}

}  // namespace volley::transports::winrm::smb
