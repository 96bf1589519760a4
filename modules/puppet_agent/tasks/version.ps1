# The version of the agent's package.
[CmdletBinding()]
param([string]$_installdir)
. (Join-Path $_installdir 'shell_task_helper\files\windows.ps1')
$version = Get-PuppetVersion
$source = if ($version) { (Join-Path (Get-PuppetFolder) 'VERSION').Replace('\', '/') } else { $null }
@{ version = $version; source = $source } | ConvertTo-Json -Compress
