#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/files/temporary_folder.hpp"
#include "support/unique_fd.hpp"
#include "transports/target_config.hpp"

namespace volley::tests {

/// tests/lab/winrm/double.py with some arguments, on a port of its own. It ends with this object.
class WinrmDouble {
public:
    explicit WinrmDouble(const std::vector<std::string>& arguments);
    ~WinrmDouble();
    WinrmDouble(const WinrmDouble&) = delete;
    WinrmDouble& operator=(const WinrmDouble&) = delete;

    /// Its options are a JSON object, added to ssl and connect-timeout.
    transports::TargetConfig target(const std::string& options = "{}") const;
    /// The actions of the requests so far, one a word.
    std::string requests() const;

    /// What the double needs for NTLM; without it those tests have nothing to do.
    static bool has_ntlm();
    /// A PowerShell that `--engine` can start: VOLLEY_TEST_POWERSHELL, else pwsh in PATH; empty where there
    /// is none.
    static std::string powershell();
    /// A certificate for 127.0.0.1 that nobody signed, and its key: two files in PEM; none without openssl.
    static const std::vector<std::string>& certificate();

private:
    TemporaryFolder folder_;
    UniqueFd input_;
    pid_t process_ = -1;
    int port_ = 0;
    bool tls_ = false;
};

}  // namespace volley::tests
