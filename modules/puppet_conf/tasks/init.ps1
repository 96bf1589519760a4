# Settings of puppet.conf, through `puppet config`.
[CmdletBinding()]
param([string]$action, [string]$section = 'main', [string]$setting, $value, [string]$_installdir)
. (Join-Path $_installdir 'shell_task_helper\files\windows.ps1')
if (-not $section) { $section = 'main' }
if ($action -eq 'set' -and $null -eq $value) { Stop-Task 'puppet_conf/failure' 'You must pass a value argument' }
if ($value -is [bool]) { $value = "$value".ToLower() }
$puppet = Get-PuppetProgram 'puppet_conf/failure'
$ErrorActionPreference = 'Continue'  # what puppet writes to standard error is not an error
switch ($action) {
  'get' { $output = & $puppet config print --section $section $setting 2>&1 }
  'set' { $output = & $puppet config set --section $section $setting $value 2>&1 }
  'delete' { $output = & $puppet config delete --section $section $setting 2>&1 }
}
$code = $LASTEXITCODE
$text = ($output | Out-String).Trim()
if ($code -ne 0) { Stop-Task 'puppet_conf/failure' $text }
if ($action -eq 'set') { $text = "$value" }
@{ status = $text; setting = $setting; section = $section } | ConvertTo-Json -Compress
