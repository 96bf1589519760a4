#!/usr/bin/env ruby
# frozen_string_literal: true

# Answers cases, JSON lines on standard input, with what the installed Puppet returns: one line each, as `expect` of the
# conformance cases (README.md), and the order of resources and edges too. Argument: a modulepath for all cases.
require_relative 'oracle'

# Puppet applies resources in this order, so it is part of what a catalog says.
module Ordered
  def catalog_hash(catalog, envdir)
    edges = catalog.edges.map { |edge| [edge.source.ref, edge.target.ref] }
    super.merge('order' => catalog.resources.map(&:ref) - ['Class[Settings]'],
                'edge_order' => edges.reject { |edge| edge.include?('Class[Settings]') })
  end
end
Conformance::Oracle.prepend(Ordered)

# Environments see the modules of the argument.
module WithModules
  def initialize(dir, modules)
    super(dir, modules + ARGV)
  end
end
Puppet::Environments::Directories.prepend(WithModules)

Dir.mktmpdir('oracle') do |dir|
  oracle = Conformance::Oracle.new(dir)
  STDIN.each_line do |line|
    puts JSON.generate(oracle.run(JSON.parse(line)))
    STDOUT.flush
  end
end
