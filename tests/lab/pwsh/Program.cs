// A PowerShell for tests where only the engine can be had: what `pwsh -s` is (remoting over standard input
// and output), and of the program's command line what Volley uses: -Command, -EncodedCommand and -File.
using System.Collections.ObjectModel;
using System.Globalization;
using System.Management.Automation;
using System.Management.Automation.Host;
using System.Management.Automation.Runspaces;
using System.Reflection;
using System.Security;
using System.Text;

var prelude = ". '" + Path.Combine(AppContext.BaseDirectory, "prelude.ps1").Replace("'", "''") + "'";
var (mode, text, words) = CommandLine.Read(args);
switch (mode) {
    case "server":
        // The method that the real program calls for it is internal to the engine's assembly, hence the
        // reflection.
        var mediator =
            typeof(PowerShell)
                .Assembly.GetType("System.Management.Automation.Remoting.Server.StdIOProcessMediator", true)!;
        var run = mediator.GetMethod("Run", BindingFlags.Static | BindingFlags.NonPublic)!;
        run.Invoke(null, run.GetParameters()
                             .Select(parameter => parameter.Name switch {
                                 "initialCommand" => prelude,
                                 _ => parameter.ParameterType == typeof(bool) ? false : (object?)null,
                             })
                             .ToArray());
        return 0;
    case "command":
        return new Session(prelude).Run(text, Console.IsInputRedirected);
    case "file":
        var quoted = words.Select(word => word.StartsWith('-') ? word : "'" + word.Replace("'", "''") + "'");
        var call = "& '" + text.Replace("'", "''") + "' " + string.Join(' ', quoted);
        return new Session(prelude).Run(
            call + "\nif (-not $?) { if ($LASTEXITCODE) { exit $LASTEXITCODE } exit 1 }", false);
    default:
        Console.Error.WriteLine(
            "usage: pwsh -s | -Command TEXT | -EncodedCommand BASE64 | -File SCRIPT [ARGUMENT...]");
        return 64;
}

static class CommandLine {
    static readonly string[] WithValue = { "-executionpolicy", "-inputformat", "-outputformat",
                                           "-windowstyle" };

    public static (string mode, string text, string[] words) Read(string[] args) {
        for (var at = 0; at < args.Length; ++at) {
            var name = args[at].ToLowerInvariant();
            var rest = args[(at + 1)..];
            if (name is "-s" or "-servermode")
                return ("server", "", rest);
            if (name is "-c" or "-command")
                return ("command", string.Join(' ', rest), rest);
            if (name is "-file" or "-f" && rest.Length > 0)
                return ("file", rest[0], rest[1..]);
            if (name is "-encodedcommand" or "-enc" or "-e" && rest.Length > 0)
                return ("command", Encoding.Unicode.GetString(Convert.FromBase64String(rest[0])), rest);
            if (WithValue.Contains(name))
                ++at;
        }
        return ("none", "", args);
    }
}

/// One run of a text, as the console host has it: output formatted on standard output, errors on standard
/// error, lines of standard input as the pipeline's input.
sealed class Session
(string prelude) {
    public int Run(string text, bool withInput) {
        Console.OutputEncoding = new UTF8Encoding(false);
        var host = new Host();
        using var runspace = RunspaceFactory.CreateRunspace(host, InitialSessionState.CreateDefault2());
        runspace.Open();
        using (var first = PowerShell.Create(runspace)) first.AddScript(prelude, false).Invoke();
        using var shell = PowerShell.Create(runspace);
        shell.AddScript(text, false);
        shell.Commands.Commands[0].MergeMyResults(PipelineResultTypes.Error, PipelineResultTypes.Output);
        shell.AddCommand("Out-Default");
        var input = new PSDataCollection<string>();
        if (!withInput)
            input.Complete();
        else
            new Thread(() =>
            {
                while (Console.In.ReadLine() is { } line) input.Add(line);
        input.Complete();
    }) { IsBackground = true }.Start();
    try {
        shell.EndInvoke(shell.BeginInvoke(input, new PSDataCollection<PSObject>()));
    } catch (RuntimeException error) {
        host.UI.WriteErrorLine(error.Message);
        return host.Status ?? 1;
    }
    if (host.Status is {} status)
        return status;
    using var last = PowerShell.Create(runspace);
    return last.AddScript("$?", false).Invoke<bool>().FirstOrDefault() ? 0 : 1;
}
}

sealed class Host : PSHost {
    readonly Guid id = Guid.NewGuid();
    readonly PSHostUserInterface ui = new UserInterface();
    public int? Status { get; private set; }
    public override Guid InstanceId => id;
    public override string Name => "ConsoleHost";
    public override Version Version => new(7, 6);
    public override CultureInfo CurrentCulture => CultureInfo.InvariantCulture;
    public override CultureInfo CurrentUICulture => CultureInfo.InvariantCulture;
    public override PSHostUserInterface UI => ui;
    public override void EnterNestedPrompt() => throw new NotSupportedException();
    public override void ExitNestedPrompt() {}
    public override void NotifyBeginApplication() {}
    public override void NotifyEndApplication() {}
    public override void SetShouldExit(int exitCode) => Status ??= exitCode;
}

sealed class UserInterface : PSHostUserInterface {
    public override PSHostRawUserInterface? RawUI => null;
    public override void Write(string value) {
        Console.Out.Write(value);
        Console.Out.Flush();
    }
    public override void Write(ConsoleColor foreground, ConsoleColor background,
                               string value) => Write(value);
    public override void WriteLine(string value) => Write(value + Environment.NewLine);
    public override void WriteErrorLine(string value) {
        Console.Error.WriteLine(value);
        Console.Error.Flush();
    }
    public override void WriteDebugLine(string message) => WriteLine("DEBUG: " + message);
    public override void WriteVerboseLine(string message) => WriteLine("VERBOSE: " + message);
    public override void WriteWarningLine(string message) => WriteLine("WARNING: " + message);
    public override void WriteProgress(long sourceId, ProgressRecord record) {}
    static Exception Nobody() => new PSInvalidOperationException("PowerShell is in NonInteractive mode.");
    public override string ReadLine() => throw Nobody();
    public override SecureString ReadLineAsSecureString() => throw Nobody();
    public override Dictionary<string, PSObject> Prompt(
        string caption, string message, Collection<FieldDescription> fields) => throw Nobody();
    public override int PromptForChoice(string caption, string message, Collection<ChoiceDescription> choices,
                                        int defaultChoice) => throw Nobody();
    public override PSCredential PromptForCredential(string caption, string message, string userName,
                                                     string targetName) => throw Nobody();
    public override PSCredential PromptForCredential(string caption, string message, string userName,
                                                     string targetName, PSCredentialTypes allowed,
                                                     PSCredentialUIOptions options) => throw Nobody();
}
