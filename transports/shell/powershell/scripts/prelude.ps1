# Where Puppet is installed, its programs and libraries are there for tasks (PS-008).
if ($env:OS -eq 'Windows_NT') {
    $volleyPuppet = $null
    foreach ($volleyValue in 'RememberedInstallDir64', 'RememberedInstallDir') {
        if (-not $volleyPuppet) {
            try { $volleyPuppet = [Microsoft.Win32.Registry]::GetValue('HKEY_LOCAL_MACHINE\SOFTWARE\Puppet Labs\Puppet', $volleyValue, $null) } catch { }
        }
    }
    if (-not $volleyPuppet) { $volleyPuppet = $env:ProgramFiles + '\Puppet Labs\Puppet' }
    $volleyPuppet = $volleyPuppet.TrimEnd('\')
    $env:PATH += ';' + $volleyPuppet + '\bin\;' + $volleyPuppet + '\puppet\bin;' + $volleyPuppet + '\sys\ruby\bin\'
    $env:RUBYLIB = $volleyPuppet + '\puppet\lib;' + $volleyPuppet + '\facter\lib;' + $volleyPuppet + '\hiera\lib;' + $env:RUBYLIB
}
$env:PSModulePath += [IO.Path]::PathSeparator + $volley.Directory
# Modules of PowerShell in the files of a task's modules are found by name.
if ($volley.Directory) {
    foreach ($volleyFolder in [IO.Directory]::GetDirectories($volley.Directory)) {
        $volleyFolder = [IO.Path]::Combine($volleyFolder, 'files')
        if ([IO.Directory]::Exists($volleyFolder)) { $env:PSModulePath += [IO.Path]::PathSeparator + $volleyFolder }
    }
}
