# @summary For every key of the results and every value it has: how many targets returned it
# @param resultset The results of one action
function aggregate::count(ResultSet $resultset) >> Hash {
  $named = aggregate::targets($resultset)
  $named.reduce({}) |$memo, $pair| {
    $counts = $pair[1].reduce({}) |$inner, $entry| { $inner + { $entry[0] => $entry[1].length } }
    $memo + { $pair[0] => $counts }
  }
}
