include m
class { 'm::s': }
m::d { ['x', 'y']: q => m::f(1, 2)[0] }
M::D <| |> -> File['/m']
$t = 1 =~ M::T
notify { 'n': message => epp('m/t.epp', {p => $facts['os']['name']}), require => Class['m'], before => File['/m'] }
File <| title == '/m' |> { owner => 'root' }
@user { 'u': } realize(User['u'])
ensure_resource('package', 'p', {'ensure' => 'present'})
node default { tag('a') contain m }
