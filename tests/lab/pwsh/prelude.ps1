# Short forms of commands from Microsoft.PowerShell.Utility and .Management, which the package of the engine does not have:
# what scripts of the tests use of them. A whole pwsh is better and is taken where it is there.
function global:Invoke-Expression {
    param([Parameter(Mandatory, Position = 0)][string]$Command)
    . ([scriptblock]::Create($Command))
}
function global:Out-String {
    param([switch]$Stream, [int]$Width, [Parameter(ValueFromPipeline)]$InputObject)
    begin { $all = [Text.StringBuilder]::new() }
    process {
        if ($null -eq $InputObject) { return }
        $text = [string]$InputObject
        if ($Stream) { $text -split "\r?\n" } else { $null = $all.AppendLine($text) }
    }
    end { if (-not $Stream) { $all.ToString() } }
}
function global:Read-Host { $Host.UI.ReadLine() }
function global:Write-Output {
    param([Parameter(Position = 0, ValueFromPipeline, ValueFromRemainingArguments)]$InputObject)
    process { $InputObject }
}
function global:Write-Host {
    param([Parameter(Position = 0, ValueFromPipeline)]$Object, [switch]$NoNewline)
    process { if ($NoNewline) { $Host.UI.Write([string]$Object) } else { $Host.UI.WriteLine([string]$Object) } }
}
function global:Write-Warning { param([string]$Message) $PSCmdlet.WriteWarning($Message) }
function global:Write-Error {
    [CmdletBinding()]
    param([Parameter(Mandatory, Position = 0)][string]$Message)
    $exception = [Exception]::new($Message)
    $PSCmdlet.WriteError([Management.Automation.ErrorRecord]::new(
        $exception, 'Microsoft.PowerShell.Commands.WriteErrorException', 'NotSpecified', $null))
}
function global:New-Object {
    param([Parameter(Position = 0)][string]$TypeName, [Parameter(Position = 1)][object[]]$ArgumentList = @(), [hashtable]$Property)
    $made = if ($TypeName -in 'PSObject', 'PSCustomObject') { [pscustomobject]@{} } else { ([type]$TypeName)::new.Invoke($ArgumentList) }
    if ($Property) { foreach ($key in $Property.Keys) { $made.PSObject.Properties.Add([psnoteproperty]::new($key, $Property[$key])) } }
    $made
}
function global:Join-Path { param([string]$Path, [string]$ChildPath) [IO.Path]::Combine($Path, $ChildPath).Replace('\', '/') }
function global:Test-Path { param([string]$Path) [IO.File]::Exists($Path) -or [IO.Directory]::Exists($Path) }
function global:ConvertFrom-Json {
    param([Parameter(Position = 0, ValueFromPipeline)][string]$InputObject)
    begin { $all = [Text.StringBuilder]::new() }
    process { $null = $all.Append($InputObject) }
    end {
        function convert($element) {
            switch ($element.ValueKind.ToString()) {
                'Object' {
                    $made = [pscustomobject]@{}
                    foreach ($each in $element.EnumerateObject()) {
                        $made.PSObject.Properties.Add([psnoteproperty]::new($each.Name, (convert $each.Value)))
                    }
                    $made
                }
                'Array' { , @(foreach ($each in $element.EnumerateArray()) { convert $each }) }
                'String' { $element.GetString() }
                'Number' { $whole = 0L; if ($element.TryGetInt64([ref]$whole)) { $whole } else { $element.GetDouble() } }
                'True' { $true }
                'False' { $false }
                default { $null }
            }
        }
        convert ([Text.Json.JsonDocument]::Parse($all.ToString()).RootElement)
    }
}
function global:ConvertTo-Json {
    param([Parameter(Position = 0, ValueFromPipeline)]$InputObject, [switch]$Compress, [int]$Depth = 2)
    process {
        function write($value) {
            if ($null -eq $value) { return 'null' }
            if ($value -is [bool]) { return ([string]$value).ToLowerInvariant() }
            if ($value -is [string] -or $value -is [char]) { return [Text.Json.JsonEncodedText]::Encode([string]$value) | ForEach-Object { '"' + $_.Value + '"' } }
            if ($value -is [Collections.IDictionary]) {
                return '{' + (@(foreach ($key in $value.Keys) { (write ([string]$key)) + ':' + (write $value[$key]) }) -join ',') + '}'
            }
            if ($value -is [Collections.IEnumerable]) { return '[' + (@(foreach ($each in $value) { write $each }) -join ',') + ']' }
            if ($value -is [Management.Automation.PSCustomObject]) {
                return '{' + (@(foreach ($each in $value.PSObject.Properties) { (write $each.Name) + ':' + (write $each.Value) }) -join ',') + '}'
            }
            [Convert]::ToString($value, [Globalization.CultureInfo]::InvariantCulture)
        }
        write $InputObject
    }
}
# There is no registry.
function global:Get-ItemProperty { param([string]$Path) }
