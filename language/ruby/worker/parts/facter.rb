# Facts: of the node that a catalog is for; in plans those of this machine, which a program facter knows.
module Facter
  class << self
    def value(name)
      key = name.to_s
      return added[key].value if added.key?(key)

      found = dig(facts, key)
      found.nil? && Volley.tasks? ? local(key) : found
    end

    def fact(name)
      found = value(name)
      found.nil? ? nil : Fact.new(name.to_s, found)
    end

    def [](name) = fact(name)
    def to_hash = (Volley.tasks? ? run_facter : facts).merge(added.transform_values(&:value))
    def to_h = to_hash
    def collection = to_hash
    def version = '4.2.13'
    def list = to_hash.keys
    def flush = @local = nil
    def clear = flush
    def debug(message) = Volley.log(:debug, message)
    def info(message) = Volley.log(:info, message)
    def warn(message) = Volley.log(:warning, message)
    def error(message) = Volley.log(:err, message)
    def log_exception(error, message = nil) = Volley.log(:err, message || error.message)
    def search(*) = nil

    def add(name, options = {}, &block)
      resolution = Util::Resolution.new(name.to_s)
      resolution.instance_eval(&block) if block
      resolution.take(options)
      added[name.to_s] = resolution
    end

    private

    def added = @added ||= {}
    def facts
      return {} if Volley.tasks?

      catch(:undefined_variable) { Volley::TopScope.current.lookupvar('facts') } || {}
    end

    def dig(data, key)
      return data[key] if data.is_a?(Hash) && data.key?(key)

      key.split('.').reduce(data) { |at, part| at.is_a?(Hash) ? at[part] : at.is_a?(Array) && part.match?(/\A\d+\z/) ? at[part.to_i] : nil }
    end

    def local(key)
      top = key.split('.').first
      @local ||= {}
      @local[top] = run_facter(top) unless @local.key?(top)
      dig(@local[top], key)
    end

    def run_facter(*names)
      program = Puppet::Util.which('facter') || ['/opt/puppetlabs/bin/facter'].find { |path| File.executable?(path) }
      raise Puppet::Error, "Facter needs the facts of this machine here, and there is no program 'facter' on PATH" unless program

      JSON.parse(IO.popen([program, '--json', *names], err: File::NULL, &:read))
    rescue JSON::ParserError => e
      raise Puppet::Error, "#{program} printed facts that are not JSON: #{e.message}"
    end
  end

  Fact = Struct.new(:name, :value)

  module Core
    module Execution
      class ExecutionFailure < StandardError; end

      class << self
        def which(name) = Puppet::Util.which(name)
        def exec(command) = execute(command, on_fail: nil)
        def execute_command(command, on_fail = nil, *) = execute(command, on_fail: on_fail)

        def execute(command, options = {})
          output = IO.popen({ 'LC_ALL' => 'C', 'LANG' => 'C' }, ['/bin/sh', '-c', command], err: File::NULL, &:read)
          raise Errno::ENOENT, command if $?.exitstatus == 127 # rubocop:disable Style/SpecialGlobalVars

          output.strip
        rescue SystemCallError => e
          fallback = options.fetch(:on_fail, :raise)
          raise ExecutionFailure, "Failed while executing '#{command}': #{e.message}" if fallback == :raise

          fallback
        end
      end
    end
  end

  module Util
    class Resolution
      def self.exec(command) = Core::Execution.exec(command)
      def self.which(name) = Core::Execution.which(name)

      def initialize(name)
        @name = name
      end

      def take(options) = @value ||= options[:value]
      def confine(*) = nil
      def has_weight(*) = nil # rubocop:disable Naming/PredicateName
      def timeout=(_seconds); end
      def setcode(command = nil, &block) = @code = block || -> { Core::Execution.exec(command) }
      def value = @value ||= @code&.call
    end
  end
end
