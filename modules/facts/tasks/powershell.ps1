# What Windows says of itself, in the shape of Facter's `os`.
[CmdletBinding()]
param()
$system = Get-CimInstance -ClassName Win32_OperatingSystem
$kernel = [Version]$system.Version
$server = $system.ProductType -ne 1
# Facter names a release of Windows as people do.
$release = "$($kernel.Major).$($kernel.Minor)"
if ($system.Caption -match 'Server (\d{4}( R2)?)') { $release = $Matches[1] }
elseif ($kernel.Build -ge 22000 -and -not $server) { $release = '11' }
elseif ($kernel.Major -eq 10) { $release = '10' }
@{ os = @{ name = 'windows'; family = 'windows'; release = @{ full = $release; major = $release } } } | ConvertTo-Json -Depth 5 -Compress
