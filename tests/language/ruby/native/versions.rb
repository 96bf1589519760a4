# Writes the answers of the Ruby that runs it into versions.txt beside it: ruby versions.rb
#
# The file has an expression a line, and below each the answer of every version as "3.4> ": what inspect shows, or
# "Class: message" of an exception.
require 'json'

$VERBOSE = nil
Encoding.default_external = Encoding::UTF_8

def answer(expression)
  Object.new.instance_eval { binding }.eval(expression).inspect
rescue Exception => e # whatever it is, it is the answer
  message = e.respond_to?(:original_message) ? e.original_message : e.message
  "#{e.class}: #{message}"
end

file = File.join(__dir__, 'versions.txt')
version = RUBY_VERSION[/\A\d+\.\d+/]
rows = File.read(file, encoding: 'UTF-8').lines(chomp: true).slice_before { |line| !line.match?(/\A\d+\.\d+> /) }
text = rows.flat_map do |expression, *answers|
  next [expression] if expression.empty? || expression.start_with?('#')

  answers.reject! { |line| line.start_with?("#{version}> ") }
  answers << "#{version}> #{answer(expression.delete_prefix('!')).gsub("\n", '\n')}"
  [expression, *answers.sort]
end
File.write(file, "#{text.join("\n")}\n")
