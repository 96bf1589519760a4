#pragma once

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

#include "tests/transports/shell/shell_harness.hpp"

namespace volley::testing {

/// The PowerShell of the tests (tests/lab/pwsh/install.sh): VOLLEY_TEST_POWERSHELL; empty where there is
/// none, or where it says why ("none: no .NET").
inline std::string powershell_engine() {
    const char* const given = std::getenv("VOLLEY_TEST_POWERSHELL");
    const std::string chosen = given == nullptr ? "" : given;
    if (!chosen.empty() && !chosen.starts_with("none")) return chosen;
    WARN("skip: no PowerShell (see tests/lab/pwsh/install.sh) " + chosen);
    return {};
}

/// A target whose login shell is PowerShell, with programs that have the names of Windows.
struct PowerShellHarness : ShellHarness {
    explicit PowerShellHarness(const std::string& engine) : ShellHarness({engine}) {
        options["login-shell"] = "powershell";
        const std::string bin = (local / "bin").string();
        program("powershell.exe", "#!/bin/sh\nexec '" + engine + "' \"$@\"\n");
        program("ruby.exe", "#!/bin/sh\nshift\nexec sh \"$@\"\n");
        program("puppet.bat", "#!/bin/sh\nshift\nexec sh \"$@\"\n");
        program("cmd.exe", "#!/bin/sh\nshift\neval exec sh \"$@\"\n");
        connection.environment = {{"PATH", bin + ":" + std::getenv("PATH")}};
    }
    void program(const std::string& name, const std::string& text) const {
        local.write("bin/" + name, text, 0755);
    }
};

}  // namespace volley::testing
