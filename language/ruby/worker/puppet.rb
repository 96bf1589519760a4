require 'set'

# The parts of Puppet that functions and templates of modules commonly use. What is used rarely is in the parts.
module Puppet
  class Error < RuntimeError
    attr_accessor :volley_token, :original

    def initialize(message = nil, original = nil, *_more, **_named)
      super(message&.to_s&.scrub)
      @original = original
    end
  end

  # An error of a place in a file: the message says where.
  module ExternalFileError
    attr_accessor :file, :line, :pos, :puppetstack

    def initialize(message = nil, file = nil, line = nil, pos = nil, original = nil, **_named)
      if pos.is_a?(Exception)
        original = pos
        pos = nil
      end
      super(message, original)
      @file = file.is_a?(String) && file.empty? ? nil : file
      @line = line
      @pos = pos
    end

    def to_s
      place = Puppet::Util::Errors.error_location(@file, @line, @pos)
      place.empty? ? super : "#{super} #{place}"
    end
  end

  class ParseError < Error
    include ExternalFileError
  end

  class ParseErrorWithIssue < ParseError
    attr_reader :issue_code, :basic_message, :arguments

    def initialize(message = nil, file = nil, line = nil, pos = nil, original = nil, issue_code = nil, arguments = nil)
      super(message, file, line, pos, original)
      @issue_code = issue_code
      @basic_message = message
      @arguments = arguments
    end
  end

  class ResourceError < Error
    include ExternalFileError
  end

  class DevError < Error; end
  class ExecutionFailure < Error; end
  class MissingCommand < Error; end
  class UninitializedError < Error; end
  class PreformattedError < ParseErrorWithIssue; end

  module DataBinding
    class LookupError < Puppet::PreformattedError
      def to_controller = { 'lookup' => true }
    end

    class RecursiveLookupError < Puppet::DataBinding::LookupError; end
  end

  LEVELS = %i[debug info notice warning err alert emerg crit].freeze

  @contexts = []
  @features = nil

  class << self
    LEVELS.each do |level|
      define_method(level) { |message = nil, *_, &text| Volley.log(level, message.nil? && text ? text.call : message) }
    end

    def send_log(level, message) = Volley.log(level, message)

    def log_exception(error, message = :default, options = {})
      text = message == :default || message == 'default' ? error.message : message.to_s
      Volley.log(options[:level] || :err, text)
    end

    def deprecation_warning(message, key = nil)
      Volley.ask('cb' => 'deprecation', 'key' => (key || message).to_s, 'message' => message.to_s)
    end
    alias puppet_deprecation_warning deprecation_warning

    def warn_once(_kind, key, message, *_rest)
      @warned ||= Set.new
      warning(message) if @warned.add?(key)
    end

    def [](name) = Volley::Settings[name]

    def []=(name, value)
      Volley::Settings[name] = value
    end

    def settings = Volley::Settings

    def lookup(name, &default)
      given = @contexts.reverse_each.find { |values| values.key?(name.to_sym) }
      if given
        value = given[name.to_sym]
        return value.is_a?(Proc) ? value.call : value
      end

      case name
      when :current_environment, :root_environment then Volley::Environment.current
      when :global_scope then Volley::TopScope.current
      when :environments then Volley::Environments
      when :loaders then Puppet::Pops::Loaders
      when /\Abolt_|\A(?:plan_executor|apply_executor)\z/ then Volley.tasks? ? Bolt.lookup(name, &default) : missing(name, &default)
      else missing(name, &default)
      end
    end

    def missing(name)
      return yield if block_given?

      raise Puppet::Context::UndefinedBindingError, "no '#{name}' in the context of this code"
    end
    private :missing

    def override(values = {}, _doc = nil)
      @contexts.push(values.transform_keys(&:to_sym))
      yield
    ensure
      @contexts.pop
    end

    def push_context(values, _doc = nil) = @contexts.push(values.transform_keys(&:to_sym))
    def pop_context = @contexts.pop
    def version = PUPPETVERSION
    def features = @features ||= Features.new
    def run_mode = RunMode
    def runtime = Puppet::Runtime.instance
  end
  PUPPETVERSION = '7.23.0'

  module Context
    class UndefinedBindingError < Puppet::Error; end
  end

  # What this machine and process can do.
  class Features
    def posix? = true
    def microsoft_windows? = false
    alias windows? microsoft_windows?
    def root? = Process.uid.zero?
    def syslog? = true
    def ssl? = true
    def openssl? = true
    def bolt? = Volley.tasks?
    def respond_to_missing?(name, *) = name.to_s.end_with?('?')

    # A library that may be there; other features are not.
    def method_missing(name, *args)
      return super unless args.empty? && name.to_s.end_with?('?')

      (@libraries ||= {}).fetch(name) { @libraries[name] = library?(name.to_s.chomp('?')) }
    end

    def add(name, options = {})
      libraries = Array(options[:libs])
      answer = block_given? ? yield : libraries.all? { |library| library?(library) }
      define_singleton_method("#{name}?") { answer ? true : false }
    end

    private

    def library?(name)
      require name
      true
    rescue LoadError
      false
    end
  end

  module RunMode
    def self.name = :user
    def self.user? = true
    def self.agent? = false
    def self.server? = false
    def self.master? = false
  end

  module Util
    module Errors
      def self.error_location(file, line = nil, column = nil)
        return '' unless file || line

        parts = []
        parts << "file: #{file}" if file
        parts << "line: #{line}" if line
        parts << "column: #{column}" if line && column
        "(#{parts.join(', ')})"
      end

      def self.error_location_with_space(file, line = nil, column = nil)
        place = error_location(file, line, column)
        place.empty? ? '' : " #{place}"
      end

      def fail(*args) = raise(args.first.is_a?(Class) ? args.shift.new(args.join(' ')) : Puppet::Error.new(args.join(' ')))
    end

    module Logging
      Puppet::LEVELS.each { |level| define_method(level) { |message = nil, *_, &text| Volley.log(level, message.nil? && text ? text.call : message) } }
      def send_log(level, message) = Volley.log(level, message)
      def log_exception(...) = Puppet.log_exception(...)
      def deprecation_warning(...) = Puppet.deprecation_warning(...)
      def warn_once(...) = Puppet.warn_once(...)
    end

    module Package
      def self.versioncmp(left, right, ignore_trailing_zeroes = false)
        Volley.call('versioncmp', [left.to_s, right.to_s, ignore_trailing_zeroes])
      end

      def versioncmp(*args) = Package.versioncmp(*args)
    end

    ABSOLUTE = {
      posix: %r{\A/},
      windows: %r{\A(?:[A-Z]:[\\/]|[\\/]{2}[^\\/]+[\\/][^\\/]+|[\\/]{2}\?[\\/][^\\/]+)}i
    }.freeze

    # The methods of the module, which code may also have as its own (extend Puppet::Util).
    module Methods
      def absolute_path?(path, platform = :posix) = path.is_a?(String) && ABSOLUTE.fetch(platform).match?(path)
      def execute(*args) = Execution.execute(*args)
      def execpipe(*args, &block) = Execution.execpipe(*args, &block)
      def deterministic_rand_int(seed, max) = Random.new(seed).rand(max)
      def deterministic_rand(seed, max) = deterministic_rand_int(seed, max).to_s
      def uri_to_path(uri) = uri.path && CGI.unescape(uri.path.gsub('+', '%2B'))
      def symbolizehash(hash) = hash.transform_keys(&:to_sym)
      def create_erb(text) = ERB.new(text, trim_mode: '-')

      def which(name)
        return File.executable?(name) ? name : nil if name.include?('/')

        ENV.fetch('PATH', '').split(':').map { |dir| File.join(dir, name) }.find { |path| File.file?(path) && File.executable?(path) }
      end

      # Code runs with other variables of the environment, all of them or some.
      def withenv(variables, _mode = nil)
        before = ENV.to_hash
        variables.each { |name, value| ENV[name.to_s] = value&.to_s }
        yield
      ensure
        ENV.replace(before)
      end

      def uri_encode(text, _options = {}) = text.gsub(%r{[^-A-Za-z0-9._~!$&'()*+,;=:@/?%]}) { |char| Util.percent(char) }.gsub(/%(?!\h\h)/, '%25')
      def uri_query_encode(text, _options = nil) = text.gsub(/[^-A-Za-z0-9._~]/) { |char| Util.percent(char) }
      def uri_unescape(text) = CGI.unescape(text.gsub('+', '%2B'))
      def path_to_uri(path) = URI.parse("file://#{uri_encode(path)}")
      def safe_posix_fork(*) = raise(Puppet::Error, 'Puppet::Util.safe_posix_fork cannot be used here: run the program with Puppet::Util::Execution.execute')

      def benchmark(*args)
        message = args.pop
        level = args.pop
        began = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        yield
        seconds = Process.clock_gettime(Process::CLOCK_MONOTONIC) - began
        Volley.log(level, "#{message} in #{format('%0.2f', seconds)} seconds") unless level.nil? || level == :none
        seconds
      end

      def thinmark
        began = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        yield
        Process.clock_gettime(Process::CLOCK_MONOTONIC) - began
      end
    end
    include Methods
    extend Methods
    Puppet::LEVELS.each { |level| define_singleton_method(level) { |message| Volley.log(level, message) } }

    def self.percent(char) = char.bytes.map { |byte| format('%%%02X', byte) }.join
  end

  module Parser
    class Scope; end

    module Files
      def self.find_template(name, _environment = nil)
        Volley.ask('cb' => 'module_file', 'kind' => 'templates', 'name' => name.to_s)
      end

      def self.find_file(name, _environment = nil)
        Volley.ask('cb' => 'module_file', 'kind' => 'files', 'name' => name.to_s)
      end
    end
  end

  module Pops
    EMPTY_HASH = {}.freeze
    EMPTY_ARRAY = [].freeze
    EMPTY_STRING = ''
    MIN_INTEGER = -0x8000000000000000
    MAX_INTEGER = 0x7FFFFFFFFFFFFFFF

    module PuppetStack
      def self.stacktrace = Volley.ask('cb' => 'stack')
      def self.top_of_stack = stacktrace.first || []
    end

    # Functions are found by call_function; who looks for another kind of thing gets an error.
    module Loaders
      def self.loader = self
      def self.private_environment_loader = self
      def self.public_environment_loader = self
      def self.puppet_system_loader = self
      def self.environment = Volley::Environment.current

      def self.load(kind, name)
        raise Puppet::Error, "A loader loads functions here, not #{kind} '#{name}'" unless kind.to_sym == :function

        Volley::LoadedFunction.new(name.to_s) if Volley.ask('cb' => 'known', 'name' => name.to_s)
      end
    end

    module Serialization
      class ToDataConverter
        def self.convert(value, _options = {}) = Volley::Values.encode(value)
      end
    end

    module Evaluator
      class Jumper < StandardError; end
    end

    module Issues
      def self.method_missing(name, *) = name
      def self.respond_to_missing?(*) = true
    end
  end
end

# Puppet's own encoding of JSON.
module PSON
  class ParserError < StandardError; end
  def self.load(text) = JSON.parse(text)
  def self.parse(text) = JSON.parse(text)
  def self.generate(data) = JSON.generate(data)
  def self.pretty_generate(data) = JSON.pretty_generate(data)
end

module Volley
  LIBS = [] # rubocop:disable Style/MutableConstant

  # Plans run, and no catalog is made.
  def self.tasks? = Settings[:tasks] ? true : false

  # What is sent of the node and the project once per question.
  def self.node = ask('cb' => 'node')

  {
    settings: [Volley, :SettingDefaults], bolt: [Object, :Bolt], http: [Puppet, :HTTP, :Runtime, :Network, :SSL],
    lookup: [Puppet::Pops, :Lookup], versions: [Object, :SemanticPuppet], gems: [Object, :Gem], times: [Puppet::Pops, :Time],
    datatypes: [Puppet, :DataTypes], files: [Puppet, :FileSystem, :Module],
    catalog: [Puppet, :Resource, :Type, :Node],
    facter: [Object, :Facter]
  }.each { |part, (owner, *names)| Parts.declare(part.to_s, owner, *names) }
  Parts.declare('catalog', Puppet::Parser, :Resource, :Compiler)
  Parts.declare('execution', Puppet::Util, :Execution, :SUIDManager)
  Parts.declare('tools', Puppet::Util, :Json, :Yaml, :Platform, :Checksums, :IniConfig, :POSIX, :Diff, :Tag, :SymbolicFileMode)
end

module Kernel
  def _(text) = text
  def n_(one, many, count) = count == 1 ? one : many

  alias volley_require require
  # Files of Puppet itself are what is here, even where Puppet is installed; modules may have such folders, too.
  def require(path)
    name = path.to_s
    return Volley::Parts.load(name.delete_prefix('volley/')) if name.start_with?('volley/')

    if %r{\A(?:puppet|facter|hiera|semantic_puppet|pson|bolt)(?:/|\z)}.match?(name)
      file = Volley::LIBS.map { |dir| File.join(dir, name.end_with?('.rb') ? name : "#{name}.rb") }.find { |one| File.file?(one) }
      return file ? volley_require(file) : false
    end
    begin
      volley_require(path)
    rescue LoadError => e
      raise e unless Volley::Parts.load('gems')

      require(path) # which is that of rubygems from now on
    end
  end
  private :require
end
