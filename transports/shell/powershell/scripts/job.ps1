$volley.Say = { param($text) $Host.UI.Write($volley.Begin + $text + $volley.End) }
try {
    try {
        $volley.Code = 'TMPDIR_ERROR'
        if (-not $volley.Directory) { $volley.Directory = & $volleyMake $volley.Parent $volley.Name }
        if ($volley.Keep) {
            & $volley.Say ('kept ' + [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes($volley.Directory)))
        }
        $volley.Code = 'WRITE_ERROR'
        if ($volley.Packed) {
            $volley.Packed = New-Object IO.MemoryStream(, [Convert]::FromBase64String($volley.Packed))
            $volley.Source = New-Object IO.Compression.GZipStream($volley.Packed, [IO.Compression.CompressionMode]::Decompress)
            & $volleyUnpack $volley.Source $volley.Directory
        }
    } catch {
        & $volley.Say ('error ' + $volley.Code + ' ' + [Convert]::ToBase64String(
            [Text.Encoding]::UTF8.GetBytes($_.Exception.GetBaseException().Message)))
        exit 1
    }
    . $volley.Run
} finally {
    # No script block and no cmdlet: they do not run in a pipeline that is being stopped. What cannot be removed while this
    # process lives (a library that it has loaded, puppetlabs/bolt#3111) is removed after it, because "removed" is not said.
    if ($volley.Directory -and -not $volley.Keep) {
        try {
            try { [IO.Directory]::Delete($volley.Directory, $true) } catch {
                foreach ($volleyFile in [IO.Directory]::GetFiles($volley.Directory, '*', 'AllDirectories')) {
                    [IO.File]::SetAttributes($volleyFile, 'Normal')
                }
                [IO.Directory]::Delete($volley.Directory, $true)
            }
            $Host.UI.Write($volley.Begin + 'removed' + $volley.End)
        } catch { }
    }
}
