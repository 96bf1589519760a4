# Services of Windows.
[CmdletBinding()]
param([string]$action, [string]$name, [bool]$force = $false, [string]$provider)
$ErrorActionPreference = 'Stop'
try {
  $service = Get-Service -Name $name
  $enabled = (Get-CimInstance -ClassName Win32_Service -Filter "Name='$($service.Name)'").StartMode
  switch ($action) {
    'status' { $result = @{ status = "$($service.Status)"; enabled = $enabled } }
    'start' {
      if ($service.Status -eq 'Running') { $result = @{ status = 'in_sync' } }
      else { Start-Service -InputObject $service; $result = @{ status = 'started' } }
    }
    'stop' {
      if ($service.Status -eq 'Stopped') { $result = @{ status = 'in_sync' } }
      else { Stop-Service -InputObject $service -Force:$force; $result = @{ status = 'stopped' } }
    }
    'restart' { Restart-Service -InputObject $service -Force:$force; $result = @{ status = 'restarted' } }
    'enable' {
      if ($enabled -eq 'Auto') { $result = @{ status = 'in_sync' } }
      else { Set-Service -Name $service.Name -StartupType Automatic; $result = @{ status = 'enabled' } }
    }
    'disable' {
      if ($enabled -eq 'Disabled') { $result = @{ status = 'in_sync' } }
      else { Set-Service -Name $service.Name -StartupType Disabled; $result = @{ status = 'disabled' } }
    }
    default { throw "unknown action '$action'" }
  }
  $result | ConvertTo-Json -Compress
} catch {
  @{ _error = @{ kind = 'service/failure'; msg = $_.Exception.Message; details = @{} } } | ConvertTo-Json -Depth 5 -Compress
  exit 1
}
