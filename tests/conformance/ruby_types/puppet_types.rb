#!/usr/bin/env ruby
# frozen_string_literal: true

# Prints as JSON what the installed Puppet says of resource types: those of a modulepath, and its own.
#
#   ruby puppet_types.rb MODULES

require 'json'
require 'tmpdir'
require 'puppet'

modules = ARGV.fetch(0)
Dir["#{modules}/*/lib"].sort.each { |folder| $LOAD_PATH << folder }

Dir.mktmpdir do |scratch|
  Dir.mkdir("#{scratch}/production")
  Puppet.initialize_settings(['--environmentpath', scratch, '--vardir', "#{scratch}/var", '--confdir', "#{scratch}/conf"])
  environment = Puppet::Node::Environment.create(:production, [modules])
  describe = lambda do |type|
    patterns = begin
      type.title_patterns.map do |pattern, attributes|
        { source: pattern.source, options: pattern.options & 7, attributes: attributes.map { |one| one[0].to_s } }
      end
    rescue Puppet::DevError
      nil
    end
    { properties: type.properties.map { |one| one.name.to_s }, parameters: type.parameters.map(&:to_s),
      namevars: type.key_attributes.map(&:to_s), patterns: patterns, isomorphic: type.isomorphic? }
  end
  answers = { modules: {}, core: {} }
  Puppet.override(current_environment: environment, environments: Puppet::Environments::Static.new(environment),
                  loaders: Puppet::Pops::Loaders.new(environment)) do
    { modules: Dir["#{modules}/*/lib/puppet/type/*.rb"],
      core: Dir["#{File.dirname($LOADED_FEATURES.grep(%r{/puppet\.rb\z}).first)}/puppet/type/*.rb"] }.each do |group, files|
      files.map { |file| File.basename(file, '.rb') }.uniq.sort.each do |name|
        type = Puppet::Type.type(name.to_sym)
        answers[group][name] = type ? describe.call(type) : { error: 'no such type' }
      rescue StandardError, LoadError => e
        answers[group][name] = { error: "#{e.class}: #{e.message}" }
      end
    end
  end
  puts JSON.generate(answers)
end
