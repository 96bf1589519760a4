# @summary Runs a task, command or script and counts the targets that returned each value
# @param task The task to run
# @param command The command to run
# @param script The script to run
# @param targets Where to run it
# @param params Parameters and options
plan aggregate::count(
  Optional[String[0]] $task = undef,
  Optional[String[0]] $command = undef,
  Optional[String[0]] $script = undef,
  TargetSpec $targets,
  Hash[String, Data] $params = {}
) {
  return aggregate::count(aggregate::run($task, $command, $script, $targets, $params))
}
