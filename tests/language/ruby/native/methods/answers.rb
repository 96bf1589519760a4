# Writes Ruby's own answers into the files of expressions beside it: ruby answers.rb *.txt
#
# A file has an expression a line, and below each the answer as "=> ": what inspect shows, or "Class: message" of an
# exception. A "!" in front of an expression says that it is not native, whatever Ruby answers.
require 'base64'
require 'digest'
require 'json'
require 'yaml'

abort("native Ruby is Ruby 3.1, and this is #{RUBY_VERSION}: see ../versions.txt") unless RUBY_VERSION.start_with?('3.1.')
$VERBOSE = nil
Encoding.default_external = Encoding::UTF_8

def answer(expression)
  # A binding of its own, so that no expression sees the variables of another one.
  Object.new.instance_eval { binding }.eval(expression).inspect
rescue Exception => e # whatever it is, it is the answer
  message = e.respond_to?(:original_message) ? e.original_message : e.message
  "#{e.class}: #{message}"
end

ARGV.each do |file|
  lines = File.readlines(file, chomp: true, encoding: 'UTF-8').reject { |line| line.start_with?('=> ') }
  text = lines.flat_map do |line|
    next [line] if line.empty? || line.start_with?('#') || line.start_with?('!')
    [line, "=> #{answer(line).gsub("\n", '\n')}"]
  end
  File.write(file, "#{text.join("\n")}\n")
end
