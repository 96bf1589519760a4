param($destination, $name, $kind, $unique, $begin, $end)
begin {
    #<unpack>
    #<spool>
    #<lift>
    & $volleyLift
    $failure = $null
    $file = $null
    $part = $null
    $code = 'WRITE_ERROR'
    try {
        $destination = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($destination)
        if ([IO.Directory]::Exists($destination)) { $destination = [IO.Path]::Combine($destination, $name) }
        if ([IO.Directory]::Exists($destination)) {
            $code = 'MV_ERROR'
            throw "$destination already exists and is a directory"
        }
        $parent = [IO.Path]::GetDirectoryName($destination)
        [void][IO.Directory]::CreateDirectory($parent)
        # Beside its place: only there a rename is at once.
        $part = [IO.Path]::Combine($parent, '.volley-' + $unique)
        $file = [IO.File]::Open($part + '.gz', 'CreateNew', 'ReadWrite')
    } catch { $failure = $_ }
}
process { if ($null -eq $failure) { try { $file.Write($_, 0, $_.Length) } catch { $failure = $_ } } }
end {
    try {
        $source = & $volleySource $file $failure
        if ($kind -eq 'directory') {
            [void][IO.Directory]::CreateDirectory($part)
            & $volleyUnpack $source $part
            $code = 'MV_ERROR'
            [IO.Directory]::Move($part, $destination)
        } else {
            $whole = [IO.File]::Open($part, 'CreateNew', 'Write')
            try {
                $block = [Array]::CreateInstance([byte], 65536)
                while (($read = $source.Read($block, 0, 65536)) -gt 0) { $whole.Write($block, 0, $read) }
            } finally { $whole.Dispose() }
            $code = 'MV_ERROR'
            if ([IO.File]::Exists($destination)) {
                # At once, and the file keeps its rights; some file systems cannot do that.
                try { [IO.File]::Replace($part, $destination, [NullString]::Value) } catch {
                    [IO.File]::Delete($destination)
                    [IO.File]::Move($part, $destination)
                }
            } else { [IO.File]::Move($part, $destination) }
        }
        $Host.UI.Write($begin + 'done' + $end)
    } catch {
        & $volleyFail $code $_
    } finally {
        if ($file) { $file.Dispose() }
        if ($part) {
            [IO.File]::Delete($part + '.gz')
            [IO.File]::Delete($part)
            if ([IO.Directory]::Exists($part)) { [IO.Directory]::Delete($part, $true) }
        }
    }
}
