# Installs Puppet's agent where there is none, or where another version is wanted.
[CmdletBinding()]
param([string]$version, [string]$collection = 'puppet8', [string]$absolute_source, [string]$apt_source, [string]$yum_source,
      [string]$mac_source, [string]$windows_source, [string]$install_options = 'REINSTALLMODE="amus"',
      [bool]$stop_service = $false, [int]$retry = 5, [bool]$_noop = $false, [string]$_installdir)
. (Join-Path $_installdir 'shell_task_helper\files\windows.ps1')
$kind = 'puppet_agent/install-failed'
$have = Get-PuppetVersion
if ($have -and (-not $version -or $version -eq $have -or $version -eq 'latest')) {
  @{ installed = $false; version = $have } | ConvertTo-Json -Compress
  exit 0
}
if ($_noop) {
  @{ installed = $false; _noop = $true; version = $have } | ConvertTo-Json -Compress
  exit 0
}
$running = @(Get-Service -Name 'puppet', 'pxp-agent' -ErrorAction SilentlyContinue | Where-Object { $_.Status -eq 'Running' })
if ($running.Count -gt 0) { Stop-Task $kind "the service $($running[0].Name) is running: stop it first" }
$source = $absolute_source
if (-not $source) {
  if ($collection -like 'puppetcore*') { Stop-Task $kind "the collection $collection needs an account: use absolute_source" }
  if (-not $windows_source) {
    $windows_source = if ($collection -like '*-nightly') { 'https://nightlies.puppet.com/downloads' } else { 'https://downloads.puppet.com' }
  }
  $machine = if ([Environment]::Is64BitOperatingSystem) { 'x64' } else { 'x86' }
  $name = if ($version -and $version -ne 'latest') { "puppet-agent-$version-$machine.msi" } else { "puppet-agent-$machine-latest.msi" }
  $source = "$windows_source/windows/$collection/$name"
}
$restart = Install-Msi $kind $source $install_options $retry
if ($stop_service) {
  Stop-Service -Name 'puppet' -Force -ErrorAction SilentlyContinue
  Set-Service -Name 'puppet' -StartupType Disabled -ErrorAction SilentlyContinue
}
@{ installed = $true; version = "$(Get-PuppetVersion)"; reboot_required = $restart } | ConvertTo-Json -Compress
