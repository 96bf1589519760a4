# Sends a request.
[CmdletBinding()]
param([string]$base_url, [string]$path, [string]$method = 'get', $body, $headers, [bool]$json_endpoint = $false,
      [bool]$follow_redirects = $true, [int]$max_redirects = 20, [string]$cacert, [string]$cert, [string]$key,
      [string]$_installdir)
. (Join-Path $_installdir 'shell_task_helper\files\windows.ps1')
$kind = 'http_request'
if ($cacert -or $key) { Stop-Task "$kind/failure" 'cacert and key are for targets with a shell: Windows has its own store of certificates' }
$uri = [Uri]$base_url
if ($path) { $uri = New-Object -TypeName Uri -ArgumentList $uri, $path }
$request = [Net.WebRequest]::Create($uri)
$request.Method = $method.ToUpper()
$request.AllowAutoRedirect = $follow_redirects
if ($follow_redirects) { $request.MaximumAutomaticRedirections = $max_redirects }
if ($cert) { [void]$request.ClientCertificates.Add((New-Object -TypeName Security.Cryptography.X509Certificates.X509Certificate2 -ArgumentList $cert)) }
if ($json_endpoint) { $request.ContentType = 'application/json' }
if ($null -ne $headers) {
  $pairs = if ($headers -is [Collections.IDictionary]) { $headers.GetEnumerator() } else { $headers.PSObject.Properties }
  foreach ($pair in $pairs) {
    $name = if ($pair -is [Collections.DictionaryEntry]) { $pair.Key } else { $pair.Name }
    switch ($name) {  # headers that have a property of their own
      'Content-Type' { $request.ContentType = $pair.Value }
      'Accept' { $request.Accept = $pair.Value }
      'User-Agent' { $request.UserAgent = $pair.Value }
      'Host' { $request.Host = $pair.Value }
      default { $request.Headers.Add($name, $pair.Value) }
    }
  }
}
try {
  if ($null -ne $body) {
    $text = if ($body -is [string]) { $body } else { ConvertTo-Json -InputObject $body -Depth 50 -Compress }
    $bytes = [Text.Encoding]::UTF8.GetBytes($text)
    $stream = $request.GetRequestStream()
    $stream.Write($bytes, 0, $bytes.Length)
    $stream.Close()
  }
  $response = $request.GetResponse()
} catch {
  $web = $_.Exception.GetBaseException()
  $response = $web.Response  # 404 and the like are answers too
  if ($null -eq $response) { Stop-Task "$kind/connect-error" "Failed to connect to $($uri.GetLeftPart('Path')): $($web.Message)" }
}
$status = [int]$response.StatusCode
if ($follow_redirects -and $status -ge 300 -and $status -lt 400 -and $status -ne 304) {
  Stop-Task "$kind/too-many-redirects-error" "Too many redirects (max: $max_redirects)"
}
$reader = New-Object -TypeName IO.StreamReader -ArgumentList $response.GetResponseStream(), ([Text.Encoding]::UTF8)
$answer = $reader.ReadToEnd()
$reader.Close()
if ($json_endpoint) {
  try { $answer = ConvertFrom-Json -InputObject $answer } catch { Stop-Task "$kind/json-parse-error" 'Unable to parse response body as JSON' }
}
@{ body = $answer; status_code = $status } | ConvertTo-Json -Depth 50 -Compress
