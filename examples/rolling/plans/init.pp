# Puts a new version on all servers, a few at a time. The first server is the canary: when it fails, it gets the old
# version back and the others are left alone. A later failure takes all of them back.
#
# @summary A rolling update with a canary and a way back
# @param targets The servers
# @param version What to put in place
# @param folder Where servers keep their version
# @param at_once How many servers are updated at the same time
plan rolling(
  TargetSpec $targets = 'web',
  String[1] $version,
  String[1] $folder,
  Integer[1] $at_once = 2
) {
  $servers = get_targets($targets)
  $canary = $servers[0]
  $rest = $servers[1, -1]
  $first = rolling::update([$canary], $version, $folder)
  unless $first.ok {
    rolling::back([$canary], $folder)
    fail_plan("The canary ${canary.name} failed; nothing else was touched", 'rolling/canary-failed')
  }
  out::message("${canary.name} runs ${version}, ${rest.length} to go")
  $done = parallelize($rest, concurrency => $at_once) |$server| { rolling::update([$server], $version, $folder) }
  $failed = $done.filter |$one| { !$one.ok }
  unless $failed.empty {
    rolling::back($servers, $folder)
    fail_plan("${failed.length} of ${servers.length} servers failed; all are back on the old version", 'rolling/failed')
  }
  return $servers.map |$server| { $server.name }
}
