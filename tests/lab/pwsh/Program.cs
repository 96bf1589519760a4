// `pwsh -s` for tests: PowerShell's own remoting server on standard input and output. The method that the real program
// calls for it is internal to the engine's assembly, hence the reflection.
using System.Management.Automation;
using System.Reflection;

var mediator = typeof(PowerShell).Assembly.GetType("System.Management.Automation.Remoting.Server.StdIOProcessMediator", true)!;
var run = mediator.GetMethod("Run", BindingFlags.Static | BindingFlags.NonPublic)!;
if (args.Length == 0 || args[0] != "-s")
{
    Console.Error.WriteLine("usage: pwsh -s");
    Console.Error.WriteLine(run);
    return 2;
}
var prelude = Path.Combine(AppContext.BaseDirectory, "prelude.ps1").Replace("'", "''");
var values = run.GetParameters().Select(parameter => parameter.Name switch
{
    "initialCommand" => $". '{prelude}'",
    _ => parameter.ParameterType == typeof(bool) ? false : (object?)null,
}).ToArray();
run.Invoke(null, values);
return 0;
