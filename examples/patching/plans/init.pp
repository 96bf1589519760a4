# Brings the packages of all servers up to date, a few servers at a time. A server is started anew when its updates ask
# for it, and counts as done only when it is back with another boot. One that goes wrong does not hold up the others.
#
# @summary Update packages, reboot where needed, wait, tell what happened
# @param targets The servers
# @param at_once How many servers are worked on at the same time
# @param reboot Whether to start servers anew: those whose updates need it, all or none
# @param patience Seconds until a server that does not come back counts as failed
# @param update_task The task that updates the packages
# @param restart_task The task that starts a server anew: another one where a hypervisor has to do it
# @param boot_id_file What is another text after each start of a server
plan patching(
  TargetSpec $targets = 'servers',
  Integer[1] $at_once = 2,
  Enum['needed', 'always', 'never'] $reboot = 'needed',
  Integer[1] $patience = 300,
  String[1] $update_task = 'patching::update',
  String[1] $restart_task = 'patching::restart',
  String[1] $boot_id_file = '/proc/sys/kernel/random/boot_id'
) {
  $settings = {
    'reboot' => $reboot, 'patience' => $patience, 'update_task' => $update_task, 'restart_task' => $restart_task,
    'boot_id_file' => $boot_id_file,
  }
  $done = parallelize(get_targets($targets), concurrency => $at_once) |$server| {
    $result = catch_errors() || { patching::server($server, $settings) }
    if $result =~ Error {
      out::message("${server.name}: ${result.msg}")
      next({ 'server' => $server.name, 'problem' => $result.msg })
    }
    $result
  }
  $failed = $done.filter |$one| { $one['problem'] }
  unless $failed.empty {
    fail_plan("${failed.length} of ${done.length} servers need a look", 'patching/failed', { 'servers' => $done })
  }
  return $done
}
