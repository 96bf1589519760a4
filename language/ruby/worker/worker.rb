# frozen_string_literal: true

# Volley's Ruby worker: runs the Ruby functions and ERB templates of modules for one thread of the controller.
# It is started with pipes as standard input and output and speaks length-prefixed JSON:
#
#   controller -> worker   {"op": ...}             a request; requests may come while another one runs
#   worker -> controller   {"cb": ...}             a question while a request runs; answered by {"ok"} or {"raise"}
#   worker -> controller   {"ok"} | {"error"} | {"unwind"}   the end of a request
#
# Nothing of Puppet is needed: the shims below give module code the parts of it that it commonly uses.

require 'json'

module Volley
  # The controller has something that must pass through Ruby code untouched (break, return, next of a lambda).
  class Unwind < Exception # rubocop:disable Lint/InheritException
    attr_reader :token

    def initialize(token)
      super("unwinding #{token}")
      @token = token
    end
  end

  # The pipes. Ruby code that prints must not disturb the protocol: it prints to standard error.
  module Channel
    INPUT = $stdin.dup
    OUTPUT = $stdout.dup
    [INPUT, OUTPUT].each(&:binmode)
    OUTPUT.sync = true
    $stdin.reopen(File::NULL)
    $stdout.reopen($stderr)

    def self.send_message(message)
      text = JSON.generate(message).b
      OUTPUT.write([text.bytesize].pack('N') << text)
    end

    def self.receive
      head = INPUT.read(4)
      exit!(0) if head.nil? || head.bytesize < 4
      JSON.parse(INPUT.read(head.unpack1('N')).force_encoding(Encoding::UTF_8), max_nesting: false)
    end
  end

  # Questions that run code, which must find what a template has changed.
  RUNNING = %w[call legacy_call yield].freeze

  # Asks the controller, and serves its requests until the answer is there.
  def self.ask(message)
    Watch.current&.tell if RUNNING.include?(message['cb'])
    Channel.send_message(message)
    loop do
      answer = Channel.receive
      if answer.key?('op')
        serve(answer)
      elsif answer.key?('raise')
        raised = answer['raise']
        raise Unwind, raised['token'] unless raised['error']

        error = Puppet::ParseError.new(raised['message'])
        error.volley_token = raised['token']
        raise error
      else
        return Values.decode(answer['ok'])
      end
    end
  end

  def self.serve(request)
    reply = begin
      { 'ok' => Values.encode(Requests.public_send("on_#{request['op']}", request)) }
    rescue Unwind => e
      { 'unwind' => e.token }
    rescue SystemExit => e
      { 'error' => { 'message' => "the Ruby code called exit (#{e.status})" } }
    rescue SystemStackError, NoMemoryError, ScriptError, StandardError => e
      { 'error' => describe(e) }
    end
    Channel.send_message(reply)
  rescue JSON::GeneratorError, Encoding::UndefinedConversionError => e
    Channel.send_message('error' => { 'message' => "a result that is no data: #{e.message}" })
  end

  def self.describe(error)
    place = (error.backtrace || []).find { |line| !line.start_with?('volley', '<internal') }
    info = { 'message' => error.message.to_s.dup.force_encoding(Encoding::UTF_8).scrub, 'class' => error.class.name }
    info['token'] = error.volley_token if error.respond_to?(:volley_token) && error.volley_token
    info['place'] = place if place
    info['template'] = error.template_place if error.respond_to?(:template_place)
    info
  end

  def self.run
    # Whoever waits on the other side may send a signal to the whole group; the pipe's end is what ends us.
    trap('INT', 'IGNORE')
    loop { serve(Channel.receive) }
  end
end
