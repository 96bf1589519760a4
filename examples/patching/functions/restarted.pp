# A server that answers may not have gone down yet, so its boot must be another one.
#
# @summary Starts a server anew and waits until it is back
function patching::restarted(Target $server, Hash[String, Any] $settings) >> Undef {
  $ask = "cat '${settings['boot_id_file']}'"
  $before = run_command($ask, $server, "which boot of ${server.name}").first['stdout']
  run_task($settings['restart_task'], $server, "restart ${server.name}")
  $deadline = Timestamp() + Timespan($settings['patience'])
  $back = ctrl::do_until('interval' => 1) || {
    wait_until_available($server, 'wait_time' => 5, 'retry_interval' => 1, '_catch_errors' => true)
    $now = run_command($ask, $server, "is ${server.name} back", '_catch_errors' => true).first
    if $now.ok and $now['stdout'] != $before {
      'back'
    } elsif Timestamp() > $deadline {
      'late'
    }
  }
  if $back == 'late' {
    fail_plan("${server.name} is not back after ${settings['patience']} seconds", 'patching/not-back')
  }
}
