# What came ends with the SHA-256 of all before: it is compared and cut off. Returns what was packed; throws $failure first.
$volleySource = {
    param($file, $failure)
    if ($null -ne $failure) { throw $failure }
    $size = $file.Length - 32
    if ($size -lt 0) { throw 'the transfer is incomplete' }
    $file.Position = 0
    $hash = [Security.Cryptography.SHA256]::Create()
    $block = [Array]::CreateInstance([byte], 65536)
    for ($left = $size; $left -gt 0; $left -= $read) {
        $read = $file.Read($block, 0, [Math]::Min([long]65536, $left))
        [void]$hash.TransformBlock($block, 0, $read, $block, 0)
    }
    [void]$hash.TransformFinalBlock($block, 0, 0)
    $sent = [Array]::CreateInstance([byte], 32)
    [void]$file.Read($sent, 0, 32)
    if ([BitConverter]::ToString($hash.Hash) -ne [BitConverter]::ToString($sent)) { throw 'SHA-256 mismatch' }
    $file.SetLength($size)
    $file.Position = 0
    New-Object IO.Compression.GZipStream($file, [IO.Compression.CompressionMode]::Decompress)
}
$volleyFail = {
    param($code, $record)
    $Host.UI.Write($begin + 'error ' + $code + ' ' + [Convert]::ToBase64String(
        [Text.Encoding]::UTF8.GetBytes($record.Exception.GetBaseException().Message)) + $end)
}
