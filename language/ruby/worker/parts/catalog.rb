module Puppet
  # A reference to a resource, with the parameters that somebody has given it.
  class Resource
    include Enumerable

    attr_accessor :file, :line, :virtual, :exported, :catalog, :environment
    attr_reader :type, :title, :tags

    def self.type_and_title(text, title)
      return [munged(text), title] if title && text.to_s.downcase != 'class'
      return ['Class', munged(title)] if title

      match = /\A([^\[\]]+)\[(.*)\]\z/m.match(text.to_s) or raise ArgumentError, "No title provided and #{text.to_s.inspect} is not a valid resource reference"
      type_and_title(match[1], match[2])
    end

    def self.munged(name) = name.to_s.delete_prefix('::').split('::').map(&:capitalize).join('::')

    def initialize(type, title = nil, attributes = {}, parameters: nil, **more)
      type = type.resource_type if type.respond_to?(:resource_type)
      parameters ||= attributes[:parameters] || {}
      @type, @title = Resource.type_and_title(type, title)
      @parameters = parameters.to_h { |name, value| [name.to_sym, value] }
      @tags = []
      attributes.merge(more).each { |name, value| public_send("#{name}=", value) if respond_to?("#{name}=") }
    end

    def [](name) = %w[name title].include?(name.to_s) ? @parameters.fetch(name.to_sym, @title) : @parameters[name.to_sym]

    def []=(name, value)
      @parameters[name.to_sym] = value
    end

    def each(&block) = @parameters.each(&block)
    def key?(name) = @parameters.key?(name.to_sym)
    alias include? key?
    def delete(name) = @parameters.delete(name.to_sym)
    def keys = @parameters.keys
    def length = @parameters.size
    def empty? = @parameters.empty?
    def to_hash = @parameters.dup
    alias to_h to_hash
    alias parameters to_hash
    def name = self[:name]
    def class? = @type == 'Class'
    def stage? = @type == 'Stage'
    def builtin_type? = !class? && !@type.include?('::')
    def resource_type = Type.type(@type)
    def uniqueness_key = [@title]
    def tagged?(*names) = names.flatten.any? { |name| @tags.include?(name.to_s.downcase) }
    def virtual? = @virtual ? true : false
    def exported? = @exported ? true : false
    def ref = "#{@type}[#{@title}]"
    alias to_s ref
    alias to_ref ref
    def inspect = "#{ref}#{@parameters}"
    def ==(other) = other.is_a?(Resource) && other.type == type && other.title == title && other.to_hash == to_hash
    alias eql? ==
    def hash = [type, title].hash
    def to_data_hash = { 'type' => type, 'title' => title, 'parameters' => @parameters.transform_keys(&:to_s) }
    def to_json(*options) = to_data_hash.to_json(*options)

    # A reference, for the controller.
    def to_volley_value
      title = @title.to_s.gsub(/[\\']/) { |char| "\\#{char}" }
      Volley::Values.tagged('Type', "#{@type}['#{title}']")
    end

    # What the catalog has of it.
    def self.from_catalog(data)
      made = new(data['type'], data['title'], parameters: data['parameters'])
      made.send(:take, data)
      made
    end

    # The catalog so far, as Ruby code may ask it.
    class Catalog
      def resource(type, title = nil)
        type, title = Resource.type_and_title(type, title)
        found = Volley.ask('cb' => 'resource', 'name' => "#{type}[#{title}]")
        found && Parser::Resource.from_catalog(found)
      end

      def resources = resource_refs.map { |ref| resource(ref) }
      def resource_refs = Volley.ask('cb' => 'resources')
      def resource_keys = resource_refs.map { |ref| Resource.type_and_title(ref, nil) }
      def classes = Volley.ask('cb' => 'classes')
      def tags = Volley.ask('cb' => 'tags')
      def tagged?(*names) = !(tags & names.flatten.map { |name| name.to_s.downcase }).empty?
      def name = Volley.node['name'].to_s
      def version = Volley.node['version'].to_s
      def environment = Volley::Environment.current.to_s
      def environment_instance = Volley::Environment.current
      def to_s = name

      def method_missing(name, *)
        raise Puppet::Error, "catalog.#{name} cannot be used here: functions may ask for resources, and declare them with create_resources"
      end

      def respond_to_missing?(*) = false
    end

    private

    def take(data)
      @title = data['title']
      @tags = data['tags']
      @file = data['file']
      @line = data['line']
      @virtual = data['virtual']
      @exported = data['exported']
    end
  end

  module Parser
    # A resource of the catalog. What Ruby code changes of it goes nowhere, so it may not.
    class Resource < Puppet::Resource
      def scope = Volley::Scope.current
      def catalog = Compiler.current.catalog
      def source = Volley::Source.current
      def evaluated? = true
      def isomorphic? = true

      def initialize(*given, scope: nil, source: nil, **more) # rubocop:disable Lint/UnusedMethodArgument
        super(*given, **more)
      end

      def []=(name, _value)
        raise Puppet::Error, "#{ref}[#{name}] cannot be set by Ruby code here: set it in the manifest"
      end
      alias set_parameter []=
      alias add_parameters []=

      def self.from_catalog(data)
        made = super
        made.freeze_parameters
        made
      end

      def freeze_parameters = @parameters.freeze
    end

    # What compiles the catalog.
    class Compiler
      def self.current = @current ||= new
      def catalog = @catalog ||= Puppet::Resource::Catalog.new
      def node = @node ||= Puppet::Node.new
      def topscope = Volley::TopScope.current
      def newscope(scope, *) = scope
      def environment = Volley::Environment.current
      def resources = catalog.resources
      def findresource(*given) = Volley::Scope.current.findresource(*given)
      def loaders = Puppet::Pops::Loaders
      def context_overrides = {}

      def evaluate_classes(classes, _scope = nil, *)
        return Volley.call('include', classes) unless classes.is_a?(Hash)

        classes.each { |name, values| Volley.call('create_resources', ['class', { name => values || {} }]) }
      end

      def add_resource(_scope, resource)
        raise Puppet::Error, "#{resource.ref} cannot be added by Ruby code here: use create_resources"
      end

      def method_missing(name, *)
        raise Puppet::Error, "compiler.#{name} cannot be used here"
      end

      def respond_to_missing?(*) = false
    end
  end

  # The node that the catalog is for.
  class Node
    Facts = Struct.new(:name, :values)

    def name = Volley.node['name'].to_s
    def facts = Facts.new(name, Volley::TopScope.current.lookupvar('facts') || {})
    def parameters = Volley::TopScope.current.to_hash
    def trusted_data = Volley::TopScope.current.lookupvar('trusted')
    def classes = Volley.ask('cb' => 'classes')
    def environment = Volley::Environment.current
    def environment_name = environment.name
    def to_s = name
  end

  # Types of resources: whether there is one of a name, and what it is called.
  module Type
    class Known
      attr_reader :name

      def initialize(name)
        @name = name.to_s.downcase.to_sym
      end

      def to_s = Puppet::Resource.munged(name)

      def method_missing(name, *)
        raise Puppet::Error, "Puppet::Type.type(:#{@name}).#{name} cannot be used here: types of resources are not loaded into Ruby code"
      end

      def respond_to_missing?(*) = false
    end

    def self.type(name)
      reference = Puppet::Pops::Types::PAnyType.from_text("Resource['#{name.to_s.downcase}']")
      Known.new(name) if Volley.call('defined', [reference])
    end

    def self.newtype(*) = raise(Puppet::Error, 'Types of resources cannot be made in functions')
  end
end
