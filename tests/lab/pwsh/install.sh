#!/bin/sh
# A PowerShell for the tests, outside of the repository: tests/lab/pwsh/install.sh FOLDER
# Prints what it found, and as the last line the program that can be started with -s, or "none". Ends with 0 in both cases:
# where there is no .NET, or the package cannot be had within PWSH_SECONDS, the tests that need an engine are skipped.
set -u
seconds=${PWSH_SECONDS:-30}
folder=${1:?usage: install.sh FOLDER}
here=$(dirname "$(readlink -f "$0")")
if command -v pwsh >/dev/null; then
    echo "found a whole PowerShell: $(command -v pwsh)"
    command -v pwsh
    exit 0
fi
if [ -x "$folder/pwsh" ]; then
    echo "found the engine that was built before"
    echo "$folder/pwsh"
    exit 0
fi
if ! command -v dotnet >/dev/null; then
    echo "found no .NET SDK"
    echo none
    exit 0
fi
export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1
log=$(mktemp)
trap 'rm -f "$log"; rm -rf "$log.d"' EXIT
if timeout "$seconds" dotnet tool install PowerShell --tool-path "$folder" >"$log" 2>&1 && [ -x "$folder/pwsh" ]; then
    echo "installed the whole PowerShell as a .NET tool"
    echo "$folder/pwsh"
    exit 0
fi
why=$(tail -n 1 "$log")
echo "the .NET tool cannot be had: ${why:-it took more than $seconds seconds}"
mkdir "$log.d" && cp "$here/pwsh.csproj" "$here/Program.cs" "$here/prelude.ps1" "$log.d"
if (cd "$log.d" && timeout "$seconds" dotnet publish -c Release -o made pwsh.csproj) >"$log" 2>&1 &&
    mkdir -p "$folder" && cp -R "$log.d/made/." "$folder" && [ -x "$folder/pwsh" ]; then
    echo "built a host of the engine (System.Management.Automation), without the modules of the whole program"
    echo "$folder/pwsh"
    exit 0
fi
why=$(grep -m 1 error "$log")
echo "the engine cannot be had: ${why:-it took more than $seconds seconds}"
echo none
