# What tasks in Ruby have in common: parameters in, a result or an error out, as JSON.
#
#   class MyTask < TaskHelper
#     def task(name: nil, **_others)
#       { greeting: "Hi, my name is #{name}" }
#     end
#   end
#
#   MyTask.run if __FILE__ == $0
require 'json'

class TaskHelper
  # Ends a task with an error of a kind of its own.
  class Error < RuntimeError
    attr_reader :kind, :details, :issue_code

    def initialize(message, kind, details = nil, issue_code = nil)
      super(message)
      @kind = kind
      @details = details || {}
      @issue_code = issue_code
    end

    def to_h
      error = { kind: kind, msg: message, details: details }
      error[:issue_code] = issue_code if issue_code
      error
    end
  end

  # Texts that become part of an error's details.
  def debug_statements
    @debug_statements ||= []
  end

  def debug(statement)
    debug_statements << statement
  end

  def task(_params = {})
    raise Error.new('The task author must implement the `task` method in the task', 'tasklib/not-implemented')
  end

  # Keys become symbols, so that parameters can be keywords of `task`.
  def self.walk_keys(data)
    case data
    when Hash then data.each_with_object({}) { |(key, value), all| all[key.to_sym] = walk_keys(value) }
    when Array then data.map { |value| walk_keys(value) }
    else data
    end
  end

  # Reads the parameters, runs the task, prints its result; exit status 1 for an error.
  def self.run
    task = new
    result = task.task(**walk_keys(JSON.parse(STDIN.read)))
    STDOUT.print(result.is_a?(Hash) ? JSON.generate(result) : result.to_s)
  rescue Error => e
    fail_with(e)
  rescue StandardError => e
    fail_with(Error.new(e.message, e.class.to_s, { backtrace: e.backtrace, debug: task ? task.debug_statements : [] }))
  end

  def self.fail_with(error)
    STDOUT.print(JSON.generate(_error: error.to_h))
    exit 1
  end
  private_class_method :fail_with
end
