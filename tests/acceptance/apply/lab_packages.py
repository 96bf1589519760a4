"""Manifests of packages of other package managers than Debian's, with the real tools in machines of Debian (tests/lab)."""

INCLUDE = "dnf,rpm,createrepo-c,zypper,pacman-package-manager,python3-pip"

# The repositories are made on each machine, and databases hold times; what they say is listed instead.
IGNORED = ("--ignore", "^srv/(rpm|pac|pip|gems)(/|$)", "--ignore", "^var/lib/(dnf|rpm|pacman|zypp|gems)(/|$)", "--ignore", "__pycache__")
LISTING = "rpm -qa | sort; pacman -Q; pip3 freeze --all; gem list --local"

# Repositories with packages of all kinds; what Puppet needs to have installed before it lists packages is there, too.
PREPARE = r"""
mkdir -p /etc/rpm /etc/dnf/vars /etc/yum.repos.d /srv/rpm
cd /srv/rpm
echo '%_dbpath /var/lib/rpm' > /etc/rpm/macros
echo 1 > /etc/dnf/vars/releasever
rpm_() { printf '%s\n' "Name: $1" "Version: $2" 'Release: 1' "${3:-Summary: t}" 'License: t' 'Summary: t' 'BuildArch: noarch' 'AutoReqProv: no' \
    %description t %install 'mkdir -p %{buildroot}/etc' "echo a=b > %{buildroot}/etc/$1.conf" %files "%config(noreplace) /etc/$1.conf" > s.spec
  rpmbuild --quiet -bb -D '_topdir /tmp/b' -D '_rpmdir /srv/rpm' s.spec; }
rpm_ base1 1.0; rpm_ base2 1.0
for v in 1.0 1.1 2.0; do rpm_ tiny-r $v; done
rpm_ tiny-e 1.0 'Epoch: 3'; rpm_ tiny-v 1.0 'Provides: tiny-by-name'
createrepo_c -q .
printf '[lab]\nname=lab\nbaseurl=file:///srv/rpm\ngpgcheck=0\n' > /etc/yum.repos.d/lab.repo
rpm -i noarch/base*.rpm
ln -sf dnf /usr/bin/yum
zypper -n ar --no-gpgcheck dir:/srv/rpm lab

mkdir -p /srv/pac; cd /srv/pac
pkg() { mkdir -p t/etc; echo a=b > t/etc/$1.conf; printf 'pkgname = %s\npkgver = %s-1\narch = any\nbackup = etc/%s.conf\n' $1 $2 $1 > t/.PKGINFO
  tar -C t -czf $1-$2-1-any.pkg.tar.gz .PKGINFO etc; rm -rf t; }
db() { mkdir d; while [ $# -gt 0 ]; do f=$1-$2-1-any.pkg.tar.gz; mkdir d/$1-$2-1
  printf '%%FILENAME%%\n%s\n\n%%NAME%%\n%s\n\n%%VERSION%%\n%s-1\n\n%%GROUPS%%\nlab\n\n%%SHA256SUM%%\n%s\n\n%%ARCH%%\nany\n' $f $1 $2 \
    $(sha256sum < $f | cut -d' ' -f1) > d/$1-$2-1/desc; shift 2; done; (cd d && tar -czf ../lab.db *); rm -rf d; }
pkg base 1.0; pkg tiny-p 1.0; pkg tiny-p 2.0; db base 1.0 tiny-p 1.0
printf '[options]\nArchitecture = auto\nSigLevel = Never\n[lab]\nServer = file:///srv/pac\n' > /etc/pacman.conf
pacman -Sy --noconfirm base

mkdir -p /srv/gems; cd /srv/gems
for v in 1.0.0 1.1.0 2.0.0; do printf 'Gem::Specification.new { |s| s.name = "tiny_g"; s.version = "%s"; s.summary = "t"; s.authors = ["t"]; s.files = [] }\n' $v > t.gemspec
  gem build -q t.gemspec 2> /dev/null > /dev/null; done

mkdir -p /srv/pip; cd /srv/pip
python3 -c '
import zipfile
for version in ("1.0", "1.1", "2.0rc1", "2.0"):
    info = f"tiny_y-{version}.dist-info/"
    with zipfile.ZipFile(f"tiny_y-{version}-py3-none-any.whl", "w") as wheel:
        wheel.writestr("tiny_y.py", "")
        wheel.writestr(info + "METADATA", f"Metadata-Version: 2.1\nName: tiny-y\nVersion: {version}\n")
        wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(info + "RECORD", f"tiny_y.py,,\n{info}METADATA,,\n{info}WHEEL,,\n{info}RECORD,,\n")
'
printf '[global]\nbreak-system-packages = true\nno-index = true\nfind-links = /srv/pip\nroot-user-action = ignore\ndisable-pip-version-check = true\n' > /etc/pip.conf
"""


def case(name, attributes, title="tiny-r", setup="", system=None):
    return {"name": name, "manifest": f"package {{ '{title}': {attributes} }}", "setup": setup, "system": system}


def of_rpm():
    for tool in ("dnf", "yum"):
        rows = {
            "a version": "ensure => '1.0-1'",
            "a version without its release": "ensure => '1.0'",
            "another version": "ensure => '1.1'",
            "an older version": "ensure => '1.0'",
            "a range": "ensure => '>1.0 <2.0'",
            "the newest": "ensure => latest",
            "a version that does not exist": "ensure => '9.9'",
            "that goes": "ensure => absent",
            "that is gone": "ensure => absent",
            "any version": "ensure => installed, allow_virtual => false",
            "purged": "ensure => purged",
            "with options": "ensure => installed, install_options => ['--disablerepo=*', { '--enablerepo' => 'lab' }]",
        }
        for name, attributes in rows.items():
            yield case(f"{tool}: {name}", f"provider => {tool}, {attributes}")
        yield case(f"{tool}: with an epoch", f"provider => {tool}, ensure => '3:1.0-1'", "tiny-e")
        yield case(f"{tool}: by what it provides", f"provider => {tool}, ensure => installed", "tiny-by-name")
        yield case(f"{tool}: one that does not exist", f"provider => {tool}, ensure => installed", "no-such-package")
        yield case(f"{tool}: purged before the next", f"provider => {tool}, ensure => purged", "tiny-r", "rpm -e tiny-v tiny-e")
    rows = {
        "a file": "ensure => installed, source => '/srv/rpm/noarch/tiny-r-1.0-1.noarch.rpm'",
        "another version": "ensure => '1.1-1', source => '/srv/rpm/noarch/tiny-r-1.1-1.noarch.rpm'",
        "the newest": "ensure => latest, source => '/srv/rpm/noarch/tiny-r-2.0-1.noarch.rpm'",
        "an older version with options": "ensure => '1.0', source => '/srv/rpm/noarch/tiny-r-1.0-1.noarch.rpm', install_options => ['--nodeps']",
        "that goes": "ensure => absent, uninstall_options => ['--nodeps']",
        "without a source": "ensure => installed",
        "purging is unknown": "ensure => purged",
        "holding is unknown": "ensure => absent, mark => hold",
    }
    for name, attributes in rows.items():
        yield case(f"rpm: {name}", f"provider => rpm, {attributes}")


def of_suse():
    rows = {
        "a version": "ensure => '1.0-1'",
        "a range": "ensure => '>1.0 <2.0'",
        "the newest": "ensure => latest",
        "that goes": "ensure => absent",
        "any version": "ensure => installed, allow_virtual => false",
        "that goes again": "ensure => absent",
    }
    for name, attributes in rows.items():
        yield case(f"zypper: {name}", f"provider => zypper, {attributes}", system="SLES")
    yield case("zypper: one that does not exist", "provider => zypper, ensure => installed", "no-such-package", system="SLES")


def of_arch():
    rows = {
        "any version": "ensure => installed",
        "the newest": "ensure => latest",
        "that goes": "ensure => absent",
        "versions are unknown": "ensure => '1.0-1'",
        "with options": "ensure => absent, uninstall_options => ['--nosave']",
    }
    for name, attributes in rows.items():
        yield case(f"pacman: {name}", f"provider => pacman, {attributes}", "tiny-p", system="Archlinux")
    yield case("pacman: a group", "provider => pacman, ensure => installed", "lab", system="Archlinux")
    yield case("pacman: one that does not exist", "provider => pacman, ensure => installed", "no-such-package", system="Archlinux")


def of_languages():
    rows = {
        "a version": "ensure => '1.0'",
        "any version": "ensure => installed",
        "a range": "ensure => '>1.0 <2.0'",
        "a range that holds": "ensure => '>=1.1'",
        "the newest": "ensure => latest",
        "a version that does not exist": "ensure => '9.9'",
        "that goes": "ensure => absent",
        "by its command": "ensure => '1.1', command => '/usr/bin/pip3'",
        "purging is unknown": "ensure => purged",
    }
    for name, attributes in rows.items():
        yield case(f"pip: {name}", f"provider => pip3, {attributes}", "tiny-y")
    gem = "install_options => ['--local'], source => '/srv/gems/tiny_g-%s.gem'"
    rows = {
        "a file": f"ensure => '1.0.0', {gem % '1.0.0'}",
        "any version": "ensure => installed",
        "a range that holds": "ensure => '>=1.0.0 <2.0.0'",
        "a requirement that holds": "ensure => '~> 1.0'",
        "a further version": f"ensure => '1.1.0', {gem % '1.1.0'}",
        "one that does not exist": f"ensure => '9.0.0', {gem % '9.0.0'}",
        "that goes": "ensure => absent",
        "that is gone": "ensure => absent, uninstall_options => ['--force']",
    }
    for name, attributes in rows.items():
        yield case(f"gem: {name}", f"provider => gem, {attributes}", "tiny_g")


def all_cases():
    yield from of_rpm()
    yield from of_suse()
    yield from of_arch()
    yield from of_languages()
