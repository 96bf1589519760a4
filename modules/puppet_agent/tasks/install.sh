#!/bin/sh
# Installs Puppet's agent where there is none, or where another version is wanted.
. "$PT__installdir/shell_task_helper/files/task.sh"

kind=puppet_agent/install-failed
have=
if [ -r /opt/puppetlabs/puppet/VERSION ]; then have=$(cat /opt/puppetlabs/puppet/VERSION)
elif command -v puppet >/dev/null 2>&1; then have=$(puppet --version 2>/dev/null | tail -n 1); fi
if [ -n "$have" ] && { [ -z "$PT_version" ] || [ "$PT_version" = "$have" ] || [ "$PT_version" = latest ]; }; then
    printf '{"installed": false, "version": %s}\n' "$(json_text "$have")"
    exit 0
fi
if [ "$PT__noop" = true ]; then
    printf '{"installed": false, "_noop": true, "version": %s}\n' "$(json_text "$have")"
    exit 0
fi
[ "$(id -u)" = 0 ] || fail $kind "installing a puppet-agent needs root: use --run-as root, or install it first"
[ -r /etc/os-release ] || fail $kind "this system does not say what it is: /etc/os-release is missing"
. /etc/os-release
make_scratch $kind
chmod 755 "$scratch"  # apt reads packages as another user
version=$PT_version collection=${PT_collection:-puppet8}
[ "$version" != latest ] || version=
run() { "$@" >"$scratch/log" 2>&1 || fail $kind "$1 failed: $(tail -n 1 "$scratch/log")"; }
fetch() { # fetch URL FILE
    if command -v curl >/dev/null 2>&1; then run curl -fsSL --retry "${PT_retry:-5}" -o "$2" "$1"
    elif command -v wget >/dev/null 2>&1; then run wget -q -t "$((${PT_retry:-5} + 1))" -O "$2" "$1"
    else fail $kind "neither curl nor wget is here to download $1"; fi
    chmod 644 "$2"
}
# Packages of these collections need an account, which must not stand on a command line.
case $collection in puppetcore*)
    [ -n "$PT_absolute_source" ] || fail $kind "the collection $collection needs an account: configure its repository on the target, or use absolute_source" ;;
esac
case $collection in *-nightly) base=https://nightlies.puppet.com apt_base=$base/apt yum_base=$base/yum ;;
    *) apt_base=https://apt.puppet.com yum_base=https://yum.puppet.com ;; esac
case " $ID ${ID_LIKE:-} " in
    *" debian "* | *" ubuntu "*) type=deb ;;
    *" rhel "* | *" fedora "* | *" suse "*) type=rpm ;;
    *) fail $kind "no packages of a puppet-agent are known for $ID" ;;
esac
installer=yum
for known in dnf zypper; do command -v "$known" >/dev/null 2>&1 && installer=$known; done
export DEBIAN_FRONTEND=noninteractive

if [ -n "$PT_absolute_source" ]; then
    package=$PT_absolute_source
    case $package in http://* | https://*) package=$scratch/agent.$type; fetch "$PT_absolute_source" "$package" ;; esac
    [ -r "$package" ] || fail $kind "there is no package $package"
    case $type in
        deb) run apt-get install -y --no-install-recommends --allow-downgrades "$package" ;;
        rpm) run "$installer" install -y "$package" ;;
    esac
elif [ "$type" = deb ]; then
    [ -n "${VERSION_CODENAME:-}" ] || fail $kind "/etc/os-release does not tell the code name of $ID"
    fetch "${PT_apt_source:-$apt_base}/$collection-release-$VERSION_CODENAME.deb" "$scratch/release.deb"
    run dpkg -i "$scratch/release.deb"
    run apt-get update
    run apt-get install -y --no-install-recommends ${version:+--allow-downgrades} "puppet-agent${version:+=$version-1$VERSION_CODENAME}"
else
    system=el major=${VERSION_ID%%.*}
    case " $ID ${ID_LIKE:-} " in *" suse "*) system=sles ;; esac
    case $ID in fedora) system=fedora ;; amzn) system=amazon ;; esac
    fetch "${PT_yum_source:-$yum_base}/$collection-release-$system-$major.noarch.rpm" "$scratch/release.rpm"
    run rpm -U --replacepkgs "$scratch/release.rpm"
    [ "$installer" != zypper ] || run zypper --gpg-auto-import-keys refresh
    run "$installer" install -y "puppet-agent${version:+-$version}"
fi
if [ "$PT_stop_service" = true ] && command -v systemctl >/dev/null 2>&1; then
    systemctl disable --now puppet.service >/dev/null 2>&1
fi
puppet=/opt/puppetlabs/bin/puppet
[ -x "$puppet" ] || puppet=$(command -v puppet) || fail $kind "the package was installed and yet there is no puppet program"
printf '{"installed": true, "version": %s}\n' "$(json_text "$("$puppet" --version 2>/dev/null | tail -n 1)")"
