# Packages of Windows through Chocolatey.
[CmdletBinding()]
param([string]$action, [string]$name, [string]$version, [string]$provider, [string]$manager_options)
$ErrorActionPreference = 'Stop'

# The installed version; nothing when there is none.
function Get-Installed {
  $found = & choco list $name --exact --limit-output --local-only 2>$null
  if (-not $found) { $found = & choco list $name --exact --limit-output 2>$null }  # Chocolatey 2 lists local packages only
  foreach ($line in $found) {
    $words = "$line".Split('|')
    if ($words.Length -ge 2 -and $words[0] -eq $name) { return $words[1] }
  }
}

function Invoke-Choco([string[]]$Words) {
  if ($manager_options) { $Words += $manager_options.Split(' ') }
  $output = & choco @Words -y --no-progress 2>&1 | Out-String
  if (0, 1641, 3010 -notcontains $LASTEXITCODE) { throw "choco $($Words[0]) $name failed: $($output.Trim())" }
}

try {
  if ($null -eq (Get-Command choco -ErrorAction SilentlyContinue)) { throw 'Chocolatey is not installed (https://chocolatey.org)' }
  $ErrorActionPreference = 'Continue'  # what choco writes to standard error is not an error
  $before = Get-Installed
  $wanted = @()
  if ($version) { $wanted = @('--version', $version) }
  switch ($action) {
    'status' {
      if ($before) { $result = @{ status = 'installed'; version = $before } } else { $result = @{ status = 'uninstalled'; version = '' } }
    }
    'install' {
      if ($before -and (-not $version -or $version -eq $before)) { $result = @{ status = 'present'; version = $before } }
      else { Invoke-Choco (@('install', $name) + $wanted); $result = @{ status = 'installed'; version = "$(Get-Installed)" } }
    }
    'upgrade' {
      Invoke-Choco (@('upgrade', $name) + $wanted)
      $result = @{ status = 'upgraded'; old_version = "$before"; version = "$(Get-Installed)" }
    }
    'uninstall' {
      if (-not $before) { $result = @{ status = 'absent' } }
      else { Invoke-Choco @('uninstall', $name); $result = @{ status = 'uninstalled' } }
    }
    default { throw "unknown action '$action'" }
  }
  $result | ConvertTo-Json -Compress
} catch {
  @{ _error = @{ kind = 'package/failure'; msg = $_.Exception.Message; details = @{} } } | ConvertTo-Json -Depth 5 -Compress
  exit 1
}
