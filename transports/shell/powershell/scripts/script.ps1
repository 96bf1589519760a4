# A .ps1 with positional values, in this engine (PS-009).
if (Get-Command Get-ExecutionPolicy -ErrorAction SilentlyContinue) {
    $volley.Policy = [string](Get-ExecutionPolicy)
    if ($volley.Policy -eq 'AllSigned' -and (Get-AuthenticodeSignature -FilePath $volley.File).Status -ne 'Valid') {
        $Host.UI.WriteErrorLine("Error: Target host Powershell ExecutionPolicy is set to AllSigned and script '$($volley.File)' does not contain a valid signature.")
        exit 1
    }
    if ($volley.Policy -eq 'Restricted') {
        $Host.UI.WriteErrorLine('Error: Target host Powershell ExecutionPolicy is set to Restricted which denies running any scripts on the target.')
        exit 1
    }
}
$volley.Block = (Get-Command $volley.File).ScriptBlock
if (-not $volley.Block) {
    $Host.UI.WriteErrorLine("Error: Failed to obtain scriptblock from '$($volley.File)'. Running scripts may be disabled on this system. For more information, see about_Execution_Policies at https:/go.microsoft.com/fwlink/?LinkID=135170")
    exit 1
}
$volleyWords = $volley.Words
try {
    & $volley.Block @volleyWords
    $volley.Good = $?
} catch {
    $Host.UI.WriteErrorLine("[$($_.FullyQualifiedErrorId)] Exception $($_.InvocationInfo.PositionMessage).`n$($_.Exception.Message)")
    exit 1
}
if (-not $volley.Good) { if ($LASTEXITCODE) { exit $LASTEXITCODE } else { exit 1 } }
