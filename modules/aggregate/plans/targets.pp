# @summary Runs a task, command or script and tells which values which targets gave
# @param task The task to run
# @param command The command to run
# @param script The script to run
# @param targets Where to run it
# @param params Parameters and options
plan aggregate::targets(
  Optional[String[0]] $task = undef,
  Optional[String[0]] $command = undef,
  Optional[String[0]] $script = undef,
  TargetSpec $targets,
  Hash[String, Data] $params = {}
) {
  $chosen = [$task, $command, $script].filter |$one| { $one }
  if $chosen.empty {
    fail_plan('Must specify a command, script, or task to run', 'aggregate/invalid-params')
  }
  if $chosen.length > 1 {
    fail_plan('Must specify only one command, script, or task to run', 'aggregate/invalid-params')
  }
  $results = if $task {
    run_task($task, $targets, $params)
  } elsif $command {
    run_command($command, $targets, $params)
  } else {
    run_script($script, $targets, $params)
  }
  return aggregate::targets($results)
}
