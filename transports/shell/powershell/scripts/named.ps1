# A .ps1 gets those of the named values that it declares, each with its type (PS-005).
$volley.Named = @{}
foreach ($volleyName in @((Get-Command $volley.File).Parameters.Keys)) {
    if ($volley.Values.ContainsKey($volleyName)) { $volley.Named[$volleyName] = $volley.Values[$volleyName] }
}
$volleyNamed = $volley.Named
try {
    & $volley.File @volleyNamed
    $volley.Good = $?
} catch {
    $Host.UI.WriteErrorLine("[$($_.FullyQualifiedErrorId)] Exception $($_.InvocationInfo.PositionMessage).`n$($_.Exception.Message)")
    exit 1
}
if (-not $volley.Good) { if ($LASTEXITCODE) { exit $LASTEXITCODE } else { exit 1 } }
