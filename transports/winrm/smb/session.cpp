#include "transports/winrm/smb/session.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <cerrno>
#include <cstring>
#include <utility>

#include "transports/errors.hpp"
#include "transports/winrm/smb/share_path.hpp"

namespace volley::transports::winrm::smb {
namespace {

// What servers take at once.
constexpr std::size_t block_size = 1024UL * 1024;
constexpr unsigned new_file_mode = 0644, new_directory_mode = 0755;

/// As much as has a place; the library's buffers end with NUL.
void put(std::string_view text, char* place, int size) {
    if (size <= 0) return;
    const std::size_t length = std::min(text.size(), static_cast<std::size_t>(size) - 1);
    std::copy_n(text.data(), length, place);
    place[length] = '\0';
}

/// "DOMAIN\user" is two names.
std::pair<std::string_view, std::string_view> domain_and_user(std::string_view user) {
    const std::size_t at = user.find('\\');
    if (at == std::string_view::npos) return {{}, user};
    return {user.substr(0, at), user.substr(at + 1)};
}

/// A URL of the library's has no place for an IPv6 address.
Login with_usable_host(Login login) {
    if (login.host.find(':') == std::string::npos) return login;
    throw connect_error(
        fmt::format("file-protocol: smb takes the machine's name or an IPv4 address, not {}", login.host));
}

}  // namespace

Session::Session(Login login, std::string share, std::string issue_code,
                 std::shared_ptr<const std::atomic<bool>> stop)
    : login_(with_usable_host(std::move(login))),
      library_(library()),
      share_(std::move(share)),
      issue_code_(std::move(issue_code)),
      stop_(std::move(stop)),
      context_(library_.new_context()) {
    if (context_ == nullptr) throw std::bad_alloc();
    try {
        open_share();
    } catch (...) {
        library_.free_context(context_, 1);
        throw;
    }
}

Session::~Session() { library_.free_context(context_, 1); }

void Session::open_share() {
    library_.setDebug(context_, 0);
    library_.setOptionUserData(context_, this);
    library_.setFunctionAuthDataWithContext(context_, &Session::authenticate);
    library_.setOptionNoAutoAnonymousLogin(context_, 1);
    library_.setOptionUseKerberos(context_, login_.kerberos ? 1 : 0);
    library_.setPort(context_, login_.port);
    constexpr int per_second = 1000;
    library_.setTimeout(context_, static_cast<int>(login_.timeout.count()) * per_second);
    if (library_.init_context(context_) == nullptr ||
        library_.setOptionProtocols(context_, "SMB2", "SMB3") == 0)
        throw connect_error(fmt::format("libsmbclient could not be prepared: {}", std::strerror(errno)));
    struct stat seen {};
    if (library_.getFunctionStat(context_)(context_, url({}).c_str(), &seen) != 0) refused(errno);
}

void Session::authenticate(Context* context, const char*, const char*, char* workgroup, int workgroup_size,
                           char* user, int user_size, char* password, int password_size) {
    const auto* self = static_cast<const Session*>(library().getOptionUserData(context));
    const auto [domain, name] = domain_and_user(self->login_.user);
    put(domain, workgroup, workgroup_size);
    put(name, user, user_size);
    put(self->login_.password, password, password_size);
}

/// A wrong password and a share that is not for this user look alike; everybody who is logged in may use
/// IPC$.
void Session::refused(int error) {
    const std::string place = fmt::format("{} port {}", login_.host, login_.port);
    if (error == EACCES || error == EPERM) {
        struct stat seen {};
        const std::string pipes = share_url(login_.host, "IPC$", {});
        const bool logged_in = library_.getFunctionStat(context_)(context_, pipes.c_str(), &seen) == 0 ||
                               (errno != EACCES && errno != EPERM);
        if (!logged_in)
            throw connect_error(fmt::format("Authentication failed for {} over SMB", place), "AUTH_ERROR");
        throw file_error(fmt::format("{} may not use {}: a share of a drive is for administrators",
                                     login_.user.empty() ? "the user" : login_.user, name_of({})),
                         issue_code_);
    }
    if (error == ENOENT || error == ENODEV)
        throw file_error(fmt::format("there is no share {}", name_of({})), issue_code_);
    // What the library says when it does not find a name.
    const std::string reason = error == EINVAL ? "its name is not known, or it does not speak SMB 2 or 3"
                                               : std::string(std::strerror(error));
    throw connect_error(fmt::format("Failed to connect to {} for SMB: {}", place, reason));
}

std::string Session::url(const std::string& path) const { return share_url(login_.host, share_, path); }

std::string Session::name_of(const std::string& path) const {
    std::string name = fmt::format("\\\\{}\\{}", login_.host, share_);
    if (!path.empty()) name += '\\' + path;
    std::replace(name.begin(), name.end(), '/', '\\');
    return name;
}

void Session::fail(const std::string& path, int error) const {
    throw file_error(fmt::format("{}: {}", name_of(path), std::strerror(error)), issue_code_);
}

void Session::check_stop() const {
    if (stop_->load()) throw boost::system::system_error(boost::asio::error::operation_aborted);
}

Kind Session::kind(const std::string& path) {
    struct stat seen {};
    if (library_.getFunctionStat(context_)(context_, url(path).c_str(), &seen) != 0) {
        if (errno == ENOENT || errno == ENOTDIR) return Kind::Nothing;
        fail(path, errno);
    }
    return S_ISDIR(seen.st_mode) ? Kind::Directory : Kind::File;
}

void Session::make_directory(const std::string& path) {
    if (path.empty() || kind(path) == Kind::Directory) return;
    const std::size_t parent = path.rfind('/');
    if (parent != std::string::npos) make_directory(path.substr(0, parent));
    if (library_.getFunctionMkdir(context_)(context_, url(path).c_str(), new_directory_mode) != 0 &&
        errno != EEXIST)
        fail(path, errno);
}

void Session::write(const std::string& path, const std::function<std::size_t(std::span<char>)>& next) {
    Handle* const file = library_.getFunctionOpen(context_)(context_, url(path).c_str(),
                                                            O_WRONLY | O_CREAT | O_EXCL, new_file_mode);
    if (file == nullptr) fail(path, errno);
    const Close close = library_.getFunctionClose(context_);
    try {
        buffer_.resize(block_size);
        while (const std::size_t size = next(buffer_)) {
            check_stop();
            for (std::size_t done = 0; done < size;) {
                const ssize_t written =
                    library_.getFunctionWrite(context_)(context_, file, buffer_.data() + done, size - done);
                if (written <= 0) fail(path, errno);
                done += static_cast<std::size_t>(written);
            }
        }
    } catch (...) {
        close(context_, file);
        throw;
    }
    if (close(context_, file) != 0) fail(path, errno);
}

void Session::read(const std::string& path, const std::function<void(std::string_view)>& block) {
    Handle* const file = library_.getFunctionOpen(context_)(context_, url(path).c_str(), O_RDONLY, 0);
    if (file == nullptr) fail(path, errno);
    struct Closed {
        ~Closed() { close(context, file); }
        Close close;
        Context* context;
        Handle* file;
    };
    const Closed closed{library_.getFunctionClose(context_), context_, file};
    buffer_.resize(block_size);
    for (;;) {
        check_stop();
        const ssize_t size =
            library_.getFunctionRead(context_)(context_, file, buffer_.data(), buffer_.size());
        if (size < 0) fail(path, errno);
        if (size == 0) return;
        block({buffer_.data(), static_cast<std::size_t>(size)});
    }
}

std::vector<Child> Session::children(const std::string& path) {
    Handle* const directory = library_.getFunctionOpendir(context_)(context_, url(path).c_str());
    if (directory == nullptr) fail(path, errno);
    std::vector<Child> found;
    for (;;) {
        errno = 0;
        const Entry* const entry = library_.getFunctionReaddir(context_)(context_, directory);
        if (entry == nullptr) break;
        std::string name(entry->name, entry->name_length);
        if (name == "." || name == "..") continue;
        if (entry->type == is_directory || entry->type == is_file)
            found.push_back({std::move(name), entry->type == is_directory});
    }
    const int error = errno;
    library_.getFunctionClosedir(context_)(context_, directory);
    if (error != 0) fail(path, error);
    return found;
}

void Session::rename(const std::string& from, const std::string& to) {
    const Rename move = library_.getFunctionRename(context_);
    if (move(context_, url(from).c_str(), context_, url(to).c_str()) == 0) return;
    const int error = errno;
    // Servers do not replace, and the library not in every case.
    if (error != EEXIST || library_.getFunctionUnlink(context_)(context_, url(to).c_str()) != 0 ||
        move(context_, url(from).c_str(), context_, url(to).c_str()) != 0)
        fail(to, error);
}

void Session::remove(const std::string& path) noexcept {
    try {
        if (library_.getFunctionUnlink(context_)(context_, url(path).c_str()) == 0) return;
        if (kind(path) != Kind::Directory) return;
        remove_children(path, 0);
    } catch (const std::exception&) {  // it stays
    }
}

void Session::remove_children(const std::string& path, std::size_t depth) {
    if (depth > most_levels) return;
    for (const Child& child : children(path)) {
        const std::string place = path + "/" + child.name;
        if (child.is_directory) {
            remove_children(place, depth + 1);
        } else {
            library_.getFunctionUnlink(context_)(context_, url(place).c_str());
        }
    }
    library_.getFunctionRmdir(context_)(context_, url(path).c_str());
}

}  // namespace volley::transports::winrm::smb
