param($kind, $path, $name, $begin, $end)
# What an action that was cut short has left: a temporary directory, or the parts of an upload.
try {
    if ($kind -eq 'directory') {
        #<directory>
        $found = if ($name) { , (& $volleyMake $path $name) } else { , $path }
    } else {
        $path = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($path)
        $found = foreach ($place in $path, [IO.Path]::GetDirectoryName($path)) {
            if ([IO.Directory]::Exists($place)) { [IO.Directory]::GetFileSystemEntries($place, ".volley-$name*") }
        }
    }
    foreach ($each in $found) {
        if ([IO.File]::Exists($each)) { [IO.File]::Delete($each); continue }
        if (-not [IO.Directory]::Exists($each)) { continue }
        # What the action started may need a moment to end.
        for ($try = 1; ; ++$try) {
            try {
                try { [IO.Directory]::Delete($each, $true) } catch {
                    foreach ($file in [IO.Directory]::GetFiles($each, '*', 'AllDirectories')) {
                        [IO.File]::SetAttributes($file, 'Normal')
                    }
                    [IO.Directory]::Delete($each, $true)
                }
                break
            } catch {
                if ($try -ge 5) { throw }
                [Threading.Thread]::Sleep(300)
            }
        }
    }
    $Host.UI.Write($begin + 'done' + $end)
} catch {
    $Host.UI.Write($begin + 'error CLEANUP ' + [Convert]::ToBase64String(
        [Text.Encoding]::UTF8.GetBytes($_.Exception.GetBaseException().Message)) + $end)
}
