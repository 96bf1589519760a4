#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "transports/connection.hpp"

namespace volley::transports {

/// Where a script runs and what becomes of its output.
enum class PowerShellUse : std::uint8_t {
    /// What the user asked for: a command, script or task. It has an engine of its own, gone afterwards, so
    /// that
    /// nothing it loads or sets stays (puppetlabs/bolt#3111). Its output is formatted as on a console 250
    /// columns wide, each line ended by CR LF; it has no input. Where it neither calls `exit` nor fails the
    /// status is 0; when the last statement failed ($? is false) it is $LASTEXITCODE, or 1. An exception that
    /// ends the script is text on stderr and status 1 (difference from Bolt, where that is 0).
    Action,
    /// The shell's own: temporary directories and files. It runs in an engine that is kept for the whole
    /// session,
    /// where functions and variables that earlier ones made are still there. A string that it outputs is
    /// printed
    /// with CR LF, a byte array (`, $bytes`) as the bytes that it is, other objects as ToString() has them.
    /// An exception that ends it is text on stderr and status 1.
    Housekeeping,
};

/// A PowerShell script, as text in UTF-8 without any limit of length (unlike a command line).
/// It has a constructor because aggregates must not cross a co_await on g++ 12.
struct PowerShellScript {
    PowerShellScript(PowerShellUse used_for, std::string script_text, std::vector<std::string> values = {})
        : use(used_for), text(std::move(script_text)), arguments(std::move(values)) {}
    PowerShellUse use;
    std::string text;
    /// Positional parameters (`param($path)`), passed as strings without any quoting. Housekeeping only.
    std::vector<std::string> arguments;
};

/// Runs PowerShell scripts on a target. Over WinRM that is PowerShell remoting; where a connection has only
/// command lines, a program of the shell's (`powershell -EncodedCommand`). Loop thread only.
class PowerShellSession {
public:
    virtual ~PowerShellSession() = default;
    /// Runs to the end. Housekeeping scripts get the bytes of `input` as byte arrays in `$input`, or in
    /// `process { $_ }`, and should print little before its end; Action scripts read none of it. Errors and
    /// cancellation as those of Connection::execute: a script that was handed over is never run again.
    virtual Task<ExitStatus> run(const PowerShellScript& script, Input& input, OutputSink& sink) = 0;
    /// As $PSVersionTable has it ("5.1.17763.1"); empty where it is not known without asking.
    virtual std::string_view version() const noexcept = 0;
    /// Where files go in another way than through scripts; nullptr almost everywhere.
    virtual FileCopier* files() noexcept { return nullptr; }
};

}  // namespace volley::transports
