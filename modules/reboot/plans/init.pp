# @summary Reboots targets and waits until they are back
# @param targets The targets to reboot
# @param message What to tell the users of the targets
# @param reboot_delay Seconds until the targets go down
# @param disconnect_wait Seconds to wait before looking for the targets again
# @param reconnect_timeout Seconds until a target that is not back counts as failed
# @param retry_interval Seconds between two looks
# @param fail_plan_on_errors Whether the plan fails when a target does
plan reboot(
  TargetSpec $targets,
  Optional[String] $message = undef,
  Integer[1] $reboot_delay = 1,
  Integer[0] $disconnect_wait = 10,
  Integer[0] $reconnect_timeout = 180,
  Integer[0] $retry_interval = 1,
  Boolean $fail_plan_on_errors = true
) {
  $all = get_targets($targets)
  if $all.empty { return ResultSet.new([]) }

  $before = without_default_logging() || { run_task('reboot::last_boot_time', $all) }
  $options = $message ? { undef => {}, default => { 'message' => $message } }
  $results = run_task('reboot', $all,
    { 'timeout' => $reboot_delay, '_catch_errors' => !$fail_plan_on_errors } + $options)
  ctrl::sleep($reboot_delay + $disconnect_wait)

  $deadline = Timestamp() + Timespan($reconnect_timeout)
  $waiting = $results.ok_set.names
  $left = without_default_logging() || {
    reboot::wait_for($waiting, $before, $deadline, $retry_interval)
  }
  if !$left.empty and $fail_plan_on_errors {
    fail_plan("Hosts failed to come up after reboot within ${reconnect_timeout} seconds: ${left.join(', ')}",
      'bolt/reboot-timeout', { 'failed_targets' => $left })
  }
  $late = $left.map |$name| {
    Result.new({ 'target' => get_target($name), 'value' => { '_error' => {
      'msg' => 'failed to reboot', 'kind' => 'bolt/reboot-failed', 'details' => {} } } })
  }
  return ResultSet.new($results.results.filter |$one| { !($one.target.name in $left) } + $late)
}
