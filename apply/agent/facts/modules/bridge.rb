# The part of Facter that facts of modules use, for targets that have a Ruby but perhaps no Facter: what the agent found
# are the core facts. Reads {"facts": {}, "external": [names], "folders": [lib folders]} on stdin and writes
# {"facts": {}, "warnings": []}: what the modules' facts resolved to, and what went wrong. Where a comment says
# compatibility, Facter 4 does it like this. Runs on every Ruby from 2.0 on.
require 'json'
require 'open3'
require 'time'
require 'timeout'

module Facter
  VERSION = '4.3.0'.freeze

  class ResolveCustomFactError < StandardError; end

  # A fact that the agent found, or the value of one that somebody asked for.
  KnownFact = Struct.new(:name, :value)

  module Core
    # Commands that facts run.
    module Execution
      class ExecutionFailure < StandardError; end
      OPTIONS = [:on_fail, :expand, :logger, :timeout, :time_limit, :limit].freeze
      LONGEST = 300

      module_function

      def search_paths
        ENV['PATH'].to_s.split(File::PATH_SEPARATOR) + %w[/sbin /usr/sbin]
      end

      def absolute_path?(path, _platform = nil)
        path.start_with?('/')
      end

      def which(name)
        places = absolute_path?(name) ? [name] : search_paths.map { |folder| File.join(folder, name) }
        places.find { |place| File.file?(place) && File.executable?(place) }
      end

      # The command with the path of its program; nil where there is none.
      def expand_command(command)
        quoted = /\A(["'])(.+?)\1(?:\s+(.*))?/m.match(command)
        program, arguments = quoted ? [quoted[2], quoted[3]] : command.split(/ /, 2)
        path = program && which(program)
        return nil unless path
        path = "'#{path}'" if path =~ /\s/
        arguments ? "#{path} #{arguments}" : path
      end

      def with_env(values)
        before = {}
        values.each do |name, value|
          before[name] = ENV[name]
          ENV[name] = value
        end
        yield
      ensure
        before.each { |name, value| ENV[name] = value }
      end

      def exec(command)
        execute(command, :on_fail => nil)
      end

      def execute(command, options = {})
        on_fail = options.fetch(:on_fail, :raise)
        unknown = options.keys - OPTIONS
        Facter.warn("Facter::Core::Execution.execute has no option #{unknown.join(', ')}") unless unknown.empty?
        known = options[:logger] ? command : expand_command(command)
        # Compatibility: with expand => false a builtin of the shell is not a file, but runs.
        known = command if known.nil? && options[:expand] == false && shell_builtin?(command)
        if known.nil?
          raise ExecutionFailure, "Could not execute '#{command}': command not found" if on_fail == :raise
          return on_fail
        end
        seconds = (options[:timeout] || options[:time_limit] || options[:limit]).to_i
        output, = execute_command(known, on_fail, options[:logger], seconds)
        output
      end

      def execute_command(command, on_fail = nil, logger = nil, seconds = nil)
        seconds = LONGEST unless seconds && seconds > 0
        output, errors = finish(command.to_s, seconds, on_fail)
        [output.strip, errors]
      rescue StandardError => e
        return '' if logger
        raise ExecutionFailure, "Failed while executing '#{command}': #{e.message}" if on_fail == :raise
        on_fail
      end

      def shell_builtin?(command)
        Open3.capture2('/bin/sh', '-c', 'type "$1"', 'sh', command.split(' ').first.to_s).first.include?('builtin')
      end

      # Ends the command and all that it started when it takes too long. Compatibility: then its output is empty,
      # whatever on_fail is, unless that is :raise.
      def finish(command, seconds, on_fail)
        Open3.popen3({ 'LC_ALL' => 'C', 'LANG' => 'C' }, command, :pgroup => true) do |input, output, errors, process|
          input.close
          readers = [output, errors].map { |pipe| Thread.new { pipe.read } }
          begin
            Timeout.timeout(seconds) { readers.map(&:value) }
          rescue Timeout::Error
            Process.kill('KILL', -process.pid)
            raise "it took longer than #{seconds} seconds" if on_fail == :raise
            ['', '']
          ensure
            readers.each(&:kill)
          end
        end
      end
    end
  end

  module Util
    # What simple and aggregate resolutions have in common.
    module Suitable
      attr_accessor :timeout
      attr_reader :name, :fact

      def initialize(name, fact)
        @name = name
        @fact = fact
        @confines = []
      end

      def options(options)
        @timeout = options[:timeout] if options.key?(:timeout)
        @weight = options[:weight] if options.key?(:weight)
      end

      def evaluate(&block)
        instance_eval(&block)
      end

      def has_weight(weight)
        @weight = weight
        self
      end

      # Compatibility: without a weight of its own a resolution weighs as much as it has confines.
      def weight
        @weight || @confines.length
      end

      def confine(confines = nil, &block)
        if confines.is_a?(Hash)
          confines.each { |name, values| @confines << [name, Array(values), nil] }
        elsif block
          @confines << [confines, [], block]
        end
      end

      def suitable?
        @confines.all? { |name, values, block| holds?(name, values, block) }
      end

      def on_flush(&block)
        @on_flush = block
      end

      def flush
        @on_flush.call if @on_flush
      end

      def value
        Bridge.normal(Timeout.timeout(@timeout || 0) { resolve })
      rescue Timeout::Error
        Facter.complain("#{described} took longer than #{@timeout} seconds")
        nil
      rescue Bridge::NotAFactValue => e
        Facter.complain("#{described} resolved to an invalid value: #{e.message}")
        nil
      rescue StandardError, ScriptError, SystemExit, SystemStackError => e
        Facter.complain("#{described} could not be resolved: #{e.message}")
        raise ResolveCustomFactError
      end

      private

      def described
        "The fact #{@fact.name}#{" (#{@name})" if @name}"
      end

      def holds?(name, values, block)
        return block.call ? true : false unless name
        known = Facter[name]
        actual = known && plain(known.value)
        return false if actual.nil?
        return block.call(actual) ? true : false if block
        values.any? { |value| plain(value) === actual }
      rescue StandardError
        false
      end

      def plain(value)
        value = value.to_s if value.is_a?(Symbol)
        value.is_a?(String) ? value.downcase : value
      end
    end

    # One way to find a fact out.
    class Resolution
      extend Core::Execution
      class << self
        public :which, :exec, :with_env
      end
      include Suitable

      def kind
        :simple
      end

      def options(options)
        super
        @constant = options[:value] if options.key?(:value)
      end

      def setcode(command = nil, &block)
        raise ArgumentError, 'setcode needs a command or a block' unless command || block
        @code = command ? proc { Bridge.not_empty(Core::Execution.execute(command, :on_fail => nil)) } : block
        self
      end

      private

      def resolve
        return @constant unless @constant.nil?
        @code && @code.call
      end
    end

    # A fact with its resolutions.
    class Fact
      attr_reader :name, :options

      def initialize(name, options = {})
        @name = name
        @options = options
        @resolutions = []
      end

      def add(options = {}, &block)
        define_resolution(nil, options, &block)
      end

      def define_resolution(name, options = {}, &block)
        options = options.dup
        kind = options.delete(:type) || :simple
        found = resolution(name)
        raise ArgumentError, "the resolution #{name} is a #{found.kind} one already" if found && found.kind != kind
        found ||= make(name, kind)
        found.options(options)
        found.evaluate(&block) if block
        found
      rescue StandardError => e
        Facter.complain("A resolution of the fact #{@name} could not be defined: #{e.message}")
        nil
      end

      def resolution(name)
        name && @resolutions.find { |resolution| resolution.name == name }
      end

      def flush
        @resolutions.each(&:flush)
        @value = nil
      end

      # Compatibility: a resolution without weight leaves a core fact its value.
      def value
        return @value unless @value.nil?
        raise "the fact #{@name} asks for itself" if @searching
        @searching = true
        begin
          found, weight = find
          core = Bridge.core(@name.to_s)
          least = Bridge.external?(@name.to_s) ? Bridge::EXTERNAL_WEIGHT : 0
          @value = found.nil? || (weight <= least && !core.nil?) ? core : found
        ensure
          @searching = false
        end
      end

      private

      def make(name, kind)
        classes = { :simple => Resolution, :aggregate => Core::Aggregate }
        raise ArgumentError, "a resolution is simple or aggregate, not #{kind}" unless classes.key?(kind)
        @resolutions << classes[kind].new(name, self)
        @resolutions.last
      end

      def find
        able = @resolutions.select(&:suitable?)
        able = able.each_with_index.sort_by { |resolution, index| [-resolution.weight, index] }
        able.each do |resolution, _|
          value = resolution.value
          return [value, resolution.weight] unless value.nil?
        end
        [nil, 0]
      rescue ResolveCustomFactError
        [nil, 0]  # compatibility: what raises ends the search
      end
    end
  end

  module Core
    # A resolution made of chunks that may need each other.
    class Aggregate
      include Util::Suitable

      def initialize(name, fact)
        super
        @chunks = {}
      end

      def kind
        :aggregate
      end

      def chunk(name, options = {}, &block)
        raise ArgumentError, 'a chunk needs a block' unless block
        raise ArgumentError, "the name of a chunk is a Symbol, not #{name.inspect}" unless name.is_a?(Symbol)
        @chunks[name] = [Array(options[:require]), block]
        self
      end

      def aggregate(&block)
        raise ArgumentError, 'aggregate needs a block' unless block
        @aggregate = block
        self
      end

      private

      def resolve
        results = {}
        @chunks.each_key { |name| run(name, results, []) }
        return @aggregate.call(results) if @aggregate
        results.values.inject { |left, right| merge(left, right, []) }
      end

      def run(name, results, path)
        return if results.key?(name)
        raise ArgumentError, "chunks need each other: #{(path + [name]).join(' -> ')}" if path.include?(name)
        needed, block = @chunks.fetch(name) { raise ArgumentError, "there is no chunk #{name}" }
        needed.each { |other| run(other, results, path + [name]) }
        results[name] = Bridge.frozen(block.call(*needed.map { |other| results[other] }))
      end

      def merge(left, right, path)
        return left if right.nil?
        return right if left.nil?
        return left + right if left.is_a?(Array) && right.is_a?(Array)
        if left.is_a?(Hash) && right.is_a?(Hash)
          return left.merge(right) { |key, one, other| merge(one, other, path + [key]) }
        end
        place = path.map { |key| "[#{key.inspect}]" }.join
        raise ArgumentError, "#{left.class} and #{right.class} cannot be merged#{" at #{place}" unless path.empty?}"
      end
    end
  end

  # The facts that are known, and the files that define more.
  module Bridge
    class NotAFactValue < StandardError; end
    EXTERNAL_WEIGHT = 10_000

    class << self
      attr_reader :warnings

      def begin(request)
        @core = request['facts']
        @external = request['external']
        @folders = request['folders']
        @facts = {}
        @loaded = {}
        @warnings = []
      end

      def core(path)
        dig(@core, path)
      end

      def external?(name)
        @external.include?(name)
      end

      def core_names
        @core.keys
      end

      def facts
        @facts
      end

      def fact(name, options = {})
        @facts[name.to_s.downcase.to_sym] ||= Util::Fact.new(name.to_s.downcase.to_sym, options)
      end

      # The value at "os.release.full": the longest key first, because names may hold points.
      def dig(value, path)
        words = path.split('.')
        return value[path] if value.is_a?(Hash) && value.key?(path)
        if value.is_a?(Array)
          return nil unless words.first =~ /\A\d+\z/
          inner = value[words.first.to_i]
          return words.length == 1 ? inner : dig(inner, words.drop(1).join('.'))
        end
        return nil unless value.is_a?(Hash)
        (words.length - 1).downto(1) do |count|
          key = words.take(count).join('.')
          inner = value[key]
          inner = value[key.to_sym] if inner.nil?
          found = inner.nil? ? nil : dig(inner, words.drop(count).join('.'))
          return found unless found.nil?
        end
        value[path.to_sym]
      end

      def load_file(folder, name)
        return if @loaded.key?(name)
        path = File.join(folder, 'facter', name)
        return unless File.file?(path)
        @loaded[name] = true  # of two modules with such a file the first one counts
        Kernel.load(path)
      rescue StandardError, ScriptError, SystemExit, SystemStackError => e
        Facter.complain("The facts of #{module_path(path)} could not be read: #{e.message.lines.first.to_s.chomp}")
      end

      def load_named(name)
        @folders.each { |folder| load_file(folder, "#{name}.rb") }
      end

      def load_all
        @folders.each do |folder|
          Dir.glob(File.join(folder, 'facter', '*.rb')).sort.each { |path| load_file(folder, File.basename(path)) }
        end
      end

      # "ntp/lib/facter/x.rb", for people.
      def module_path(path)
        path.split('/').last(4).join('/')
      end

      def resolved
        load_all
        found = {}
        names = {}
        until (new = @facts.keys - names.keys).empty?
          new.each do |name|
            names[name] = true
            value = @facts[name].value
            found[name.to_s] = value unless value.nil? || value.equal?(@core[name.to_s])
          end
        end
        found
      end

      def not_empty(text)
        text.nil? || text.empty? ? nil : text
      end

      def normal(value)
        case value
        when Integer, true, false, nil then value
        when Float
          raise NotAFactValue, "#{value} is not a number that JSON has" if value.nan? || value.infinite?
          value
        when Symbol then value.to_s
        when Time then value.iso8601
        when String then normal_text(value)
        when Array then value.map { |item| normal(item) }
        when Hash then Hash[value.map { |key, item| [normal(key), normal(item)] }]
        else
          return value.iso8601 if value.respond_to?(:iso8601)
          raise NotAFactValue, "a value of the class #{value.class}"
        end
      end

      def normal_text(text)
        text = text.encode(Encoding::UTF_8)
        raise NotAFactValue, 'text that is not valid UTF-8' unless text.valid_encoding?
        text
      rescue EncodingError
        raise NotAFactValue, "text that cannot be converted from #{text.encoding} to UTF-8"
      end

      def frozen(value)
        case value
        when Array then value.map { |item| frozen(item) }.freeze
        when Hash then Hash[value.map { |key, item| [frozen(key), frozen(item)] }].freeze
        when String then value.dup.freeze
        else value
        end
      end
    end
  end

  class << self
    def add(name, options = {}, &block)
      Bridge.fact(name, options).add(options.reject { |key, _| [:ldapname, :fact_type, :file].include?(key) }, &block)
    end

    def define_fact(name, options = {}, &block)
      fact = Bridge.fact(name, options)
      fact.instance_eval(&block) if block
      fact
    rescue StandardError => e
      complain("The fact #{name} could not be defined: #{e.message}")
      nil
    end

    # Compatibility: first the file of that name, then what is known, then all files.
    def fact(query)
      name = query.to_s.downcase
      Bridge.load_named(name)
      found = find(name)
      return found if found && !found.value.nil?
      Bridge.load_all
      find(name)
    end
    alias [] fact

    def value(query)
      found = fact(query)
      found && found.value
    end

    def core_value(query)
      Bridge.core(query.to_s)
    end

    def to_hash
      Bridge.load_all
      names = Bridge.core_names | Bridge.facts.keys.map(&:to_s)
      names.each_with_object({}) do |name, all|
        value = find(name).value
        all[name] = value unless value.nil?
      end
    end

    def each(&block)
      to_hash.each(&block)
      self
    end

    def list
      to_hash.keys.sort
    end

    def loadfacts
      Bridge.load_all
      nil
    end

    def flush
      Bridge.facts.each_value(&:flush)
      nil
    end

    def version
      VERSION
    end

    def warn(message)
      Bridge.warnings << message.to_s
      nil
    end
    alias complain warn

    def warnonce(message)
      warn(message) unless Bridge.warnings.include?(message.to_s)
    end

    def log_exception(exception, message = nil)
      text = message.to_s.empty? ? exception.to_s : message.to_s
      warn(text)
    end

    # What has no meaning here: folders are known, and nothing is debugged.
    [:debug, :debugonce, :debugging, :trace, :on_message, :search, :search_external, :load_external, :clear, :reset,
     :clear_messages].each { |name| define_method(name) { |*_arguments| nil } }
    [:debugging?, :trace?].each { |name| define_method(name) { false } }
    [:search_path, :search_external_path].each { |name| define_method(name) { [] } }

    private

    def find(name)
      own = Bridge.facts[name.to_sym]
      return own if own
      value = Bridge.core(name)
      value = within_own(name) if value.nil?
      value.nil? ? nil : KnownFact.new(name, value)
    end

    # "mysql.version" of a fact mysql that a module defines.
    def within_own(name)
      first, rest = name.split('.', 2)
      own = rest && Bridge.facts[first.to_sym]
      own && Bridge.dig(own.value, rest)
    end
  end
end

answers = $stdout.dup
$stdout.reopen($stderr)  # what a fact prints is not an answer
request = JSON.parse($stdin.read.force_encoding('UTF-8'))
$LOADED_FEATURES << 'facter.rb'
$LOAD_PATH.concat(request['folders'])
has_puppet = $LOAD_PATH.any? { |folder| File.file?(File.join(folder, 'puppet.rb')) } ||
             (defined?(Gem) && !Gem::Specification.find_all_by_name('puppet').empty?)
if has_puppet
  Object.autoload(:Puppet, File.join(File.dirname(File.expand_path(__FILE__)), 'puppet_settings.rb'))
  # What requires a part of Puppet gets the whole first: the autoload would begin in the middle of that part.
  Object.prepend(Module.new do
    private

    def require(name)
      Object.const_get(:Puppet) if Object.autoload?(:Puppet) && name.to_s.match?(%r{\Apuppet(/|\z)})
      super
    end
  end)
end
Facter::Bridge.begin(request)
found = Facter::Bridge.resolved
answers.write(JSON.generate('facts' => found, 'warnings' => Facter::Bridge.warnings))
answers.flush
exit!(0)  # whatever a fact left running in a thread
