# The command line's own part: what to do comes on standard input, where nobody else sees it. A line with "action" or
# "housekeeping", the script and its arguments in base64; then what the script reads, a line for each piece.
# No quotes but single ones, no backslash, and no comment after a statement: it becomes one line. $input, because a
# `process` of the command line itself gets nothing from PowerShell's program; it comes as it arrives.
$input | & {
begin {
$utf8 = New-Object Text.UTF8Encoding $false;
try { [Console]::OutputEncoding = $utf8 } catch { };
$ProgressPreference = 'SilentlyContinue';
$stdout = [Console]::OpenStandardOutput();
$print = { process {
if ($_ -is [byte[]]) { $bytes = $_ } else { $bytes = $utf8.GetBytes([string]$_ + [char]13 + [char]10) };
$stdout.Write($bytes, 0, $bytes.Length);
$stdout.Flush() } };
$use = $null;
$steps = $null
}
process {
if ($null -eq $use) {
$words = $_.Trim().Split(' ');
$use = $words[0];
$texts = @(foreach ($word in $words) { if ($word -eq '-' -or $word -eq $use) { '' } else { $utf8.GetString([Convert]::FromBase64String($word)) } });
if ($use -eq 'housekeeping') {
$script = [scriptblock]::Create($texts[1]);
$values = @(for ($i = 2; $i -lt $texts.Count; ++$i) { $texts[$i] });
$steps = { & $script @values | & $print }.GetSteppablePipeline();
$steps.Begin($true)
}
} elseif ($steps) { $steps.Process([Convert]::FromBase64String($_.Trim())) }
}
end {
if ($steps) { $steps.End() }
else {
Invoke-Expression -Command ($texts[1] + [char]13 + [char]10 + 'if (!$?) { if ($LASTEXITCODE) { exit $LASTEXITCODE } else { exit 1 } }') | Out-String -Stream -Width 250 | & $print
}
}
}
