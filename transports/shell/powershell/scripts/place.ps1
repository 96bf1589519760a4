param($parent, $name, $begin, $end)
begin {
    #<directory>
    #<unpack>
    #<spool>
    #<lift>
    & $volleyLift
    $failure = $null
    $file = $null
    $code = 'TMPDIR_ERROR'
    try {
        $directory = & $volleyMake $parent $name
        $spool = [IO.Path]::Combine($directory, '.volley-files')
        $code = 'WRITE_ERROR'
        $file = [IO.File]::Open($spool, 'CreateNew', 'ReadWrite')
    } catch { $failure = $_ }
}
process { if ($null -eq $failure) { try { $file.Write($_, 0, $_.Length) } catch { $failure = $_ } } }
end {
    try {
        $source = & $volleySource $file $failure
        & $volleyUnpack $source $directory
        $file.Dispose()
        [IO.File]::Delete($spool)
        $Host.UI.Write($begin + 'directory ' + [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes($directory)) + $end)
    } catch {
        & $volleyFail $code $_
    } finally {
        if ($file) { $file.Dispose() }
    }
}
