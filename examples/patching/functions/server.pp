# @summary Updates one server and starts it anew when that is wanted
function patching::server(Target $server, Hash[String, Any] $settings) >> Hash {
  $updated = run_task($settings['update_task'], $server, "update ${server.name}").first
  $restart = $settings['reboot'] ? {
    'always' => true,
    'never'  => false,
    default  => $updated['restart_needed'],
  }
  if $restart { patching::restarted($server, $settings) }
  return({ 'server' => $server.name, 'packages' => $updated['packages'], 'restarted' => $restart })
}
