# PowerShell remoting takes 50 MB of input for a command (MaximumReceivedDataSizePerCommand). That guards the memory of the
# server, where a script that writes its input into a file needs little: the limit of this one command is lifted. An engine
# that has it elsewhere keeps it, and then more is an error.
$volleyLift = {
    try {
        $at = $Host
        foreach ($name in 'ExternalHost', '_transportManager', 'Fragmentor', 'DeserializationContext') {
            $at = $at.GetType().InvokeMember($name, 'Instance, Public, NonPublic, GetField, GetProperty', $null, $at, $null)
        }
        [void]$at.GetType().InvokeMember('MaximumAllowedMemory', 'Instance, NonPublic, SetProperty', $null, $at, @($null))
    } catch { }
}
