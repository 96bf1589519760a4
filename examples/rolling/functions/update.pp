# @summary Updates some servers; failures are results
function rolling::update(Array[Target] $servers, String $version, String $folder) >> ResultSet {
  run_task_with('rolling::deploy', $servers, "update to ${version}", '_catch_errors' => true) |$server| {
    { 'version' => $version, 'folder' => "${folder}/${server.name}" }
  }
}
