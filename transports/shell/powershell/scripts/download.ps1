param($from, $begin, $end)
# A letter for the kind, gzip of the file or of a tar stream of the directory, and the SHA-256 of all that. In pieces of some
# 256 KiB, which is all that is in memory.
$hash = [Security.Cryptography.SHA256]::Create()
$sink = New-Object IO.MemoryStream
$block = [Array]::CreateInstance([byte], 65536)
$emit = {
    $piece = $sink.ToArray()
    $sink.SetLength(0)
    [void]$hash.TransformBlock($piece, 0, $piece.Length, $piece, 0)
    , $piece
}
$copy = {
    param($path, $announce)
    $file = [IO.File]::Open($path, 'Open', 'Read', 'ReadWrite, Delete')
    try {
        $left = $file.Length
        if ($announce) { & $announce $left }
        $size = $left
        while ($left -gt 0) {
            $read = $file.Read($block, 0, [Math]::Min([long]65536, $left))
            if ($read -le 0) { throw "$path shrank while it was being read" }
            $zip.Write($block, 0, $read)
            $left -= $read
            if ($sink.Length -gt 262144) { & $emit }
        }
        if ($announce -and $size % 512) { $zip.Write($zeros, 0, 512 - $size % 512) }
    } finally { $file.Dispose() }
}
$zeros = [Array]::CreateInstance([byte], 1024)
$header = {
    param($name, $size, $kind)
    $bytes = [Text.Encoding]::UTF8.GetBytes($name)
    if ($bytes.Length -gt 100) {
        & $header '././@LongLink' ($bytes.Length + 1) 'L'
        $zip.Write($bytes, 0, $bytes.Length)
        $zip.Write($zeros, 0, 1 + (512 - ($bytes.Length + 1) % 512) % 512)
    }
    $record = [Array]::CreateInstance([byte], 512)
    $put = { param($at, $text) [void][Text.Encoding]::ASCII.GetBytes($text, 0, $text.Length, $record, $at) }
    [Array]::Copy($bytes, 0, $record, 0, [Math]::Min(100, $bytes.Length))
    & $put 100 $(if ($kind -eq '5') { '0000755' } else { '0000644' })
    & $put 108 '0000000'
    & $put 116 '0000000'
    if ($size -lt 8589934592) { & $put 124 ([Convert]::ToString([long]$size, 8).PadLeft(11, '0')) }
    else {
        $record[124] = 128
        for ($i = 135; $i -ge 128; --$i) { $record[$i] = $size -band 255; $size = [long][Math]::Floor($size / 256) }
    }
    & $put 136 '00000000000'
    & $put 148 '        '
    & $put 156 $kind
    & $put 257 'ustar  '
    $sum = 0
    foreach ($byte in $record) { $sum += $byte }
    & $put 148 ([Convert]::ToString($sum, 8).PadLeft(6, '0') + [char]0 + ' ')
    $zip.Write($record, 0, 512)
}
$walk = {
    param($directory, $prefix, $depth)
    if ($depth -gt 200) { throw "$directory is more than 200 directories deep; a link may lead back" }
    foreach ($path in [IO.Directory]::GetFileSystemEntries($directory)) {
        $name = $prefix + [IO.Path]::GetFileName($path)
        if ([IO.Directory]::Exists($path)) {
            & $header ($name + '/') 0 '5'
            & $walk $path ($name + '/') ($depth + 1)
        } else { & $copy $path { param($size) & $header $name $size '0' } }
    }
}
try {
    $from = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($from)
    $directory = [IO.Directory]::Exists($from)
    $sink.WriteByte($(if ($directory) { 68 } else { 70 }))
    $zip = New-Object IO.Compression.GZipStream($sink, [IO.Compression.CompressionMode]::Compress, $true)
    if ($directory) {
        & $walk $from '' 0
        $zip.Write($zeros, 0, 1024)
    } else { & $copy $from $null }
    $zip.Dispose()
    & $emit
    [void]$hash.TransformFinalBlock($block, 0, 0)
    , $hash.Hash
    $Host.UI.Write($begin + 'done' + $end)
} catch {
    $Host.UI.Write($begin + 'error DOWNLOAD_ERROR ' + [Convert]::ToBase64String(
        [Text.Encoding]::UTF8.GetBytes($_.Exception.GetBaseException().Message)) + $end)
}
