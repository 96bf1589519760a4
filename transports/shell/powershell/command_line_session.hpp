#pragma once

#include <optional>
#include <string>

#include "transports/powershell.hpp"

namespace volley::transports {

/// Who takes a connection's command lines apart.
enum class LineReader {
    PowerShell,  ///< the login shell is PowerShell: it runs the program itself
    Other        ///< cmd, or a POSIX shell: powershell.exe is started
};

/// Who does so on a target, by its options and features (TRN-008); nullopt: its commands are not
/// PowerShell's.
std::optional<LineReader> powershell_reader(const TargetConfig& target);

/// The line that makes a PowerShell read its work from standard input (scripts/bootstrap.ps1). It is the same
/// for all, without quotes that shells read differently, and far below the 8191 characters of cmd.
std::string powershell_line(LineReader reader);

/// PowerShell over a connection that has command lines, as OpenSSH for Windows: a process for each script,
/// which gets the script over standard input. `version()` is not known.
class CommandLineSession final : public PowerShellSession {
public:
    /// `connection` must outlive it.
    CommandLineSession(Connection& connection, LineReader reader)
        : connection_(connection), line_(powershell_line(reader)) {}

    Task<ExitStatus> run(const PowerShellScript& script, Input& input, OutputSink& sink) override;
    std::string_view version() const noexcept override { return {}; }

private:
    Connection& connection_;
    std::string line_;
};

}  // namespace volley::transports
