# What tasks in PowerShell say their errors with. Windows PowerShell 3 and later.

# Prints the error of a task. `Exception` may also be the error record that `catch` and `trap` have in $_.
function Write-BoltError {
  param(
    [string]$Message,
    [string]$Kind = 'puppetlabs.task/task-error',
    $Exception
  )
  $info = ''
  if ($Exception -is [Management.Automation.ErrorRecord]) {
    $info = @([string]$Exception.Exception, $Exception.InvocationInfo.PositionMessage, $Exception.ScriptStackTrace) -join "`n"
    $Exception = $Exception.Exception
  } elseif ($null -ne $Exception) {
    $info = [string]$Exception
  }
  if (-not $Message -and $Exception -is [Exception]) { $Message = $Exception.Message }
  ConvertTo-Json -InputObject @{ _error = @{ msg = $Message; kind = $Kind; details = @{ detailedInfo = $info; exitcode = 1 } } } -Depth 5
}

Export-ModuleMember -Function Write-BoltError
