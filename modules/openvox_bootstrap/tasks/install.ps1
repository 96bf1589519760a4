# Installs an openvox-agent where there is none, or where another version is wanted.
[CmdletBinding()]
param([string]$package = 'openvox-agent', [string]$version = 'latest', [string]$collection = 'openvox8',
      [string]$apt_source, [string]$yum_source, [string]$windows_source = 'https://artifacts.voxpupuli.org/downloads',
      [bool]$stop_service = $false, [string]$_installdir)
. (Join-Path $_installdir 'shell_task_helper\files\windows.ps1')
$kind = 'openvox_bootstrap/install-failed'
if ($package -ne 'openvox-agent') { Stop-Task $kind "only the package openvox-agent is known on Windows, and not $package" }
$have = Get-PuppetVersion
if ($have -and (-not $version -or $version -eq 'latest' -or $version -eq $have)) {
  @{ installed = $false; version = $have } | ConvertTo-Json -Compress
  exit 0
}
if (-not $version -or $version -eq 'latest') {
  Stop-Task $kind 'name the version: the package server does not tell which one is the newest'
}
$service = Get-Service -Name 'puppet' -ErrorAction SilentlyContinue
if ($service -and $service.Status -eq 'Running') {
  if (-not $stop_service) { Stop-Task $kind 'the service puppet is running: stop it, or use stop_service=true' }
  Stop-Service -Name 'puppet' -Force
}
$restart = Install-Msi $kind "$windows_source/windows/$collection/$package-$version-x64.msi" '' 5
if ($stop_service) {
  Stop-Service -Name 'puppet' -Force -ErrorAction SilentlyContinue
  Set-Service -Name 'puppet' -StartupType Disabled -ErrorAction SilentlyContinue
}
@{ installed = $true; version = "$(Get-PuppetVersion)"; reboot_required = $restart } | ConvertTo-Json -Compress
