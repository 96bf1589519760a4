# @summary For every key of the results and every value it has: the names of the targets that returned it
# @param resultset The results of one action
function aggregate::targets(ResultSet $resultset) >> Hash {
  $resultset.reduce({}) |$all, $result| {
    $result.value.reduce($all) |$memo, $pair| {
      $key = $pair[0]
      $text = String($pair[1])
      $known = $memo[$key] ? { undef => {}, default => $memo[$key] }
      $names = $known[$text] ? { undef => [], default => $known[$text] }
      $memo + { $key => $known + { $text => $names + [$result.target.name] } }
    }
  }
}
