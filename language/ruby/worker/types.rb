module Puppet
  module Pops
    module Types
      # A data type: its text. Questions about it are answered by the controller.
      class PAnyType
        def self.from_text(text, reference = nil)
          return PResourceType.new(text, *reference) if reference.is_a?(Array)

          TYPES.fetch(text[/\A\w+(?:::\w+)*/], PAnyType).new(text)
        end

        def initialize(text)
          raise Puppet::Error, "#{self.class}.new takes no parameters here: make the type with TypeFactory or TypeParser" unless text.is_a?(String)

          @text = text
        end

        # What stands between the brackets.
        def parameters = @parameters ||= TypeText.parameters(@text)
        # What types of a kind know of themselves comes when it is asked for.
        def method_missing(name, *args, &block)
          Volley::Parts.load('factory') && self.class.method_defined?(name) ? public_send(name, *args, &block) : super
        end

        def respond_to_missing?(name, include_private = false)
          return super if name.start_with?('to_')

          (Volley::Parts.load('factory') && self.class.method_defined?(name)) || super
        end

        def callable?(callable) = callable.assignable?(self)
        def iterable?(*) = TypeParser.singleton.parse('Iterable').assignable?(self)
        def really_instance?(value, *_) = instance?(value) ? 1 : -1
        def normalize(*) = self
        def resolve(*) = self
        def simple_name_and_parameters = [simple_name, parameters]
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

        def downcased_name = type_name&.downcase

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
      TYPES = types.merge('Class' => PClassType, 'Any' => PAnyType, 'CatalogEntry' => PCatalogEntryType,
                          'Resource' => PResourceType).freeze
      TYPES.each { |name, type| type.const_set(:DEFAULT, type.new(name)) }
      PStringType::NON_EMPTY = PStringType.new('String[1]')

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
        def interpret_any(text, *) = parse(text)
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

      module Iterable
        def self.asserted_iterable(_caller, value, _infer = false) = value.is_a?(Integer) ? value.times : value.each_entry
        def self.on(value) = value.each_entry
      end

    end
    Volley::Parts.declare('factory', Types, :TypeFactory, :TypeText)
    Volley::Parts.declare('binary', Types::PBinaryType, :Binary)
  end
end
