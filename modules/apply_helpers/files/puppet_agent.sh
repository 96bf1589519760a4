#!/bin/sh
# Finds the Ruby that the target's puppet-agent runs on, and lets it run puppet_agent.rb.
PATH=$PATH:/opt/puppetlabs/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH
program=${0%/*}/../files/puppet_agent.rb
ruby=/opt/puppetlabs/puppet/bin/ruby
[ -x "$ruby" ] && exec "$ruby" "$program"
puppet=$(command -v puppet) || { echo "there is no puppet program on this machine" >&2; exit 127; }
read -r line <"$puppet"
case $line in
    '#!'*ruby*) exec ${line#??} "$program" ;;
esac
echo "$puppet is not a Ruby program" >&2
exit 127
