# When the machine was started, in seconds since 1970.
[CmdletBinding()]
param()
$started = (Get-CimInstance -ClassName Win32_OperatingSystem).LastBootUpTime.ToUniversalTime()
[long]($started - [DateTime]'1970-01-01').TotalSeconds
