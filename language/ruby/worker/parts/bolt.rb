require 'json'

# What Ruby code of plans finds of Bolt: targets, results and errors as objects, and who runs actions.
module Bolt
  VERSION = '4.0.0'

  class Error < RuntimeError
    attr_accessor :volley_token
    attr_reader :kind, :issue_code, :error_code

    # An error of the controller. Most have no class of their own.
    def self.from_controller(raised)
      type = CLASSES.fetch(raised['kind'], Error)
      value = raised['value'] && Volley::Values.decode(raised['value'])
      details = value.respond_to?(:details) && value.details ? value.details : raised['details']
      error = type.allocate
      error.take(raised['message'], raised['kind'], details, raised['issue_code'].to_s.empty? ? nil : raised['issue_code'])
      error
    end

    def initialize(msg = nil, kind = nil, details = nil, issue_code = nil)
      super(msg)
      @kind = kind
      @details = details
      @issue_code = issue_code
      @error_code ||= 1
    end

    def take(msg, kind, details, issue_code)
      Error.instance_method(:initialize).bind_call(self, msg, kind, details, issue_code)
    end

    def details = @details ||= {}
    def msg = message

    def to_h
      data = { 'kind' => kind, 'msg' => message, 'details' => details }
      data['issue_code'] = issue_code if issue_code
      data
    end

    def to_json(*options) = to_h.to_json(*options)
    def to_puppet_error = Puppet::DataTypes::Error.from_asserted_hash(to_h)
    def add_filelineno(place) = details['file'] || details.merge!(place)

    def to_controller
      plain = JSON.parse(JSON.generate(details))
      { 'kind' => kind.to_s, 'details' => plain, 'issue_code' => issue_code.to_s }
    end
  end

  class RunFailure < Error
    def initialize(results, action, object = nil)
      count = results.error_set.length
      super("#{action}#{" '#{object}'" if object} failed on #{count} target#{'s' unless count == 1}", 'bolt/run-failure',
            { 'action' => action, 'object' => object, 'result_set' => results })
      @error_code = 2
    end

    def result_set = details['result_set']
  end

  class ApplyFailure < RunFailure
    def initialize(results)
      super(results, 'apply', 'catalog')
      @kind = 'bolt/apply-failure'
    end
  end

  class PlanFailure < Error
    def initialize(*args)
      @error_code = 2
      super
    end
  end

  class PuppetError < Error
    def self.from_error(error) = new(error.msg, error.kind, error.details, error.issue_code)
  end

  class ParallelFailure < Error
    def initialize(results, failed)
      super("parallel block failed on #{failed.length} target#{'s' unless failed.length == 1}", 'bolt/parallel-failure',
            { 'action' => 'parallelize', 'failed_indices' => failed, 'results' => results })
      @error_code = 2
    end
  end

  class FileError < Error
    def initialize(msg, path) = super(msg, 'bolt/file-error', { 'path' => path })
  end

  class ContainerFailure < Error; end
  class FutureTimeoutError < Error; end

  # Errors that are made of a message alone.
  { CLIError: 'bolt/cli-error', ValidationError: 'bolt/validation-error', ParseError: 'bolt/parse-error' }.each do |name, kind|
    const_set(name, Class.new(Error) { define_method(:initialize) { |msg| super(msg, kind) } })
  end

  Error::CLASSES = { 'bolt/run-failure' => RunFailure, 'bolt/apply-failure' => ApplyFailure, 'bolt/plan-failure' => PlanFailure,
                     'bolt/parallel-failure' => ParallelFailure, 'bolt/file-error' => FileError,
                     'bolt/container-failure' => ContainerFailure, 'bolt/future-timeout-error' => FutureTimeoutError,
                     'bolt/cli-error' => CLIError, 'bolt/validation-error' => ValidationError,
                     'bolt/parse-error' => ParseError }.freeze

  # A target of the inventory. It is asked each time: plans change targets.
  class Target < Volley::RichObject
    def self.from_hash(hash, _inventory = nil) = Volley.call('new', [Puppet::Pops::Types::PAnyType.from_text('Target'), hash])
    def self.from_asserted_hash(hash) = from_hash(hash)
    def self.from_asserted_args(uri = nil, **more) = from_hash({ 'uri' => uri }.compact.merge(more.transform_keys(&:to_s)))

    # One of that name in the inventory.
    def initialize(name, _inventory = nil)
      @name = name
    end

    # Of the attributes that every target has.
    %w[uri safe_name target_alias config vars facts features plugin_hooks resources].each do |attribute|
      define_method(attribute) { volley_get(attribute) }
    end
    %w[host password port protocol transport transport_config user].each { |method| define_method(method) { volley_get(method) } }
    alias options transport_config

    def name = @name ||= volley_get('name')
    def feature_set = Set.new(features)
    def remote? = protocol == 'remote'
    def to_s = safe_name
    def inspect = "#<Bolt::Target #{name}>"
    def ==(other) = other.is_a?(Target) && other.name == name
    alias eql? ==
    def hash = name.hash

    def to_volley_value
      volley_known? ? super : { '__ptype' => 'Call', 'function' => 'get_target', '__pvalue' => [Volley::Values.encode(@name)] }
    end

    def to_h
      transport_config.merge('name' => name, 'uri' => uri, 'protocol' => protocol, 'user' => user, 'password' => password,
                             'host' => host, 'port' => port)
    end

    def detail
      { 'name' => name, 'uri' => uri, 'alias' => target_alias,
        'config' => { 'transport' => transport, transport => transport_config },
        'vars' => vars, 'features' => features, 'facts' => facts, 'plugin_hooks' => plugin_hooks }
    end

    private

    def volley_get(name)
      return super if volley_known?

      take_number(Volley.call('get_target', [@name]))
      super
    end

    def take_number(same)
      @volley_data = {}
      @volley_type = 'Target'
      @volley_number = same.instance_variable_get(:@volley_number)
      @volley_epoch = Volley.epoch
    end
  end

  # What an action did on a target. It does not change, so what was asked for once is kept.
  class Result < Volley::RichObject
    def self.from_asserted_args(target, value) = new(target, value: value)
    def self.from_exception(target, exception, action: 'action', position: []) # rubocop:disable Lint/UnusedMethodArgument
      error = exception.is_a?(Error) ? exception.to_h : { 'kind' => 'puppetlabs.tasks/exception-error', 'issue_code' => 'EXCEPTION', 'msg' => exception.message, 'details' => { 'class' => exception.class.to_s } }
      new(target, error: error, action: action)
    end

    def initialize(target, error: nil, message: nil, value: nil, action: 'action', object: nil)
      raise Puppet::Error, 'The error of a Bolt::Result is a Hash' if error && !error.is_a?(Hash)

      @target = target
      @value = value || {}
      @value['_error'] = error if error
      @value['_output'] = message if message
      @data = { 'action' => action, 'object' => object }
    end

    def target = @target ||= volley_get(__method__.to_s)
    def value = @value ||= volley_get('value')
    def action = data['action']
    def object = data['object']
    def message = value['_output']
    def message? = message ? !message.strip.empty? : false
    def sensitive = value['_sensitive']
    def error_hash = value['_error']
    def error = error_hash && Puppet::DataTypes::Error.from_asserted_hash(error_hash)
    def ok? = error_hash.nil?
    alias ok ok?
    alias success? ok?
    def status = ok? ? 'success' : 'failure'
    def [](key) = value[key]
    def safe_value = Util.walk_vals(value) { |one| one.is_a?(String) ? one.scrub { |bytes| bytes.bytes.map { |byte| format('\\x%X', byte) }.join } : one }
    def generic_value = safe_value.reject { |key, _| %w[_error _output].include?(key) }

    def to_data
      plain = safe_value
      plain = plain.merge('_sensitive' => plain['_sensitive'].to_s) if plain.key?('_sensitive')
      { 'target' => target.name, 'action' => action, 'object' => object, 'status' => status, 'value' => plain }
    end

    def to_json(*options) = to_data.to_json(*options)
    def to_s = to_json
    def to_hash = { 'target' => target, 'value' => value }
    def inspect = "#<#{self.class} #{to_json}>"
    def ==(other) = other.class == self.class && other.target == target && other.value == value
    alias eql? ==
    def hash = [target, value].hash

    def to_volley_value
      return super if volley_known?

      { '__ptype' => 'Call', 'function' => 'new',
        '__pvalue' => [Volley::Values.tagged('Type', 'Result'), Volley::Values.encode('target' => target, 'value' => value)] }
    end

    private

    def data = @data ||= volley_get('to_data')
  end

  class ApplyResult < Result
    def report = value['report'] || volley_get('report')
    def catalog = volley_known? ? volley_get('catalog') : nil
  end

  # The results of an action, one for each target.
  class ResultSet < Volley::RichObject
    include Enumerable

    def initialize(results)
      @results = results
    end

    def results = @results ||= volley_get('results')

    def each(&block)
      return results.each unless block

      results.each(&block)
      self
    end

    def filter_set(&block) = ResultSet.new(results.select(&block))
    def result_hash = results.to_h { |result| [result.target.name, result] }
    def count(*given, &block) = given.empty? && block.nil? ? results.size : super
    def size = results.size
    alias length size
    def empty? = results.empty?
    alias empty empty?
    def targets = results.map(&:target)
    def names = targets.map(&:name)
    def ok? = results.all?(&:ok?)
    alias ok ok?
    def error_set = ResultSet.new(results.reject(&:ok?))
    def ok_set = ResultSet.new(results.select(&:ok?))
    def find(name = nil, &block) = block ? results.find(&block) : result_hash[name]
    def first(*given) = results.first(*given)
    def [](from, up_to = nil) = up_to ? results[from..up_to] : results[from]
    def to_data = results.map(&:to_data)
    alias to_a to_data
    def to_json(*options) = to_data.to_json(*options)
    def to_s = to_json
    def inspect = "#<Bolt::ResultSet #{to_json}>"
    def ==(other) = other.class == self.class && other.results == results
    alias eql? ==
    def hash = results.hash

    def to_volley_value
      return super if volley_known?

      { '__ptype' => 'Call', 'function' => 'new',
        '__pvalue' => [Volley::Values.tagged('Type', 'ResultSet'), Volley::Values.encode('results' => results)] }
    end
  end

  # A resource that a plan knows of a target.
  class ResourceInstance < Volley::RichObject
    %w[target type title state desired_state events reference].each { |name| define_method(name) { volley_get(name) } }
    def [](name) = state[name]
    def to_s = reference
    def to_hash = { 'target' => target, 'type' => type, 'title' => title, 'state' => state, 'desired_state' => desired_state, 'events' => events }
  end

  class ContainerResult < Volley::RichObject
    %w[value error message ok status stdout stderr].each { |name| define_method(name) { volley_get(name) } }
    alias ok? ok
    def [](name) = value[name]
  end

  class PlanFuture < Volley::RichObject; end

  # The words of Bolt's log in those of the controller.
  class Log
    { trace: :debug, debug: :info, info: :notice, warn: :warning, error: :err, fatal: :crit }.each do |level, severity|
      define_method(level) { |message = nil, &text| Volley.log(severity, message || text&.call) }
      define_method("#{level}?") { true }
    end
    alias notice info
  end

  module Logger
    class << self
      def logger(_name = nil) = @logger ||= Log.new
      def [](name) = logger(name)
      def warn(_id, message) = logger.warn(message)
      def deprecate(_id, message) = logger.warn(message)
      def info(_id, message) = logger.info(message)
      def debug(_id, message) = logger.debug(message)

      def warn_once(id, message)
        (@said ||= Set.new).add?(id) && logger.warn(message)
      end
      alias deprecate_once warn_once
    end
  end

  module Util
    class << self
      def walk_vals(data, skip_top = false, &block)
        data = yield(data) unless skip_top
        case data
        when Hash then data.transform_values { |value| walk_vals(value, &block) }
        when Array then data.map { |value| walk_vals(value, &block) }
        else data
        end
      end

      def walk_keys(data, &block)
        case data
        when Hash then data.to_h { |key, value| [yield(key), walk_keys(value, &block)] }
        when Array then data.map { |value| walk_keys(value, &block) }
        else data
        end
      end

      def deep_merge(one, other) = one.merge(other) { |_, a, b| a.is_a?(Hash) && b.is_a?(Hash) ? deep_merge(a, b) : b }
      def deep_clone(data) = Marshal.load(Marshal.dump(data)) # rubocop:disable Security/MarshalLoad
      def symbolize_top_level_keys(hash) = hash.transform_keys { |key| key.respond_to?(:to_sym) ? key.to_sym : key }
      def to_code(value) = value.inspect
      def windows? = false
      def powershell? = false
    end
  end

  Volley::Parts.declare('bolt_world', Bolt, :World)

  # What Puppet.lookup(:bolt_...) answers in a plan.
  def self.lookup(name, &default) = World.lookup(name, &default)
end
