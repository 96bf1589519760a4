class a($x = 1, Integer *$rest) inherits b { file { '/x': ensure => file, * => $h; default: mode => '0644' } }
define a::d() { @notify { "a ${x['y'].z} $z": } -> File <| title == 'x' and mode != 1 |> { mode => '1' } }
node /web\d+/, default { include a }
type A::B = Variant[Integer[1, 2], Struct[{ Optional[a] => Enum['x'] }]]
function a::f(Integer $x, &$block) >> String { $x.map |$k, $v| { next($k) } }
$t = @("END"/tn:json)
  {"a": ${x}}\n
  | END
plan a::p(TargetSpec $t) { return apply($t) { package { 'x': } } }
