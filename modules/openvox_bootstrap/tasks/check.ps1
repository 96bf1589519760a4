# Compares the version of the installed agent. Ends with 1 when it is not as wanted.
[CmdletBinding()]
param([string]$version, [string]$test = 'eq', [string]$_installdir)
. (Join-Path $_installdir 'shell_task_helper\files\windows.ps1')
$have = Get-PuppetVersion
if (-not $have) { Stop-Task 'openvox_bootstrap/check-failed' 'The openvox-agent is not installed' }
if (-not $version) {
  @{ puppet_version = $have; valid = $true } | ConvertTo-Json -Compress
  exit 0
}
# Parts that one of them lacks count as 0: 8 is 8.0.0.
$left = @([regex]::Matches($have, '\d+') | ForEach-Object { [int]$_.Value })
$right = @([regex]::Matches($version, '\d+') | ForEach-Object { [int]$_.Value })
$order = 'eq'
for ($i = 0; $i -lt 6 -and $order -eq 'eq'; $i++) {
  $a = if ($i -lt $left.Count) { $left[$i] } else { 0 }
  $b = if ($i -lt $right.Count) { $right[$i] } else { 0 }
  if ($a -lt $b) { $order = 'lt' } elseif ($a -gt $b) { $order = 'gt' }
}
$allowed = @{ eq = @('eq'); lt = @('lt'); gt = @('gt'); le = @('lt', 'eq'); ge = @('gt', 'eq') }
$valid = $allowed[$test] -contains $order
@{ puppet_version = $have; test = $test; test_version = $version; valid = $valid } | ConvertTo-Json -Compress
if (-not $valid) { exit 1 }
