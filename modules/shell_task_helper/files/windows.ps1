# What bundled tasks in PowerShell share. Windows PowerShell 3 and later.
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
[Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor 3072  # TLS 1.2

# To the host, and not as output: a caller may be keeping that.
function Stop-Task([string]$Kind, [string]$Message) {
  Write-Host (@{ _error = @{ kind = $Kind; msg = $Message; details = @{} } } | ConvertTo-Json -Depth 5 -Compress)
  exit 1
}

# The folder that a puppet-agent was installed to; nothing when there is none.
function Get-PuppetFolder {
  $key = Get-ItemProperty -Path 'HKLM:\SOFTWARE\Puppet Labs\Puppet' -ErrorAction SilentlyContinue
  if ($null -eq $key) { return }
  foreach ($name in 'RememberedInstallDir64', 'RememberedInstallDir') {
    $folder = $key.$name
    if ($folder -and (Test-Path -LiteralPath $folder)) { return $folder }
  }
}

function Get-PuppetProgram([string]$Kind) {
  $folder = Get-PuppetFolder
  if ($folder) { return (Join-Path $folder 'bin\puppet.bat') }
  $found = Get-Command -Name 'puppet' -CommandType Application -ErrorAction SilentlyContinue | Select-Object -First 1
  if ($null -eq $found) { Stop-Task $Kind "Puppet executable 'puppet' does not exist" }
  return $found.Path
}

function Get-PuppetVersion {
  $folder = Get-PuppetFolder
  if (-not $folder) { return }
  $file = Join-Path $folder 'VERSION'
  if (Test-Path -LiteralPath $file) { return ([string](Get-Content -LiteralPath $file | Select-Object -First 1)).Trim() }
}

# Downloads an MSI package and installs it. 3010 and 1641: done, and the machine wants to restart.
function Install-Msi([string]$Kind, [string]$Source, [string]$Options, [int]$Retries) {
  $package = Join-Path ([IO.Path]::GetTempPath()) ([Guid]::NewGuid().ToString() + '.msi')
  $log = $package + '.log'
  try {
    for ($attempt = 1; ; $attempt++) {
      try {
        if ($Source -match '^https?://') { Invoke-WebRequest -UseBasicParsing -Uri $Source -OutFile $package }
        else { Copy-Item -LiteralPath $Source -Destination $package }
        break
      } catch {
        if ($attempt -gt $Retries -or $Source -notmatch '^https?://') { Stop-Task $Kind "Downloading $Source failed: $($_.Exception.Message)" }
        Start-Sleep -Seconds 2
      }
    }
    $words = "/qn /norestart /i `"$package`" /l*v `"$log`" $Options"
    $process = Start-Process -FilePath 'msiexec.exe' -ArgumentList $words -Wait -PassThru
    if (0, 3010, 1641 -notcontains $process.ExitCode) {
      Stop-Task $Kind "msiexec ended with $($process.ExitCode); its log is in $log"
    }
    Remove-Item -LiteralPath $log -ErrorAction SilentlyContinue
    return ($process.ExitCode -ne 0)
  } finally {
    Remove-Item -LiteralPath $package -ErrorAction SilentlyContinue
  }
}
