#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "transports/winrm/smb/libsmbclient.hpp"

namespace volley::transports::winrm::smb {

/// A machine, and who logs in there.
struct Login {
    std::string host;
    std::uint16_t port = 445;
    std::string user;
    std::string password;  ///< sensitive
    bool kerberos = false;
    std::chrono::seconds timeout{10};
};

enum class Kind : std::uint8_t { Nothing, File, Directory };

/// Directories may be nested this deep.
inline constexpr std::size_t most_levels = 200;

struct Child {
    std::string name;
    bool is_directory = false;
};

/// A login to one share. Every call blocks; one thread at a time. Paths are as SharePath has them. What fails
/// throws TransportError with the issue code and one line that names the path.
class Session {
public:
    /// Logs in. Throws also connect_error: CONNECT_ERROR, AUTH_ERROR. `stop`: set by another thread to end a
    /// copy.
    Session(Login login, std::string share, std::string issue_code,
            std::shared_ptr<const std::atomic<bool>> stop);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    Kind kind(const std::string& path);
    /// With those above it; one that is there is left as it is.
    void make_directory(const std::string& path);
    /// Makes a new file of what `next` puts into a block until it returns 0.
    void write(const std::string& path, const std::function<std::size_t(std::span<char>)>& next);
    void read(const std::string& path, const std::function<void(std::string_view)>& block);
    std::vector<Child> children(const std::string& path);
    /// What is at `to` is replaced when it is a file.
    void rename(const std::string& from, const std::string& to);
    /// A file, or a directory with what it has; best effort.
    void remove(const std::string& path) noexcept;
    /// "\\HOST\SHARE\path"
    std::string name_of(const std::string& path) const;

private:
    static void authenticate(Context* context, const char* server, const char* share, char* workgroup,
                             int workgroup_size, char* user, int user_size, char* password,
                             int password_size);
    std::string url(const std::string& path) const;
    void open_share();
    [[noreturn]] void refused(int error);
    [[noreturn]] void fail(const std::string& path, int error) const;
    void check_stop() const;
    void remove_children(const std::string& path, std::size_t depth);

    Login login_;
    const Library& library_;
    std::string share_;
    std::string issue_code_;
    std::shared_ptr<const std::atomic<bool>> stop_;
    Context* context_ = nullptr;
    std::vector<char> buffer_;
};

}  // namespace volley::transports::winrm::smb
