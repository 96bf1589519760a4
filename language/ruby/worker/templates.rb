module Volley
  # The lists and hashes of variables that a template has got, each as one object. In Puppet they are the objects of
  # the program: a template that changes one in place changes the variable. The controller learns what changed.
  class Watch
    class << self
      attr_reader :current

      # Watches while the block runs; an inner template has a watch of its own.
      def during
        outer = @current
        outer&.report
        @current = new
        yield
      ensure
        @current&.report
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

    def report
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
end
