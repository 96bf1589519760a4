# @summary Runs the one of a task, a command and a script that is given
# @param task The task to run
# @param command The command to run
# @param script The script to run
# @param targets Where to run it
# @param params Parameters and options
# @api private
function aggregate::run(
  Optional[String[0]] $task,
  Optional[String[0]] $command,
  Optional[String[0]] $script,
  TargetSpec $targets,
  Hash[String, Data] $params
) >> ResultSet {
  $chosen = [$task, $command, $script].filter |$one| { $one }
  if $chosen.empty {
    fail_plan('Must specify a command, script, or task to run', 'aggregate/invalid-params')
  }
  if $chosen.length > 1 {
    fail_plan('Must specify only one command, script, or task to run', 'aggregate/invalid-params')
  }
  if $task {
    run_task($task, $targets, $params)
  } elsif $command {
    run_command($command, $targets, $params)
  } else {
    run_script($script, $targets, $params)
  }
}
