#!/usr/bin/env ruby
# frozen_string_literal: true

# Asks the installed Puppet, with Debian's stdlib (puppet-module-puppetlabs-stdlib), what the programs of
# programs.txt return and compares that with answers.json; --write renews answers.json.
#
#   ruby recheck.rb PATH/TO/oracle.rb [--write]

require 'json'
require 'tmpdir'
load ARGV.fetch(0)

modules = '/usr/share/puppet/modules'
abort "no stdlib in #{modules}" unless Dir.exist?(File.join(modules, 'stdlib'))
here = __dir__
answers_file = File.join(here, 'answers.json')

# "#strict=warning" and the like at the start of a line is a setting of that one program.
def spec_of(line)
  settings = {}
  while (m = /\A#(\w+)=(\S+) /.match(line))
    settings[m[1]] = m[2]
    line = m.post_match
  end
  { 'mode' => 'eval', 'code' => line.gsub('\\n', "\n"), 'settings' => settings }
end

list = File.readlines(File.join(here, 'programs.txt'), chomp: true).reject { |l| l.empty? || l.start_with?('# ') }
answers = Dir.mktmpdir('stdlib') do |dir|
  oracle = Conformance::Oracle.new(dir)
  Puppet[:basemodulepath] = modules
  class << Puppet::Environments::Directories
    alias plain_new new
    def new(root, _path)
      plain_new(root, ['/usr/share/puppet/modules'])
    end
  end
  list.map do |line|
    spec = spec_of(line)
    spec.merge('expect' => oracle.run(spec))
  end
end
if ARGV.include?('--write')
  File.write(answers_file, "[\n#{answers.map { |a| JSON.generate(a) }.join(",\n")}\n]\n")
  puts "#{answers.size} answers written"
else
  old = JSON.parse(File.read(answers_file))
  different = answers.zip(old).reject { |a, b| a == b }
  different.each { |a, b| puts JSON.generate(a), JSON.generate(b) }
  puts "#{answers.size - different.size} passed, #{different.size} failed"
  exit(different.empty?)
end
