# @summary Runs a task, command or script and lists the targets that returned each value
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
  return aggregate::targets(aggregate::run($task, $command, $script, $targets, $params))
}
