module Puppet
  module Pops
    module Types
      # Reads what stands between the brackets of a type's text.
      module TypeText
        CLOSING = { '[' => ']', '{' => '}', '(' => ')' }.freeze

        class << self
          def parameters(text)
            inside = text[/\A[^\[]+\[(.*)\]\z/m, 1] or return []

            split(inside).map { |part| value(part) }
          end

          # At the commas that are in no brackets and no text.
          def split(text)
            parts = [+'']
            open = 0
            text.scan(%r{'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|/(?:\\.|[^/\\])*/|.}m) do |piece|
              open += 1 if CLOSING.key?(piece)
              open -= 1 if CLOSING.value?(piece)
              piece == ',' && open.zero? ? parts << +'' : parts.last << piece
            end
            parts.map(&:strip).reject(&:empty?)
          end

          def value(text)
            case text
            when 'default' then :default
            when 'true', 'false' then text == 'true'
            when /\A-?\d+\z/ then text.to_i
            when /\A-?\d+\.\d+/ then text.to_f
            when /\A'/ then text[1..-2].gsub(/\\(['\\])/, '\\1')
            when /\A"/ then text[1..-2].gsub(/\\(["\\$])/, '\\1')
            when %r{\A/} then Regexp.new(text[1..-2].gsub('\\/', '/'))
            when /\A\{/ then members(text)
            else PAnyType.from_text(text)
            end
          end

          def members(text)
            split(text[1..-2]).to_h do |entry|
              key, type = entry.split(/\s*=>\s*/, 2)
              [value(key), value(type)]
            end
          end
        end
      end

      # Types made of others: what they are called is their text.
      module TypeFactory
        PLAIN = { any: 'Any', string: 'String', boolean: 'Boolean', float: 'Float', integer: 'Integer', numeric: 'Numeric',
                  scalar: 'Scalar', scalar_data: 'ScalarData', data: 'Data', rich_data: 'RichData', undef: 'Undef',
                  default: 'Default', collection: 'Collection', binary: 'Binary', uri: 'URI', sem_ver: 'SemVer',
                  sem_ver_range: 'SemVerRange', catalog_entry: 'CatalogEntry', all_callables: 'Callable',
                  array_of_any: 'Array', array_of_data: 'Array[Data]', hash_of_any: 'Hash', hash_of_data: 'Hash[String, Data]',
                  timestamp: 'Timestamp', timespan: 'Timespan', deferred: 'Deferred', error: 'Error' }.freeze

        class << self
          PLAIN.each { |name, text| define_method(name) { |*given| made(text, *given) } }

          def array_of(type, size = nil) = made('Array', type, *limits(size))
          def hash_of(value, key = 'Scalar', size = nil) = made('Hash', key, value, *limits(size))
          def hash_kv(key, value, size = nil) = made('Hash', key, value, *limits(size))
          def optional(type = nil) = made('Optional', type)
          def not_undef(type = nil) = made('NotUndef', type)
          def variant(*types) = made('Variant', *types)
          def enum(*words) = made('Enum', *words.map { |word| word == true || word == false ? word : quoted(word) })
          def pattern(*patterns) = made('Pattern', *patterns.map { |one| one.is_a?(Regexp) ? "/#{one.source}/" : one.is_a?(PAnyType) ? one : quoted(one) })
          def regexp(pattern = nil) = made('Regexp', pattern && "/#{pattern.is_a?(Regexp) ? pattern.source : pattern}/")
          def range(from, to) = made('Integer', bound(from), bound(to))
          def float_range(from, to) = made('Float', bound(from), bound(to))
          def tuple(types = [], size = nil) = types.empty? ? made('Tuple') : made('Tuple', *types, *limits(size))
          def type_type(type = nil) = made('Type', type)
          def sensitive(type = nil) = made('Sensitive', type)
          def iterable(type = nil) = made('Iterable', type)
          def iterator(type = nil) = made('Iterator', type)
          def init(*given) = made('Init', *given)
          def type_reference(text) = made("TypeReference", quoted(text))
          def host_class(name = nil) = made('Class', name && quoted(name))
          def resource(type = nil, title = nil) = made('Resource', *[type && quoted(type), title && quoted(title)].compact)
          def callable(*given) = made('Callable', *given.flatten(1))
          def type_of(given) = given.is_a?(::Class) ? made(given.name.split('::').last) : given.is_a?(PAnyType) ? given : made(given.to_s)
          def is_range_parameter?(value) = value.is_a?(Integer) || value == 'default' || value == :default # rubocop:disable Naming/PredicateName

          def struct(members)
            made('Struct', "{#{members.map { |key, type| "#{key.is_a?(PAnyType) ? key : quoted(key)} => #{type}" }.join(', ')}}")
          end

          def method_missing(name, *)
            raise Puppet::Error, "TypeFactory.#{name} is not known here: make the type from its text with TypeParser"
          end

          def respond_to_missing?(*) = false

          private

          def made(name, *given)
            given = given.compact
            TypeParser.singleton.parse(given.empty? ? name : "#{name}[#{given.join(', ')}]")
          end

          def limits(size) = size.nil? ? [] : size.parameters.map { |one| bound(one) }
          def bound(number) = number.nil? || number == :default ? 'default' : number
          def quoted(text) = "'#{text.to_s.gsub(/[\\']/) { |char| "\\#{char}" }}'"
        end
      end

      # What types have been made of.
      [PIntegerType, PFloatType].each do |type|
        type.class_eval do
          def from = parameters[0] == :default ? nil : parameters[0]
          def to = parameters[1] == :default ? nil : parameters[1]
          alias_method :min, :from
          alias_method :max, :to
          def range = [from || -Float::INFINITY, to || Float::INFINITY]
          def size = from && to ? to - from + 1 : nil
        end
      end
      [PArrayType, PIterableType, PIteratorType].each { |type| type.class_eval { def element_type = parameters.find { |one| one.is_a?(PAnyType) } || PAnyType::DEFAULT } }
      [POptionalType, PNotUndefType, PTypeType, PSensitiveType].each { |type| type.class_eval { def type = parameters[0].is_a?(String) ? TypeParser.singleton.parse("Enum['#{parameters[0]}']") : parameters[0] } }

      class PArrayType
        def size_type = TypeFactory.range(*(sizes.empty? ? [0, nil] : sizes))
        def sizes = parameters.grep_v(PAnyType)
      end

      class PHashType
        def key_type = parameters[0] || PAnyType::DEFAULT
        def value_type = parameters[1] || PAnyType::DEFAULT
        alias element_type value_type
        def size_type = TypeFactory.range(*(parameters[2..] || [0, nil]))
      end

      class PEnumType
        def values = parameters.grep(String)
      end

      class PVariantType
        def types = parameters
      end

      class PTupleType
        def types = parameters.grep(PAnyType)
      end

      class PPatternType
        def patterns = parameters
      end

      class PStringType
        def size_type = parameters.empty? ? nil : TypeFactory.range(*parameters)
        def value = parameters[0].is_a?(String) ? parameters[0] : nil
      end

      class PStructType
        Element = Struct.new(:key_type, :value_type) do
          def name = key_type.is_a?(PAnyType) ? key_type.parameters[0].to_s : key_type
        end

        def elements = (parameters[0] || {}).map { |key, type| Element.new(key, type) }
        def hashed_elements = elements.to_h { |one| [one.name, one] }
      end
    end
  end
end
