# Goes down in some seconds, so that the task itself can still end well.
[CmdletBinding()]
param($timeout = 3, [string]$message, [bool]$shutdown_only = $false)
$seconds = [Math]::Max(3, [int]"$timeout")
$words = @($(if ($shutdown_only) { '/s' } else { '/r' }), '/t', "$seconds", '/d', 'p:4:1')
if ($message) { $words += @('/c', $message) }
& "$env:SystemRoot\System32\shutdown.exe" @words
if ($LASTEXITCODE -ne 0) {
  @{ _error = @{ kind = 'reboot/failure'; msg = "shutdown.exe ended with $LASTEXITCODE"; details = @{} } } | ConvertTo-Json -Depth 5 -Compress
  exit 1
}
@{ status = 'queued'; timeout = $seconds } | ConvertTo-Json -Compress
