#!/usr/bin/env ruby
# frozen_string_literal: true

# The installed Puppet's side of the language bench. Reads one JSON object from standard input:
#   {"environmentpath": DIR, "parse": [FILE...], "programs": {NAME: CODE}}
# and prints {"parse": SECONDS, "programs": {NAME: SECONDS}}: wall time inside the process, Puppet loaded and warm.
require 'json'
Encoding.default_external = Encoding::UTF_8
require 'puppet'
require 'puppet/pops'
require 'puppet/parser/compiler'

work = JSON.parse(STDIN.read)
Puppet.initialize_settings(['--environmentpath', work['environmentpath'], '--environment', 'production'])
Puppet::Util::Log.close_all

def seconds
  started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  yield
  Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
end

def compile(work, code)
  Puppet[:code] = code
  environments = Puppet::Environments::Directories.new(work['environmentpath'], [])
  Puppet.override(environments: environments) do
    env = environments.get!('production')
    Puppet.override(current_environment: env) do
      node = Puppet::Node.new('node1.example.com', environment: env)
      node.add_server_facts({})
      Puppet::Parser::Compiler.new(node).compile
    end
  end
end

parser = Puppet::Pops::Parser::EvaluatingParser.new
answer = { 'programs' => {} }
sources = work['parse'].map { |file| [file, File.read(file, encoding: 'UTF-8')] }
answer['parse'] = seconds { sources.each { |file, text| parser.parse_string(text, file) } }
compile(work, '1')
work['programs'].each { |name, code| answer['programs'][name] = seconds { compile(work, code) } }
puts JSON.generate(answer)
