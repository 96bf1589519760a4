require 'erb'

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

    def lookupvar(name, _options = {})
      raise Puppet::ParseError, "Scope variable name #{name.inspect} is a #{name.class}, not a string" unless name.is_a?(String)

      return Watch.current.object(name) if Watch.current&.include?(name)

      found = Volley.ask('cb' => 'variable', 'name' => name)
      return Watch.see(name, found[0]) unless found.empty?

      qualified = name.include?('::') ? "::#{name.delete_prefix('::')}" : name
      throw_or_raise(qualified)
    end
    alias [] lookupvar

    # The controller keeps a copy; Ruby code that asks for the variable gets this very object.
    def setvar(name, value, _options = {})
      raise Puppet::ParseError, "Scope variable name #{name.inspect} is a #{name.class}, not a string" unless name.is_a?(String)

      number = Volley.ask('cb' => 'set_variable', 'name' => name, 'value' => Values.encode(value))
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

    def exist?(name) = !Volley.ask('cb' => 'variable', 'name' => name.to_s).empty?
    alias bound? exist?

    def to_hash(_recursive = true, _include_undef = false) = Volley.ask('cb' => 'variables')
    def call_function(name, args = [], &block) = Volley.call(name, args.is_a?(Array) ? args : [args], &block)
    def environment = Environment.current
    def compiler = self
    def topscope = self
    def catalog = self
    def known_resource_types = self
    def cache = @cache ||= {}
    def classes = Volley.ask('cb' => 'classes')
    def tags = Volley.ask('cb' => 'tags')
    def node = self
    def name = Settings[:node].to_s
    def facts = lookupvar('facts')
    def trusted_data = lookupvar('trusted')
    def source = self
    def module_name = Volley.ask('cb' => 'variable', 'name' => 'module_name')[0]
    def parent_module_name = nil
    def inspect = to_s
    def to_s = Volley.ask('cb' => 'scope_text')
    def undef_as(value, given) = given.nil? || given == :undef ? value : given
    def find_hostclass(name) = Volley.ask('cb' => 'call', 'name' => 'defined', 'args' => [name.to_s]) ? name : nil
    alias find_definition find_hostclass

    def findresource(type, title = nil)
      type, title = Puppet::Resource.type_and_title(type, title)
      parameters = Volley.ask('cb' => 'resource', 'name' => "#{type}[#{title}]")
      parameters && Puppet::Resource.new(type, title, parameters: parameters)
    end

    def resource = nil

    Puppet::LEVELS.each { |level| define_method(level) { |message| Volley.log(level, message) } }

    def respond_to_missing?(name, include_private = false)
      (name.to_s.start_with?('function_') && Puppet::Parser::Functions.function(name.to_s.delete_prefix('function_'))) || super
    end

    def method_missing(name, *args)
      return super unless name.to_s.start_with?('function_')

      function = name.to_s.delete_prefix('function_')
      raise ArgumentError, 'custom functions must be called with a single array that contains the arguments. For example, function_example([1]) instead of function_example(1)' unless args.size == 1 && args[0].is_a?(Array)

      return super unless Puppet::Parser::Functions.function(function)

      Volley.ask('cb' => 'legacy_call', 'name' => function, 'args' => args[0].map { |arg| Values.encode(arg) })
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

  # The lists and hashes of variables that a template has got, each as one object. In Puppet they are the objects of
  # the program: a template that changes one in place changes the variable. The controller is told what changed.
  class Watch
    class << self
      attr_reader :current

      # Watches while the block runs; an inner template has a watch of its own.
      def during
        outer = @current
        outer&.tell
        @current = new
        yield
      ensure
        @current&.tell
        @current = outer
      end

      def see(name, object) = @current ? @current.add(name, object) : object
    end

    def initialize
      @seen = {}
    end

    def include?(name) = @seen.key?(name)
    def object(name) = @seen[name][0]

    def add(name, object)
      @seen[name] ||= [object, object.hash] if object.is_a?(Array) || object.is_a?(Hash)
      object
    end

    def tell
      @seen.each do |name, entry|
        now = entry[0].hash
        next if now == entry[1]

        entry[1] = now
        Volley.ask('cb' => 'changed', 'name' => name, 'value' => Values.encode(entry[0]))
      end
    end
  end

  # What an ERB template is evaluated in: variables of the scope are instance variables.
  class Template
    attr_reader :scope

    COMPILED = {} # rubocop:disable Style/MutableConstant
    FILES = {} # rubocop:disable Style/MutableConstant

    # The Ruby code of a template and the variables that it names; nil when it may ask for any.
    class Code
      attr_reader :names

      @last = 0
      class << self
        attr_accessor :last
      end

      def initialize(text)
        any = text.match?(/instance_variable|binding|\beval\b|ERB|to_hash|\bself\b/)
        @names = text.scan(/@([A-Za-z_]\w*)/).flatten.uniq unless any
        @source = ERB.new(text, trim_mode: '-').src
        @method = any ? false : nil
      end

      # Ruby parses a method once and other code at each run. What no method may hold (a class, a constant), and what
      # looks at its surroundings, is run as it is.
      def run(template, file)
        define(file || '(erb)') if @method.nil?
        @method ? template.public_send(@method) : template.evaluate(@source, file || '(erb)')
      end

      def forget
        Template.remove_method(@method) if @method
      end

      private

      def define(file)
        name = "volley_template_#{Code.last += 1}"
        head, body = @source.split("\n", 2) # the first line says the encoding
        Template.class_eval("#{head}\ndef #{name}; #{body}\nend", file, 0)
        @method = name
      rescue SyntaxError
        @method = false
      end
    end

    # Inline templates may be different ones each time.
    def self.compiled(text)
      COMPILED.delete(COMPILED.first[0]).forget if COMPILED.size > 500
      COMPILED[text] ||= Code.new(text)
    end

    def self.load(path, text)
      FILES[path]&.forget
      FILES[path] = Code.new(text)
    end

    def initialize(file)
      @__file__ = file
      @scope = Scope.current
    end

    def file = @__file__
    def has_variable?(name) = scope.include?(name.to_s)
    def classes = scope.classes
    def all_tags = scope.tags
    def tags = raise(NotImplementedError, "Call 'all_tags' instead.")
    def to_s = "template[#{@__file__ || 'inline'}]"
    Puppet::LEVELS.each { |level| define_method(level) { |message| Volley.log(level, message) } }

    # `given`: the variables that the code names, when the controller knows them already.
    def result(code, given)
      given ||= code.names.nil? ? scope.to_hash : code.names.empty? ? {} : Volley.ask('cb' => 'variables', 'names' => code.names)
      given.each do |name, value|
        instance_variable_set("@#{name.gsub(/\W/, '_')}", Watch.see(name, value)) unless value.nil?
      end
      code.run(self, @__file__)
    end

    def evaluate(_source, _place)
      eval(_source, binding, _place, 0) # rubocop:disable Security/Eval
    end
  end

  # Adds to an error where in its template it happened.
  module TemplateError
    attr_accessor :template_place
  end

  # What the controller asks for.
  module Requests
    module_function

    def on_setup(request)
      Settings.replace(request['settings'])
      Environment.reset
      Values.objects.clear
      KNOWN.clear
      return if LIBS == request['libs']

      LIBS.replace(request['libs'])
      request['libs'].each { |dir| $LOAD_PATH.unshift(dir) unless $LOAD_PATH.include?(dir) }
      nil
    end

    # A template of a file, which is rendered by its path from now on. The answer is what it names.
    def on_template(request)
      Template.load(request['path'], request['text']).names
    end

    def on_load(request)
      function = Volley.load_file(request['path'], LOADED)
      { 'own_call' => function.own_call?, 'aliases' => function.local_aliases, 'name' => function.func_name,
        'dispatches' => function.dispatches.map(&:to_data) }
    end

    def on_load_legacy(request)
      info = Volley.load_file(request['path'], LEGACY)
      { 'arity' => info[:arity], 'rvalue' => info[:type] == :rvalue, 'name' => info[:function].to_s }
    end

    # A dispatch that the controller has chosen, or the function's own call method.
    def on_call(request)
      function = Volley.load_file(request['path'], LOADED)
      args = Values.decode(request['args'])
      block = request['block'] ? ->(*given) { Volley.ask('cb' => 'yield', 'args' => given.map { |v| Values.encode(v) }) } : nil
      block = request['block'] ? proc { |*given| Volley.ask('cb' => 'yield', 'args' => given.map { |v| Values.encode(v) }) } : block
      instance = function.allocate
      instance.send(:initialize)
      return instance.call(Scope.current, *args, &block) if request['index'].nil?

      function.dispatches[request['index']].invoke(instance, args, &block)
    end

    def on_call_legacy(request)
      info = Volley.load_file(request['path'], LEGACY)
      Scope.current.send("function_#{info[:function]}", Values.decode(request['args']))
    end

    def on_render(request)
      code = request.key?('text') ? Template.compiled(request['text']) : Template::FILES.fetch(request['path'])
      given = request.key?('variables') ? Values.decode(request['variables']) : nil
      Watch.during { Template.new(request['path']).result(code, given) }
    rescue Unwind
      raise
    rescue SyntaxError, StandardError => e
      file = request['path'] || '(erb)'
      at = (e.backtrace || []).find { |line| line.start_with?("#{file}:") } || e.backtrace&.first.to_s
      e.extend(TemplateError)
      e.template_place = at.split(':')[0, 2]
      raise e
    end

    def on_ping(_request) = 'pong'
  end
end

Volley.run
