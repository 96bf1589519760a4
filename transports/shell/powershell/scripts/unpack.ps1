# Unpacks the tar stream $source below the directory $root. Only .NET's own classes: they need no module and are fast.
$volleyUnpack = {
    param($source, $root)
    $block = [Array]::CreateInstance([byte], 65536)
    $windows = [IO.Path]::DirectorySeparatorChar -eq '\'
    $fill = {
        param($wanted)
        $got = 0
        while ($got -lt $wanted) {
            $read = $source.Read($block, $got, $wanted - $got)
            if ($read -le 0) { throw 'the transfer is incomplete' }
            $got += $read
        }
    }
    $long = $null
    while ($true) {
        & $fill 512
        if ($block[0] -eq 0) { break }
        $name = if ($null -ne $long) { $long } else { [Text.Encoding]::UTF8.GetString($block, 0, 100).Split([char]0)[0] }
        $long = $null
        $kind = [char]$block[156]
        $size = [long]0
        if ($block[124] -ge 128) { for ($i = 128; $i -lt 136; ++$i) { $size = $size * 256 + $block[$i] } }
        else { for ($i = 124; $i -lt 136; ++$i) { if ($block[$i] -ge 48) { $size = $size * 8 + $block[$i] - 48 } } }
        $padding = (512 - $size % 512) % 512
        if ($kind -eq 'L') {
            & $fill ($size + $padding)
            $long = [Text.Encoding]::UTF8.GetString($block, 0, $size).TrimEnd([char]0)
            continue
        }
        if ($windows -and $name -match '[:*?"<>|\\]') { throw "'$name' cannot be the name of a file on Windows" }
        $path = [IO.Path]::GetFullPath([IO.Path]::Combine($root, $name))
        if ($kind -eq '5') { [void][IO.Directory]::CreateDirectory($path); continue }
        [void][IO.Directory]::CreateDirectory([IO.Path]::GetDirectoryName($path))
        $file = [IO.File]::Open($path, 'Create', 'Write')
        try {
            while ($size -gt 0) {
                $read = $source.Read($block, 0, [Math]::Min([long]65536, $size))
                if ($read -le 0) { throw 'the transfer is incomplete' }
                $file.Write($block, 0, $read)
                $size -= $read
            }
        } finally { $file.Dispose() }
        & $fill $padding
    }
}
