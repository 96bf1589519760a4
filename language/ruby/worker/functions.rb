module Volley
  def self.log(level, message)
    ask('cb' => 'log', 'level' => level.to_s, 'message' => message.to_s)
    nil
  end

  # Calls a function of the evaluator, as code in the language would.
  def self.call(name, args, &block)
    lend(block) do |leased|
      question = { 'cb' => 'call', 'name' => name.to_s, 'args' => args.map { |arg| Values.encode(arg) } }
      question['block'] = leased if leased
      ask(question)
    end
  end

  module Settings
    @values = {}

    class << self
      def replace(values)
        @values = values.transform_keys(&:to_sym)
        @values[:strict] = @values[:strict].to_sym if @values[:strict]
      end

      def [](name)
        key = name.to_sym
        @values.key?(key) ? @values[key] : SettingDefaults.value(key)
      end

      def []=(name, value)
        @values[name.to_sym] = value
      end

      def value(name, *) = self[name]
      def set_by_config?(*) = false
      def method_missing(name, *args) = args.empty? ? self[name] : super
      def respond_to_missing?(*) = true
    end
  end

  # Things that functions of one compilation or plan share.
  module Kept
    @objects = {}
    @cache = Hash.new { |all, object| all[object] = {} }.compare_by_identity

    class << self
      def [](name) = @objects[name]

      def []=(name, value)
        @objects[name] = value
      end

      # What cache_param returns: a hash for each object.
      def retrieve(object) = @cache[object]

      def clear
        @objects.clear
        @cache.clear
      end
    end
  end

  class Environment
    attr_reader :name

    def initialize(name)
      @name = name.to_sym
    end

    def self.create(name, *) = new(name)
    def self.current = @current ||= new(Settings[:environment] || 'production')
    def self.reset = @current = nil
    def to_s = @name.to_s
    def modulepath = Volley.ask('cb' => 'modules').map { |_, path| File.dirname(path) }.uniq
    def full_modulepath = modulepath
    def modules = Volley.ask('cb' => 'modules').map { |name, path| Puppet::Module.new(name, path) }
    def module_names = modules.map(&:name)
    def module(name) = Puppet::Module.find(name)
    def known_resource_types = self
    def [](name) = Settings[name]
    def hostclass(name) = Scope.current.find_hostclass(name)
    alias find_hostclass hostclass
    def definition(name) = Scope.current.find_definition(name)
    alias find_definition definition
  end

  # The environments that there are: this one.
  module Environments
    def self.get(name) = name.to_s == Environment.current.to_s ? Environment.current : nil
    def self.get!(name) = get(name) || raise(Puppet::Error, "There is no environment '#{name}' here")
    def self.list = [Environment.current]
  end

  # A function that a loader has found.
  class LoadedFunction
    attr_reader :name

    def initialize(name)
      @name = name
    end

    def call(_scope, *args, &block) = Volley.call(name, args, &block)
  end

  # The objects of functions, one of each.
  INSTANCES = {} # rubocop:disable Style/MutableConstant
  # The functions of the newer API that have been loaded, by file.
  LOADED = {} # rubocop:disable Style/MutableConstant
  LEGACY = {} # rubocop:disable Style/MutableConstant
  # Names of functions that the environment has.
  KNOWN = {} # rubocop:disable Style/MutableConstant

  # What a file defines: its path is asked for once, and read again only when the file changed.
  def self.load_file(path, store)
    stamp = File.mtime(path)
    known = store[path]
    return known[1] if known && known[0] == stamp

    @defined = nil
    load(path)
    raise ArgumentError, "The code loaded from #{path} does not define a function" unless @defined

    store[path] = [stamp, @defined]
    @defined
  end

  def self.defined=(function)
    @defined = function
  end
end

module Puppet
  module Functions
    def self.create_function(name, base = Function, &block)
      function = Class.new(base)
      function.instance_variable_set(:@func_name, name.to_s)
      function.class_eval(&block)
      function.default_dispatch if function.dispatches.empty?
      Volley.defined = function
      function
    end

    # The base of functions of the newer API.
    class Function
      class << self
        attr_reader :func_name

        def dispatches = @dispatches ||= []
        def name = @func_name
        def local_aliases = @local_aliases ||= []
        def dispatch(method, &block) = dispatches << DispatchBuilder.new(method, false).tap { |b| b.instance_eval(&block) }
        def argument_mismatch(method, &block) = dispatches << DispatchBuilder.new(method, true).tap { |b| b.instance_eval(&block) }
        def local_types(&block) = LocalTypes.new(local_aliases).instance_eval(&block)
        def dispatcher = Dispatcher.new(self)
        def own_call? = instance_method(:call).owner != Function

        # Without a dispatch: any arguments, as many as the method named like the function takes.
        def default_dispatch
          simple = func_name.split('::').last
          raise ArgumentError, "Function Creation Error, cannot create a default dispatcher for function '#{func_name}', no method with this name found" unless method_defined?(simple)

          builder = DispatchBuilder.new(simple.to_sym, false)
          instance_method(simple).parameters.each do |kind, name|
            case kind
            when :req then builder.param('Any', name)
            when :opt then builder.optional_param('Any', name)
            when :rest then builder.optional_repeated_param('Any', name || :args)
            end
          end
          dispatches << builder
        end
      end

      attr_reader :loader

      def initialize(closure_scope, loader)
        @closure_scope = closure_scope
        @loader = loader
      end

      def closure_scope = @closure_scope || Volley::TopScope.current
      def call_function(name, *args, &block) = Volley.call(name, args, &block)

      def call(_scope, *args, &block)
        self.class.dispatcher.dispatch(self, Volley::Scope.current, args, &block)
      end
    end

    class InternalFunction < Function
      def call_function_with_scope(_scope, name, *args, &block) = call_function(name, *args, &block)
    end

    class LocalTypes
      def initialize(list)
        @list = list
      end

      def type(text) = @list << text
    end

    # One way to call a function: what the controller needs to know to choose it, and how to call the method.
    class DispatchBuilder
      attr_reader :mismatch, :method_name

      def initialize(method_name, mismatch)
        @method_name = method_name
        @mismatch = mismatch
        @params = []
        @weave = []
        @block = nil
        @returns = nil
      end

      def param(type, name) = add(type, name, 'required')
      def optional_param(type, name) = add(type, name, 'optional')
      def repeated_param(type, name) = add(type, name, 'repeated')
      def required_repeated_param(type, name) = add(type, name, 'required_repeated')
      alias required_param param
      alias optional_repeated_param repeated_param

      def block_param(*type_and_name)
        @block_name = type_and_name.last&.to_s
        @block = type_and_name.size == 2 ? type_and_name[0].to_s : 'Callable'
      end
      alias required_block_param block_param

      def optional_block_param(*type_and_name) = @block = "Optional[#{block_param(*type_and_name)}]"
      def return_type(type) = @returns = type.to_s
      def scope_param = @weave << :scope
      def compiler_param = @weave << :scope
      def script_compiler_param = @weave << :scope
      def pal_compiler_param = @weave << :scope
      def cache_param = @weave << :cache

      def to_data
        { 'params' => @params, 'block' => @block, 'block_name' => @block_name, 'returns' => @returns, 'mismatch' => @mismatch, 'method' => @method_name.to_s }
      end

      def invoke(instance, args, &block)
        instance.send(@method_name, *woven(args), &block)
      end

      private

      def add(type, name, kind)
        @params << [type.to_s, name.to_s, kind]
        @weave << [kind, @params.size - 1]
      end

      def woven(args)
        return args if @weave.none?(Symbol)

        @weave.flat_map do |place|
          case place
          when :scope then [Volley::Scope.current]
          when :cache then [Volley::Kept]
          else place[0].end_with?('repeated') ? (args[place[1]..] || []) : args[place[1], 1] || []
          end
        end
      end
    end

    # For functions with a call method of their own, which dispatch by themselves.
    class Dispatcher
      def initialize(function)
        @function = function
      end

      def dispatch(instance, _scope, args, &block)
        index = Volley.ask('cb' => 'dispatch', 'name' => @function.func_name, 'args' => args.map { |arg| Volley::Values.encode(arg) }, 'block' => !block.nil?)
        chosen = @function.dispatches[index]
        result = chosen.invoke(instance, args, &block)
        raise ArgumentError, "'#{@function.func_name}' #{result}" if chosen.mismatch

        result
      end
    end
  end

  module Parser
    # The older API: functions are methods of the scope.
    module Functions
      class << self
        def newfunction(name, options = {}, &block)
          info = { arity: options[:arity] || -1, type: options[:type] || :statement, name: "function_#{name}" }
          Volley::Scope.define_legacy(name.to_sym, info, block)
          Volley.defined = info.merge(function: name.to_sym)
          info
        end

        def function(name, _environment = nil)
          known = Volley::KNOWN[name.to_s] ||= Volley.ask('cb' => 'known', 'name' => name.to_s)
          known ? "function_#{name}" : false
        end

        def rvalue?(name, *) = Volley::Scope.legacy(name.to_sym)&.fetch(:type) != :statement
        def arity(name, *) = Volley::Scope.legacy(name.to_sym)&.fetch(:arity) || -1
        def autoloader = self
        def load(name, *) = function(name)
        def loaded?(name) = function(name) && true
        def loadall(*) = nil
      end
      Environment = Volley::Environment
    end
  end
end
