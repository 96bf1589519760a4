#!/bin/sh
# Installs a puppet-agent where there is none, or where another version is wanted; or another package of its collection.
PATH=$PATH:/opt/puppetlabs/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH

fail() {
    printf '{"_error": {"kind": "openvox_bootstrap/install-failed", "msg": "%s", "details": {}}}\n' "$1"
    exit 1
}

package=${PT_package:-openvox-agent}
version=${PT_version:-latest}
case $package in
    *-agent)
        if command -v puppet >/dev/null 2>&1; then
            have=$(puppet --version 2>/dev/null | tail -n 1)
            case $version in
                latest | "$have" | "$have"-*)
                    printf '{"installed": false, "version": "%s"}\n' "$have"
                    exit 0 ;;
            esac
        fi ;;
esac
[ "$version" != latest ] || version=
[ "$(id -u)" = 0 ] || fail "installing a puppet-agent needs root: use --run-as root, or install it first"
[ -r /etc/os-release ] || fail "this system does not say what it is: /etc/os-release is missing"
. /etc/os-release
collection=${PT_collection:-openvox8}
log=$(mktemp) || fail "no temporary file can be made"
release=$(mktemp) || fail "no temporary file can be made"
trap 'rm -f "$log" "$release"' EXIT

run() { "$@" >>"$log" 2>&1 || fail "$1 failed: $(tail -n 1 "$log" | tr -d '\\"' | tr -cd '[:print:]')"; }

fetch() { # fetch URL: into $release
    if command -v curl >/dev/null 2>&1; then
        run curl -fsSL --retry 3 -o "$release" "$1"
    elif command -v wget >/dev/null 2>&1; then
        run wget -q -O "$release" "$1"
    else
        fail "neither curl nor wget is here to download $1"
    fi
}

case " $ID ${ID_LIKE:-} " in
    *" debian "* | *" ubuntu "*)
        export DEBIAN_FRONTEND=noninteractive
        fetch "${PT_apt_source:-https://apt.voxpupuli.org}/$collection-release-$ID$VERSION_ID.deb"
        run dpkg -i "$release"
        run apt-get update
        run apt-get install -y --no-install-recommends ${version:+--allow-downgrades} "$package${version:+=$version}"
        ;;
    *" rhel "* | *" fedora "* | *" suse "*)
        system=el major=${VERSION_ID%%.*}
        case " $ID ${ID_LIKE:-} " in *" suse "*) system=sles ;; esac
        [ "$ID" = fedora ] && system=fedora
        [ "$ID" = amzn ] && system=amazon
        fetch "${PT_yum_source:-https://yum.voxpupuli.org}/$collection-release-$system-$major.noarch.rpm"
        run rpm -U --replacepkgs "$release"
        manager=yum
        for known in dnf zypper; do command -v "$known" >/dev/null 2>&1 && manager=$known; done
        [ "$manager" = zypper ] && run zypper --gpg-auto-import-keys refresh
        run "$manager" install -y "$package${version:+-$version}"
        ;;
    *) fail "no packages of a puppet-agent are known for $ID" ;;
esac
case $package in
    *-agent) ;;
    *) printf '{"installed": true, "package": "%s"}\n' "$package"; exit 0 ;;
esac
command -v puppet >/dev/null 2>&1 || fail "$package was installed and yet there is no puppet program"
if [ "${PT_stop_service:-false}" = true ] && command -v systemctl >/dev/null 2>&1; then
    systemctl disable --now puppet.service >>"$log" 2>&1
fi
printf '{"installed": true, "version": "%s"}\n' "$(puppet --version 2>/dev/null | tail -n 1)"
