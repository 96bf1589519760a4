#!/bin/sh
# A PowerShell for the tests, outside of the repository: tests/lab/pwsh/install.sh FOLDER
# Prints what it found, and as the last line the program that can be started with -s, or "none". Ends with 0 in both cases:
# where there is no .NET, or the package cannot be had within PWSH_SECONDS, the tests that need an engine are skipped.
set -u
seconds=${PWSH_SECONDS:-30}
folder=${1:?usage: install.sh FOLDER}
here=$(dirname "$(readlink -f "$0")")

# The engine comes as bytecode, and each start translates it for a second of processor time: tests start it some hundred times.
# Translated once it starts in a third of that. Where the translator cannot be had, the engine stays as it is.
translate() { # translate: makes $folder/translated/pwsh of the .NET tool in $folder
    engine=$(dirname "$(find "$folder/.store" -path '*/unix/System.Management.Automation.dll' 2>/dev/null | head -n 1)")
    runtime=$(dirname "$(find /usr/share/dotnet /usr/lib/dotnet "${DOTNET_ROOT:-/nowhere}" -path '*/Microsoft.NETCore.App/*/System.Private.CoreLib.dll' 2>/dev/null | sort -V | tail -n 1)")
    [ -f "$engine/pwsh.dll" ] && [ -f "$runtime/System.Runtime.dll" ] || return 1
    work=$(mktemp -d) made=$folder/translated.$$
    cp "$here/translator.csproj" "$work"
    timeout "$seconds" dotnet restore "$work/translator.csproj" >/dev/null 2>&1
    translator=$(find "${NUGET_PACKAGES:-$HOME/.nuget/packages}"/microsoft.netcore.app.crossgen2.* -name crossgen2 2>/dev/null | sort -V | tail -n 1)
    rm -rf "$work"
    [ -x "$translator" ] || return 1
    cp -R "$engine" "$made" || return 1
    for name in pwsh System.Management.Automation Microsoft.PowerShell.ConsoleHost Microsoft.PowerShell.Security \
        Microsoft.PowerShell.Commands.Utility Microsoft.PowerShell.Commands.Management; do
        "$translator" "$engine/$name.dll" -o "$made/$name.dll" -O --targetos linux --targetarch x64 \
            -r "$engine/*.dll" -r "$runtime/*.dll" >/dev/null 2>&1 || cp "$engine/$name.dll" "$made"
    done
    # Code that is mapped once, not twice, takes a fifth less at each start.
    printf '#!/bin/sh\nexport DOTNET_EnableWriteXorExecute=0\nexec dotnet "%s/translated/pwsh.dll" "$@"\n' "$folder" >"$made/pwsh"
    chmod 755 "$made/pwsh"
    mv "$made" "$folder/translated" 2>/dev/null || rm -rf "$made"  # two at once make the same
}

best() { # best: the program to use of the engine in $folder
    [ -x "$folder/translated/pwsh" ] || [ "$(uname -m)" != x86_64 ] || translate
    if [ -x "$folder/translated/pwsh" ]; then echo "$folder/translated/pwsh"; else echo "$folder/pwsh"; fi
}

export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1
if command -v pwsh >/dev/null; then
    echo "found a whole PowerShell: $(command -v pwsh)"
    command -v pwsh
    exit 0
fi
if [ -x "$folder/pwsh" ]; then
    echo "found the engine that was built before"
    best
    exit 0
fi
if ! command -v dotnet >/dev/null; then
    echo "found no .NET SDK"
    echo none
    exit 0
fi
log=$(mktemp)
trap 'rm -f "$log"; rm -rf "$log.d"' EXIT
# Each .NET has its PowerShell, 10 has 7.6: the newest one may want a .NET that is not here.
sdk=$(dotnet --version 2>/dev/null | sed -n 's/^\([0-9]\{1,3\}\)\..*/\1/p')
for version in "7.$((${sdk:-10} - 4)).*" '*'; do
    if timeout "$seconds" dotnet tool install PowerShell --version "$version" --tool-path "$folder" >"$log" 2>&1 && [ -x "$folder/pwsh" ]; then
        echo "installed the whole PowerShell as a .NET tool"
        best
        exit 0
    fi
done
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
