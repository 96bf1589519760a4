# @summary Restores the previous version on servers
function rolling::back(Array[Target] $servers, String $folder) >> ResultSet {
  run_task_with('rolling::deploy', $servers, 'roll back', '_catch_errors' => true) |$server| {
    { 'folder' => "${folder}/${server.name}" }
  }
}
