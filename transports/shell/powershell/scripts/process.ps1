# Runs $volley.Program with $volley.Words, and $volley.Text as its standard input. What it writes and reads is UTF-8.
$OutputEncoding = New-Object Text.UTF8Encoding $false
try { [Console]::InputEncoding = $OutputEncoding } catch { }
try { [Console]::OutputEncoding = $OutputEncoding } catch { }
if (-not (Get-Command $volley.Program -CommandType Application -ErrorAction SilentlyContinue)) {
    $Host.UI.WriteErrorLine("Could not find executable '$($volley.Program)' on the target")
    exit 1
}
# Up to 7.2, and for cmd always, an argument is put into the command line as it is, with quotes around it when it has spaces.
if ($volley.Program -notmatch 'cmd(\.exe)?$' -and $PSVersionTable.PSVersion -lt [version]'7.3') {
    $volley.Words = @(foreach ($volleyWord in $volley.Words) {
        if ($volleyWord -eq '') { '""'; continue }
        $volleyWord = $volleyWord -replace '(\\*)"', '$1$1\"'
        if ($volleyWord -match '\s') { $volleyWord -replace '(\\+)$', '$1$1' } else { $volleyWord }
    })
}
$volleyWords = $volley.Words
if ($null -ne $volley.Text) { $volley.Text | & $volley.Program @volleyWords } else { & $volley.Program @volleyWords }
$volley.Good = $?
if (-not $volley.Good -and $null -eq $LASTEXITCODE) { exit 1 }
if ($LASTEXITCODE) { exit $LASTEXITCODE }
