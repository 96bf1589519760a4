#!/usr/bin/env ruby
# frozen_string_literal: true

# Prints the syntax tree of each file named on standard input as the installed Puppet sees it: one JSON object a
# line, {"file", "pn", "error"}, in the order of the names. Files that end in .epp are templates.
require 'json'
Encoding.default_external = Encoding::UTF_8
require 'puppet'
require 'puppet/pops'
require 'puppet/pops/pn'

# Puppet 7 calls this for a parameter that takes the rest of the arguments, and does not have it.
unless Puppet::Pops::PN.respond_to?(:Literal)
  def (Puppet::Pops::PN).Literal(value) = Puppet::Pops::PN::Literal.new(value)
end

Puppet.initialize_settings
plain = Puppet::Pops::Parser::Parser.new
template = Puppet::Pops::Parser::EppParser.new
STDIN.each_line(chomp: true) do |file|
  answer = { 'file' => file, 'pn' => nil, 'error' => nil }
  begin
    parser = file.end_with?('.epp') ? template : plain
    model = parser.parse_string(File.read(file, encoding: 'UTF-8'), file).model
    answer['pn'] = +''
    Puppet::Pops::Model::PNTransformer.transform(model).format(nil, answer['pn'])
  rescue StandardError => e
    answer['error'] = e.message
  end
  puts JSON.generate(answer)
end
