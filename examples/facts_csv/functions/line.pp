# @summary A line of a CSV file (RFC 4180)
function facts_csv::line(Array $values) >> String {
  $fields = $values.map |$value| {
    $text = $value ? { undef => '', default => String($value) }
    # A spreadsheet takes what begins like this for a formula; the machine's text must stay one.
    $plain = $text ? { /\A[=+@\t\r-]/ => "'${text}", default => $text }
    $plain ? { /[",\r\n]/ => "\"${regsubst($plain, '"', '""', 'G')}\"", default => $plain }
  }
  "${fields.join(',')}\r\n"
}
