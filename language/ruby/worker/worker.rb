# frozen_string_literal: true

# Volley's Ruby worker: runs the Ruby functions and ERB templates of modules for one thread of the controller.
# It is started with pipes as standard input and output and speaks length-prefixed JSON:
#
#   controller -> worker   {"op": ...}             a request; requests may come while another one runs
#   worker -> controller   {"cb": ...}             a question while a request runs; answered by {"ok"} or {"raise"}
#   worker -> controller   {"ok"} | {"error"} | {"unwind"}   the end of a request
#
#   worker -> controller   {"left": true}          a block was ended by the Ruby code around (break, throw)
#
# Nothing of Puppet is needed: puppet.rb and the parts, which are read when code first names one of their constants,
# give module code the parts of it that it commonly uses.

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

  @depth = 0
  @epoch = 0
  @raised = []
  class << self
    # Which outermost request runs: what the controller numbers is known during one only.
    attr_reader :epoch

    def outermost? = @depth == 1
  end

  # Asks the controller, and serves its requests until the answer is there.
  def self.ask(message)
    Watch.current&.report if RUNNING.include?(message['cb'])
    Channel.send_message(message)
    loop do
      answer = Channel.receive
      if answer.key?('op')
        serve(answer)
      elsif answer.key?('raise')
        reraise(answer['raise'])
      else
        return Values.decode(answer['ok'])
      end
    end
  end

  def self.reraise(raised)
    raise @raised[raised['exception'] - 1] if raised['exception']
    throw raised['throw'].to_sym if raised['throw']
    raise Unwind, raised['token'] unless raised['error']

    error = raised['kind'] ? Bolt::Error.from_controller(raised) : error_class(raised['class']).new(raised['message'])
    error.volley_token = raised['token']
    raise error
  end

  def self.error_class(name)
    name ? Object.const_get(name) : Puppet::ParseError
  end

  def self.serve(request)
    @epoch += 1 if @depth.zero?
    @depth += 1
    over = false
    Channel.send_message(reply_to(request))
    over = true
  rescue JSON::GeneratorError, Encoding::UndefinedConversionError => e
    Channel.send_message('error' => { 'message' => "a result that is not data: #{e.message}" })
    over = true
  ensure
    leave unless over
    @depth -= 1
    @raised.clear if @depth.zero?
  end

  def self.reply_to(request)
    return { 'ok' => Values.encode(Requests.public_send("on_#{request['op']}", request)) } unless request['data']

    # What throws :no_such_key has no value for a key.
    reply = { 'throw' => 'no_such_key' }
    catch(:no_such_key) do
      reply = { 'ok' => Values.strictly { Values.encode(Requests.public_send("on_#{request['op']}", request)) } }
    end
    reply
  rescue Unwind => e
    { 'unwind' => e.token }
  rescue SystemExit => e
    { 'error' => { 'message' => "the Ruby code called exit (#{e.status})" } }
  rescue SystemStackError, NoMemoryError, ScriptError, StandardError => e
    { 'error' => describe(e) }
  end

  # The Ruby code around ends a block with everything that runs between the two, here and in the controller.
  def self.leave
    Channel.send_message('left' => true)
    loop do
      answer = Channel.receive
      break unless answer.key?('op')

      serve(answer)
    end
  end

  def self.describe(error)
    place = (error.backtrace || []).find { |line| !line.start_with?('volley', '<internal', '-e:') }
    @raised << error
    info = { 'message' => error.message.to_s.dup.force_encoding(Encoding::UTF_8).scrub, 'class' => error.class.name,
             'exception' => @raised.size }
    info['puppet'] = true if error.is_a?(Puppet::Error)
    info['token'] = error.volley_token if error.respond_to?(:volley_token) && error.volley_token
    info.update(error.to_controller) if error.respond_to?(:to_controller)
    info['place'] = place if place
    info['template'] = error.template_place if error.respond_to?(:template_place)
    info
  end

  # The blocks that functions of the controller have been given, as long as those run.
  BLOCKS = {} # rubocop:disable Style/MutableConstant

  def self.lend(block)
    return yield(nil) unless block

    number = [Process.pid, @leased = (@leased || 0) + 1]
    BLOCKS[number] = block
    begin
      yield({ 'number' => number, 'arity' => block.arity })
    ensure
      BLOCKS.delete(number)
    end
  end

  # Code that is read when a constant of it is first named: the constants by part.
  module Parts
    OWNERS = {} # rubocop:disable Style/MutableConstant

    def self.declare(part, owner, *names)
      names.each do |name|
        (OWNERS[part] ||= []) << [owner, name]
        owner.autoload(name, "volley/#{part}")
      end
    end

    # False when it has been read already.
    def self.load(part)
      owned = OWNERS.delete(part) or return false
      owned.each { |owner, name| owner.send(:remove_const, name) if owner.autoload?(name, false) }
      eval(Volley.ask('cb' => 'part', 'name' => part), TOPLEVEL_BINDING, "volley/#{part}") # rubocop:disable Security/Eval
      true
    end
  end

  def self.run
    # Whoever waits on the other side may send a signal to the whole group; the pipe's end is what ends us.
    trap('INT', 'IGNORE')
    loop { serve(Channel.receive) }
  end
end
