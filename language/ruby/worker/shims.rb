require 'set'

# The parts of Puppet that functions and templates of modules commonly use.
module Puppet
  class Error < RuntimeError
    attr_accessor :volley_token, :file, :line, :pos, :original

    def initialize(message = nil, *_more, **_named)
      super(message)
    end
    alias basic_message message
  end

  class DevError < Error; end
  class ParseError < Error; end
  class ParseErrorWithIssue < ParseError; end
  class ExecutionFailure < Error; end
  class MissingCommand < Error; end
  class ResourceError < Error; end
  class PreformattedError < ParseErrorWithIssue; end

  LEVELS = %i[debug info notice warning err alert emerg crit].freeze

  class << self
    LEVELS.each do |level|
      define_method(level) { |message = nil, *_, &text| Volley.log(level, message.nil? && text ? text.call : message) }
    end

    def deprecation_warning(message, key = nil)
      Volley.ask('cb' => 'deprecation', 'key' => (key || message).to_s, 'message' => message.to_s)
    end

    def warn_once(_kind, key, message, *_rest)
      @warned ||= Set.new
      warning(message) if @warned.add?(key)
    end

    def [](name)
      Volley.setting(name)
    end

    def settings
      Volley::Settings
    end

    def lookup(name, &default)
      case name
      when :current_environment, :root_environment then Volley::Environment.current
      when :global_scope then Volley::Scope.current
      else default ? default.call : nil
      end
    end

    def override(_values = {}, _doc = nil)
      yield
    end

    def version
      PUPPETVERSION
    end

    def features
      @features ||= Class.new { def method_missing(*) = false; def respond_to_missing?(*) = true }.new # rubocop:disable Style/MissingRespondToMissing
    end
  end
  PUPPETVERSION = '7.23.0'

  module Util
    module Errors
      def self.error_location(file, line) = file ? "(file: #{file}, line: #{line})" : "(line: #{line})"
    end

    module Package
      def self.versioncmp(left, right, ignore_trailing_zeroes = false)
        Volley.call('versioncmp', [left.to_s, right.to_s, ignore_trailing_zeroes])
      end

      def versioncmp(*args) = Package.versioncmp(*args)
    end

    module Json
      class ParseError < StandardError; end

      def self.load(text, _options = {})
        JSON.parse(text, quirks_mode: true)
      rescue JSON::ParserError => e
        raise ParseError, e.message
      end

      def self.load_file(path, default = nil)
        File.exist?(path) ? load(File.read(path)) : default
      end

      def self.load_file_if_valid(path, _options = {})
        load(File.read(path))
      rescue StandardError
        nil
      end

      def self.dump(data, options = {})
        options[:pretty] ? JSON.pretty_generate(data) : JSON.generate(data)
      end
    end

    module Yaml
      class YamlLoadError < StandardError; end

      def self.safe_load(text, allowed = [], _file = nil)
        require 'yaml'
        YAML.safe_load(text, permitted_classes: [Symbol] + allowed, aliases: true) || false
      rescue Psych::Exception => e
        raise YamlLoadError, e.message
      end

      def self.load_file(path, default = false, _more = false)
        File.exist?(path) ? safe_load(File.read(path)) : default
      end

      def self.safe_load_file(path, allowed = [])
        safe_load(File.read(path), allowed)
      end
    end

    module Execution
      class ProcessOutput < String
        attr_reader :exitstatus

        def initialize(text, status)
          super(text)
          @exitstatus = status
        end
      end

      def self.execute(command, options = {})
        require 'open3'
        words = command.is_a?(Array) ? command.flatten.map(&:to_s) : [command.to_s]
        settings = options[:cwd] ? { chdir: options[:cwd] } : {}
        output, status = command.is_a?(Array) ? Open3.capture2e([words[0], words[0]], *words[1..], **settings) : Open3.capture2e(words[0], **settings)
        if options.fetch(:failonfail, true) && !status.success?
          raise Puppet::ExecutionFailure, "Execution of '#{words.join(' ')}' returned #{status.exitstatus}: #{output.strip}"
        end

        ProcessOutput.new(output, status.exitstatus)
      rescue SystemCallError => e
        raise Puppet::ExecutionFailure, "Could not execute '#{words.join(' ')}': #{e.message}"
      end

      def self.execpipe(command, _failonfail = true)
        yield IO.popen(command)
      end
    end

    ABSOLUTE = {
      posix: %r{\A/},
      windows: %r{\A(?:[A-Z]:[\\/]|[\\/]{2}[^\\/]+[\\/][^\\/]+|[\\/]{2}\?[\\/][^\\/]+)}i
    }.freeze

    class << self
      def absolute_path?(path, platform = :posix)
        path.is_a?(String) && ABSOLUTE.fetch(platform).match?(path)
      end

      def execute(*args) = Execution.execute(*args)

      def deterministic_rand_int(seed, max) = Random.new(seed).rand(max)

      def deterministic_rand(seed, max) = deterministic_rand_int(seed, max).to_s

      def which(name)
        return name if name.include?('/') && File.executable?(name)

        ENV.fetch('PATH', '').split(':').map { |dir| File.join(dir, name) }.find { |path| File.executable?(path) }
      end

      def uri_to_path(uri) = uri.path

      def symbolizehash(hash) = hash.transform_keys(&:to_sym)

      def create_erb(text) = ERB.new(text, trim_mode: '-')
    end

    Puppet::LEVELS.each { |level| define_method(level) { |message| Volley.log(level, message) } }
  end

  module FileSystem
    class << self
      def exist?(path) = File.exist?(path)
      def read(path, options = {}) = File.read(path, **(options[:encoding] ? { encoding: options[:encoding] } : {}))
      def read_preserve_line_endings(path) = File.read(path, mode: 'rb', encoding: Encoding::UTF_8)
      def pathname(path) = Pathname.new(path)
      def basename_string(path, *rest) = File.basename(path, *rest)
      def dir_string(path) = File.dirname(path)
      def directory?(path) = File.directory?(path)
      def file?(path) = File.file?(path)
      def executable?(path) = File.executable?(path)
      def symlink?(path) = File.symlink?(path)
    end
  end

  class Module
    attr_reader :name, :path

    def initialize(name, path)
      @name = name
      @path = path
    end

    def self.find(name, _environment = nil)
      path = Volley.ask('cb' => 'module_path', 'name' => name.to_s)
      path && new(name, path)
    end

    def file(name) = Puppet::Parser::Files.find_file("#{@name}/#{name}", nil)
    def template(name) = Puppet::Parser::Files.find_template("#{@name}/#{name}", nil)
    def metadata_file = File.join(@path, 'metadata.json')
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

  class Resource
    attr_reader :type, :title

    def initialize(type, title, *_rest, parameters: {}, **_more)
      @type = type.to_s.split('::').map(&:capitalize).join('::')
      @title = title
      @parameters = parameters.transform_keys(&:to_sym)
    end

    def [](name) = %w[name title].include?(name.to_s) ? @parameters.fetch(name.to_sym, @title) : @parameters[name.to_sym]
    def to_hash = @parameters.dup

    def ref = "#{@type}[#{@title}]"
    alias to_s ref

    def self.type_and_title(text, title)
      return [text, title] if title

      match = /\A([^\[\]]+)\[(.+)\]\z/m.match(text.to_s) or raise ArgumentError, "No title provided and #{text.inspect} is not a valid resource reference"
      [match[1].split('::').map(&:capitalize).join('::'), match[2]]
    end
  end

  module Pops
    EMPTY_HASH = {}.freeze
    EMPTY_ARRAY = [].freeze

    module PuppetStack
      def self.stacktrace = Volley.ask('cb' => 'stack')
      def self.top_of_stack = stacktrace.first || []
    end

    module Types
      # A data type: its text. Questions about it are answered by the controller.
      class PAnyType
        def self.from_text(text, reference = nil)
          return PResourceType.new(text, *reference) if reference.is_a?(Array)

          TYPES.fetch(text[/\A\w+(?:::\w+)*/], PAnyType).new(text)
        end

        def initialize(text)
          @text = text
        end

        def to_s = @text
        def inspect = @text
        def simple_name = @text[/\A[^\[]+/]
        alias name simple_name
        def instance?(value, *_) = Volley.ask('cb' => 'type', 'question' => 'instance', 'type' => @text, 'value' => Volley::Values.encode(value))
        def assignable?(other, *_) = Volley.ask('cb' => 'type', 'question' => 'assignable', 'type' => @text, 'value' => { '__ptype' => 'Type', '__pvalue' => other.to_s })
        def generalize = Volley.ask('cb' => 'type', 'question' => 'generalize', 'type' => @text)
        def ==(other) = other.is_a?(PAnyType) && to_s == other.to_s
        alias eql? ==
        def hash = @text.hash
        def ===(value) = instance?(value)
      end

      class PCatalogEntryType < PAnyType; end

      class PResourceType < PCatalogEntryType
        attr_reader :type_name, :title

        def initialize(text, type_name = nil, title = nil)
          super(text)
          @type_name = type_name
          @title = title
        end
      end

      class PClassType < PCatalogEntryType
        def class_name = @text[/\[['"]?([^\]'"]+)/, 1]
      end

      names = %w[String Integer Float Numeric Boolean Array Hash Struct Tuple Regexp Pattern Enum Variant Optional NotUndef
                 Type Undef Default Scalar ScalarData Data Collection Callable Sensitive Binary Timestamp Timespan SemVer
                 SemVerRange Iterable Iterator Runtime Object TypeAlias Init URI]
      types = names.to_h { |name| [name, const_set("P#{name}Type", Class.new(PAnyType))] }
      TYPES = types.merge('Class' => PClassType).freeze

      class PSensitiveType
        # A value that does not show itself.
        class Sensitive
          def initialize(value)
            @value = value
          end

          def unwrap = @value
          def to_s = 'Sensitive [value redacted]'
          def inspect = "#<#{self}>"
          def ==(other) = other.is_a?(Sensitive) && other.hash == hash
          alias eql? ==
          def hash = @value.hash
        end
      end

      class TypeParser
        def self.singleton = @singleton ||= new
        def parse(text, _context = nil) = Volley.ask('cb' => 'type', 'question' => 'parse', 'type' => text)
        def self.type_map = TYPES
      end

      class TypeCalculator
        def self.singleton = self
        def self.instance?(type, value) = type.is_a?(PAnyType) ? type.instance?(value) : type === value # rubocop:disable Style/CaseEquality
        def self.infer(value) = Volley.ask('cb' => 'type', 'question' => 'infer', 'value' => Volley::Values.encode(value))
        def self.infer_set(value) = Volley.ask('cb' => 'type', 'question' => 'infer_set', 'value' => Volley::Values.encode(value))
        def self.generalize(type) = type.generalize
        def self.assignable?(left, right) = left.assignable?(right)
        def self.iterable(value) = value
        def instance?(...) = self.class.instance?(...)
        def infer(value) = self.class.infer(value)
      end

      class TypeAsserter
        def self.assert_instance_of(subject, type, value, nil_ok = false)
          return value if (value.nil? && nil_ok) || type.instance?(value)

          subject = yield if subject.nil? && block_given?
          raise Puppet::Error, "#{subject} has wrong type, expects #{type}, got #{TypeCalculator.infer(value)}"
        end
      end

      class TypeMismatchDescriber
        def self.singleton = @singleton ||= new

        def describe_mismatch(subject, expected, actual)
          Volley.ask('cb' => 'type', 'question' => 'mismatch', 'name' => subject, 'type' => expected.to_s,
                     'value' => { '__ptype' => 'Type', '__pvalue' => actual.to_s })
        end
      end

      class TypeFormatter
        def self.singleton = self
        def self.string(type) = type.to_s
      end

      module TypeFactory
        def self.method_missing(name, *args)
          return super unless args.empty? && TYPES.key?(name.to_s.split('_').map(&:capitalize).join)

          from = name.to_s.split('_').map(&:capitalize).join
          PAnyType.from_text(from)
        end

        def self.respond_to_missing?(*) = true
        def self.host_class(name = nil) = PAnyType.from_text(name ? "Class['#{name}']" : 'Class')
      end

      module Iterable
        def self.asserted_iterable(_caller, value, _infer = false) = value.is_a?(Integer) ? value.times : value.each_entry
        def self.on(value) = value.each_entry
      end

      class PBinaryType
        Binary = Volley::RichText
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

  module Type
    def self.type(_name) = nil
  end
end

module SemanticPuppet
  class Version < Volley::RichText
    def self.parse(text) = new('SemVer', text.to_s)
    def self.valid?(text) = /\A\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?\z/.match?(text.to_s)
    def <=>(other) = Volley.call('versioncmp', [to_s, other.to_s])
    def major = to_s[/\A(\d+)/, 1].to_i
    def minor = to_s[/\A\d+\.(\d+)/, 1].to_i
    def patch = to_s[/\A\d+\.\d+\.(\d+)/, 1].to_i
  end
end

# Puppet's own encoding of JSON and its translations.
module PSON
  class ParserError < StandardError; end
  def self.load(text) = JSON.parse(text)
  def self.parse(text) = JSON.parse(text)
  def self.pretty_generate(data) = JSON.pretty_generate(data)
end

module Facter
  def self.value(name)
    name.to_s.split('.').reduce(Volley::Scope.current.lookupvar('facts')) { |data, key| data.is_a?(Hash) ? data[key] : nil }
  end

  def self.fact(name) = Struct.new(:value).new(value(name))
  def self.[](name) = fact(name)
end

module Volley
  LIBS = [] # rubocop:disable Style/MutableConstant
end

module Kernel
  def _(text) = text
  def n_(one, many, count) = count == 1 ? one : many

  alias volley_require require
  # Files of Puppet itself are the shims above, even where Puppet is installed; modules may have such folders, too.
  def require(path)
    name = path.to_s
    if %r{\A(?:puppet|facter|hiera|semantic_puppet|pson)(?:/|\z)}.match?(name)
      file = Volley::LIBS.map { |dir| File.join(dir, name.end_with?('.rb') ? name : "#{name}.rb") }.find { |one| File.file?(one) }
      return file ? volley_require(file) : false
    end
    begin
      volley_require(path)
    rescue LoadError => e
      raise e if defined?(Gem::Specification)

      volley_require('rubygems')
      volley_require(path)
    end
  end
  private :require
end
