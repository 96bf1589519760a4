#!/bin/sh
# Prints what os-release and uname know, in the shape of Facter's `os`.

json() { printf '%s' "$1" | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' | tr -d '\000-\037'; }
field() { sed -n "s/^$1=//p" /etc/os-release 2>/dev/null | head -n 1 | sed -e 's/^"\(.*\)"$/\1/' -e "s/^'\(.*\)'\$/\1/"; }

id=$(field ID)
release=$(field VERSION_ID)
case $id in
  debian) name=Debian family=Debian; [ -r /etc/debian_version ] && grep -q '^[0-9]' /etc/debian_version && release=$(head -n 1 /etc/debian_version) ;;
  ubuntu) name=Ubuntu family=Debian ;;
  linuxmint) name=LinuxMint family=Debian ;;
  rhel) name=RedHat family=RedHat ;;
  centos) name=CentOS family=RedHat ;;
  rocky) name=Rocky family=RedHat ;;
  almalinux) name=AlmaLinux family=RedHat ;;
  ol) name=OracleLinux family=RedHat ;;
  fedora) name=Fedora family=RedHat ;;
  amzn) name=Amazon family=RedHat ;;
  sles) name=SLES family=Suse ;;
  opensuse*) name=OpenSuSE family=Suse ;;
  alpine) name=Alpine family=Linux ;;
  arch) name=Archlinux family=Archlinux ;;
  gentoo) name=Gentoo family=Gentoo ;;
  '') name=$(uname -s) family=$(uname -s); release=$(uname -r) ;;
  *) name=$(field NAME) family=Linux ;;
esac
major=${release%%.*}
rest=${release#"$major"}
minor=${rest#.}
case $name in Ubuntu) major=$release minor= ;; esac

printf '{"os": {"name": "%s", "family": "%s", "release": {"full": "%s"' "$(json "$name")" "$(json "$family")" "$(json "$release")"
[ -n "$major" ] && printf ', "major": "%s"' "$(json "$major")"
[ -n "$minor" ] && printf ', "minor": "%s"' "$(json "$minor")"
printf '}}}\n'
