# Makes the temporary directory $name below $parent, which may have variables as a string in double quotes; empty: the
# system's.
$volleyMake = {
    param($parent, $name)
    if ($parent) {
        $parent = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath(
            $ExecutionContext.InvokeCommand.ExpandString($parent))
    } else { $parent = [IO.Path]::GetTempPath() }
    $path = [IO.Path]::Combine($parent, $name)
    # Elsewhere the directory for temporary files is everybody's.
    if ([IO.Path]::DirectorySeparatorChar -eq '/') { [void][IO.Directory]::CreateDirectory($path, 448) }
    else { [void][IO.Directory]::CreateDirectory($path) }
    $path
}
