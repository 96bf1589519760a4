# First configuration of an agent: puppet.conf, csr_attributes.yaml, the service.
[CmdletBinding()]
param($puppet_conf, $csr_attributes, [bool]$puppet_service_running = $true, [bool]$puppet_service_enabled = $true,
      [string]$_installdir)
. (Join-Path $_installdir 'shell_task_helper\files\windows.ps1')

# What a hash holds, which arrives as a Hashtable or as an object: objects with Name and Value.
function Get-Pairs($Hash) {
  if ($Hash -isnot [Collections.IDictionary]) { return ($Hash.PSObject.Properties | Select-Object -Property Name, Value) }
  foreach ($key in $Hash.Keys) { New-Object -TypeName PSObject -Property @{ Name = $key; Value = $Hash[$key] } }
}

$puppet = Get-PuppetProgram 'openvox_bootstrap/configure-failed'
$ErrorActionPreference = 'Continue'  # what puppet writes to standard error is not an error
$folder = "$(& $puppet config print confdir)".Trim()
$result = @{}
$good = $true

if ($null -ne $puppet_conf) {
  $errors = @{}
  foreach ($section in (Get-Pairs $puppet_conf)) {
    foreach ($setting in (Get-Pairs $section.Value)) {
      $output = & $puppet config set --section $section.Name $setting.Name $setting.Value 2>&1 | Out-String
      if ($LASTEXITCODE -ne 0) { $errors["--section=$($section.Name) $($setting.Name)=$($setting.Value)"] = $output.Trim() }
    }
  }
  $file = Join-Path $folder 'puppet.conf'
  $contents = if (Test-Path -LiteralPath $file) { [IO.File]::ReadAllText($file) } else { '' }
  $result.puppet_conf = @{ path = $file; contents = $contents; successful = ($errors.Count -eq 0) }
  if ($errors.Count -gt 0) { $result.puppet_conf.errors = $errors; $good = $false }
}

if ($null -ne $csr_attributes) {
  $lines = @('---')
  foreach ($heading in (Get-Pairs $csr_attributes)) {
    $lines += "$($heading.Name):"
    # JSON strings are YAML strings too.
    foreach ($pair in (Get-Pairs $heading.Value)) { $lines += '  ' + (ConvertTo-Json "$($pair.Name)") + ': ' + (ConvertTo-Json "$($pair.Value)") }
  }
  $file = Join-Path $folder 'csr_attributes.yaml'
  $contents = ($lines -join "`n") + "`n"
  [IO.File]::WriteAllText($file, $contents)
  $result.csr_attributes = @{ path = $file; contents = $contents; successful = $true }
}

$running = if ($puppet_service_running) { 'running' } else { 'stopped' }
$enabled = "$puppet_service_enabled".ToLower()
$output = & $puppet resource service puppet "ensure=$running" "enable=$enabled" 2>&1 | Out-String
$successful = $LASTEXITCODE -eq 0
$result.puppet_service = @{
  command = "$puppet resource service puppet ensure=$running enable=$enabled"; output = $output.Trim(); successful = $successful
}
$result | ConvertTo-Json -Depth 5 -Compress
if (-not ($good -and $successful)) { exit 1 }
