#!/bin/sh
# Installs one package file of the build server.
. "$PT__installdir/shell_task_helper/files/task.sh"

kind=openvox_bootstrap/install-failed
[ "$(id -u)" = 0 ] || fail $kind "installing a package needs root: use --run-as root"
[ -r /etc/os-release ] || fail $kind "this system does not say what it is: /etc/os-release is missing"
. /etc/os-release
make_scratch $kind
run() { "$@" >"$scratch/log" 2>&1 || fail $kind "$1 failed: $(tail -n 1 "$scratch/log")"; }
major=${VERSION_ID%%.*}
name=$PT_package version=$PT_version
case " $ID ${ID_LIKE:-} " in
    *" debian "* | *" ubuntu "*)
        case $name in *-agent) machine=$(dpkg --print-architecture) ;; *) machine=all ;; esac
        file=${name}_$version-1%2B$ID${VERSION_ID}_$machine.deb ;;
    *" fedora "* | *" rhel "* | *" suse "*)
        case $name in *-agent) machine=$(uname -m) ;; *) machine=noarch ;; esac
        case $ID in fedora) system=fc ;; sles) system=sles ;; amzn) system=amzn ;; *) system=el ;; esac
        file=$name-$version-1.$system$major.$machine.rpm ;;
    *) fail $kind "no packages are known for $ID" ;;
esac
url=${PT_artifacts_source:-https://artifacts.voxpupuli.org}/$name/$version/$file
package=$scratch/package.${file##*.}
if command -v curl >/dev/null 2>&1; then run curl -fsSL --retry 3 -o "$package" "$url"
elif command -v wget >/dev/null 2>&1; then run wget -q -O "$package" "$url"
else fail $kind "neither curl nor wget is here to download $url"; fi
chmod 755 "$scratch" && chmod 644 "$package"  # apt reads it as another user
case $file in
    *.deb) export DEBIAN_FRONTEND=noninteractive
       run apt-get install -y --no-install-recommends --allow-downgrades "$package" ;;
    *) if command -v dnf >/dev/null 2>&1; then run dnf install -y "$package"
       elif command -v zypper >/dev/null 2>&1; then run zypper -n install --allow-unsigned-rpm "$package"
       else run yum install -y "$package"; fi ;;
esac
printf '{"installed": true, "package": %s, "version": %s, "source": %s}\n' "$(json_text "$name")" "$(json_text "$version")" "$(json_text "$url")"
