module Volley
  # The scope that calls a function or renders a template, as Ruby code sees it.
  class Scope < Puppet::Parser::Scope
    @legacy = {}

    class << self
      def current = @current ||= new
      def legacy(name) = @legacy[name]

      def define_legacy(name, info, block)
        @legacy[name] = info
        define_method("real_function_#{name}", &block)
        define_method("function_#{name}") do |args = nil, *more, &_given|
          unless args.is_a?(Array) && more.empty?
            raise ArgumentError, 'custom functions must be called with a single array that contains the arguments. For example, function_example([1]) instead of function_example(1)'
          end
          Scope.check_arity(name, info[:arity], args.size)
          result = send("real_function_#{name}", args)
          info[:type] == :rvalue ? result : nil
        end
      end

      def check_arity(name, arity, count)
        return if arity >= 0 ? count == arity : count >= -arity - 1

        raise ArgumentError, "#{name}(): Wrong number of arguments given (#{count} for #{'minimum ' if arity.negative?}#{arity.negative? ? -arity - 1 : arity})"
      end
    end

    # Where the controller looks for variables: in the scope that calls, or in the top scope.
    def place = nil

    def lookupvar(name, _options = {})
      raise Puppet::ParseError, "Scope variable name #{name.inspect} is a #{name.class}, not a string" unless name.is_a?(String)

      return Watch.current.object(name) if place.nil? && Watch.current&.include?(name)

      found = Volley.ask('cb' => 'variable', 'name' => name, 'scope' => place)
      return place ? found[0] : Watch.see(name, found[0]) unless found.empty?

      qualified = name.include?('::') ? "::#{name.delete_prefix('::')}" : name
      throw_or_raise(qualified)
    end
    alias [] lookupvar
    alias lookup_qualified_variable lookupvar

    # The controller keeps a copy; Ruby code that asks for the variable gets this very object.
    def setvar(name, value, _options = {})
      raise Puppet::ParseError, "Scope variable name #{name.inspect} is a #{name.class}, not a string" unless name.is_a?(String)

      number = Volley.ask('cb' => 'set_variable', 'name' => name, 'value' => Values.encode(value), 'scope' => place)
      Values.objects[number] = value
    end
    alias []= setvar

    def include?(name)
      catch(:undefined_variable) { return !lookupvar(name.to_s).nil? }
      false
    rescue ArgumentError
      false
    end
    alias has_variable? include?

    def exist?(name) = !Volley.ask('cb' => 'variable', 'name' => name.to_s, 'scope' => place).empty?
    def bound?(name) = !Volley.ask('cb' => 'variable', 'name' => name.to_s, 'scope' => 'own').empty?

    # Variables that only the block sees.
    def with_local_scope(variables)
      Volley.ask('cb' => 'local_scope', 'open' => true, 'value' => Values.encode(variables.transform_keys(&:to_s)))
      yield(self)
    ensure
      Volley.ask('cb' => 'local_scope', 'open' => false)
    end

    def to_hash(_recursive = true, _include_undef = false) = Volley.ask('cb' => 'variables', 'scope' => place)
    def call_function(name, args = [], &block) = Volley.call(name, args.is_a?(Array) ? args : [args], &block)
    def environment = Environment.current
    def compiler = Puppet::Parser::Compiler.current
    def catalog = compiler.catalog
    def node = compiler.node
    def topscope = TopScope.current
    def find_global_scope = topscope
    def is_topscope? = Volley.code_source.fetch('top', true) # rubocop:disable Naming/PredicateName
    def parent = is_topscope? ? nil : topscope
    def known_resource_types = Environment.current
    def classes = Volley.ask('cb' => 'classes')
    def tags = Volley.ask('cb' => 'tags')
    def facts = lookupvar('facts')
    def trusted_data = lookupvar('trusted')
    def source = Volley::Source.current
    def module_name = Volley.ask('cb' => 'variable', 'name' => 'module_name')[0]
    def parent_module_name = nil
    def inspect = to_s
    def to_s = place ? 'Scope(Class[main])' : Volley.ask('cb' => 'scope_text')
    def undef_as(value, given) = given.nil? || given == :undef ? value : given
    def find_hostclass(name) = Volley.ask('cb' => 'call', 'name' => 'defined', 'args' => [name.to_s]) ? name : nil
    alias find_definition find_hostclass

    def findresource(type, title = nil)
      type, title = Puppet::Resource.type_and_title(type, title)
      found = Volley.ask('cb' => 'resource', 'name' => "#{type}[#{title}]")
      found && Puppet::Parser::Resource.from_catalog(found)
    end

    def resource
      found = Volley.ask('cb' => 'scope_resource', 'scope' => place)
      found && Puppet::Parser::Resource.from_catalog(found)
    end

    def lookupdefaults(_type) = {}

    Puppet::LEVELS.each { |level| define_method(level) { |message| Volley.log(level, message) } }

    def respond_to_missing?(name, include_private = false)
      (name.to_s.start_with?('function_') && Puppet::Parser::Functions.function(name.to_s.delete_prefix('function_'))) || super
    end

    def method_missing(name, *args, &block)
      return super unless name.to_s.start_with?('function_')

      function = name.to_s.delete_prefix('function_')
      raise ArgumentError, 'custom functions must be called with a single array that contains the arguments. For example, function_example([1]) instead of function_example(1)' unless args.size == 1 && args[0].is_a?(Array)

      return super unless Puppet::Parser::Functions.function(function)

      Volley.lend(block) do |leased|
        question = { 'cb' => 'legacy_call', 'name' => function, 'args' => args[0].map { |arg| Values.encode(arg) } }
        question['block'] = leased if leased
        Volley.ask(question)
      end
    end

    private

    def throw_or_raise(name)
      throw(:undefined_variable, nil)
    rescue UncaughtThrowError
      raise ArgumentError, "Undefined variable '#{name}'; " if Settings[:strict] == :error

      Volley.log(:warning, "Undefined variable '#{name}'; \n   (file & line not available)") if Settings[:strict] == :warning
      nil
    end
  end

  # The scope of the main manifest: what functions of the newer API see.
  class TopScope < Scope
    def self.current = @current_top ||= new
    def place = 'top'
    def is_topscope? = true # rubocop:disable Naming/PredicateName
    def parent = nil
  end

  # The class, define or node whose code calls.
  class Source
    attr_reader :name, :type, :file, :line, :module_name

    def self.current
      data = Volley.code_source
      data.key?('source_name') ? new(data) : nil
    end

    def initialize(data)
      @name = data['source_name']
      @type = data['source_type'].to_sym
      @file = data['file']
      @line = data['line']
      @module_name = data['module']
    end

    def to_s = name
  end

  def self.code_source = ask('cb' => 'source') || {}
end
