# @summary Runs a task, command or script on a few targets first, and on the others when that went well
# @param task The task to run
# @param command The command to run
# @param script The script to run
# @param targets Where to run it
# @param params Parameters and options
# @param canary_size How many targets go first
plan canary(
  Optional[String[0]] $task = undef,
  Optional[String[0]] $command = undef,
  Optional[String[0]] $script = undef,
  TargetSpec $targets,
  Hash[String, Data] $params = {},
  Integer $canary_size = 1
) {
  $chosen = [$task, $command, $script].filter |$one| { $one }
  if $chosen.empty {
    fail_plan('Must specify a command, script, or task to run', 'canary/invalid-params')
  }
  if $chosen.length > 1 {
    fail_plan('Must specify only one command, script, or task to run', 'canary/invalid-params')
  }
  [$canaries, $rest] = canary::random_split(get_targets($targets), $canary_size)
  $options = $params + { '_catch_errors' => true }
  $action = if $task { 'run_task' } elsif $command { 'run_command' } else { 'run_script' }
  $object = $chosen[0]

  $first = call($action, $object, $canaries, $options)
  $others = if $first.ok { call($action, $object, $rest, $options) } else { canary::skip($rest) }
  $all = canary::merge($first, $others)
  unless $all.ok {
    $message = if $first.ok {
      "Plan failed for ${all.error_set.count} targets."
    } else {
      "${first.error_set.count} canary target failures. ${others.count} targets skipped."
    }
    fail_plan($message, 'bolt/run-failure', { 'action' => $action, 'object' => $object, 'result_set' => $all })
  }
  return $all
}
