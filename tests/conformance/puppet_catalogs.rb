#!/usr/bin/env ruby
# frozen_string_literal: true

# Compiles catalogs with the installed Puppet, warm and in one process. Standard input has JSON lines
# {"code", "facts": FILE}; each is answered by {"catalog", "error", "seconds"}, the catalog in the form of the
# conformance cases (README.md). Argument: an environment path whose `production` has the modules.
require 'json'
require 'tmpdir'
require_relative 'oracle'

class ModuleOracle < Conformance::Oracle
  def initialize(workdir, environmentpath)
    super(workdir)
    @environmentpath = environmentpath
    # What Puppet 7 does by default; the conformance cases ask for the strictness of Puppet 8.
    Puppet[:strict] = :warning
    Puppet[:strict_variables] = false
    modules = [File.join(environmentpath, Conformance::ENVIRONMENT, 'modules'), '/usr/share/puppet/vendor_modules']
    @environment = Puppet::Node::Environment.create(Conformance::ENVIRONMENT.to_sym, modules, '')
  end

  def compile_code(code, values)
    facts = Puppet::Node::Facts.new(Conformance::NODE, values.dup)
    node = Puppet::Node.new(Conformance::NODE, facts: facts, environment: @environment)
    node.merge(facts.values)
    node.trusted_data = { 'authenticated' => 'local', 'certname' => Conformance::NODE, 'extensions' => {},
                          'hostname' => 'node1', 'domain' => 'example.com', 'external' => {} }
    node.add_server_facts({})
    node.classes = []
    with_code(code) do
      compiler = Puppet::Parser::Compiler.new(node)
      catalog = compiler.compile { |c| c }
      in_context(compiler) { catalog_hash(catalog.to_resource, File.join(@environmentpath, Conformance::ENVIRONMENT)) }
    end
  end

  private

  # The environment stays as it is, so that modules are parsed once; its main manifest is the code of the case.
  def with_code(code)
    environments = Puppet::Environments::Static.new(@environment)
    Puppet.override(environments: environments, current_environment: @environment, rich_data: true) do
      @environment.case_code = code
      yield
    end
  end
end

Puppet::Node::Environment.attr_accessor(:case_code)

# The node's code is evaluated after an empty main class, in top scope.
module CaseCode
  def evaluate_main
    super
    code = environment.respond_to?(:case_code) && environment.case_code
    return unless code

    parsed = Puppet::Pops::Parser::EvaluatingParser.singleton.parse_string(code)
    Puppet::Pops::Parser::EvaluatingParser.singleton.evaluate(topscope, parsed)
  end
end
Puppet::Parser::Compiler.prepend(CaseCode)

# As on a server, where the libraries of all modules are found by `require`.
$LOAD_PATH.concat(Dir.glob(File.join(File.realpath(ARGV.fetch(0)), 'production/modules/*/lib')))
facts = Hash.new { |known, file| known[file] = JSON.parse(File.read(file)) }
Dir.mktmpdir('oracle') do |dir|
  oracle = ModuleOracle.new(dir, File.realpath(ARGV.fetch(0)))
  STDIN.each_line do |line|
    asked = JSON.parse(line)
    answer = { 'catalog' => nil, 'error' => nil }
    started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    begin
      Timeout.timeout(60) { answer['catalog'] = oracle.compile_code(asked['code'], facts[asked['facts']]) }
    rescue StandardError, ScriptError, SystemStackError => e
      answer['error'] = e.message.lines.first.to_s.chomp
    end
    answer['seconds'] = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
    puts JSON.generate(answer)
    STDOUT.flush
  end
end
