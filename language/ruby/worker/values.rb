module Volley
  # Rich data in JSON, both ways: what JSON cannot say is {"__ptype": kind, "__pvalue": content}.
  module Values
    # What Ruby code has set as variables, by number.
    def self.objects = @objects ||= {}

    module_function

    def encode(value)
      case value
      when nil, true, false, Integer then value
      when Float then value.finite? ? value : tagged('Float', value.to_s)
      when String then encode_string(value)
      when Symbol then encode_symbol(value)
      when Array then value.map { |item| encode(item) }
      when Hash then encode_hash(value)
      when Regexp then { '__ptype' => 'Regexp', '__pvalue' => value.source, 'options' => value.options & 7 }
      when Puppet::Pops::Types::PSensitiveType::Sensitive then tagged('Sensitive', encode(value.unwrap))
      when Puppet::Pops::Types::PAnyType then tagged('Type', value.to_s)
      when RichText then tagged(value.kind, value.to_s)
      when Set then encode(value.to_a)
      else encode_object(value)
      end
    end

    def encode_string(text)
      return text if text.encoding == Encoding::UTF_8 && text.valid_encoding?
      return text.dup.force_encoding(Encoding::UTF_8) if text.ascii_only?

      utf8 = text.encoding == Encoding::BINARY ? text.dup.force_encoding(Encoding::UTF_8) : text.encode(Encoding::UTF_8)
      utf8.valid_encoding? ? utf8 : tagged('Bytes', [text].pack('m0'))
    rescue EncodingError
      tagged('Bytes', [text].pack('m0'))
    end

    def encode_symbol(symbol)
      case symbol
      when :undef then nil
      when :default then { '__ptype' => 'Default' }
      else symbol.to_s
      end
    end

    def encode_hash(hash)
      if hash.each_key.all? { |key| key.is_a?(String) && key != '__ptype' }
        hash.to_h { |key, value| [encode_key(key), encode(value)] }
      else
        tagged('Hash', hash.flat_map { |key, value| [encode(key), encode(value)] })
      end
    end

    def encode_key(key)
      key.valid_encoding? && key.encoding == Encoding::UTF_8 ? key : key.dup.force_encoding(Encoding::UTF_8).scrub
    end

    def encode_object(value)
      return encode(value.to_hash) if value.is_a?(RichObject)
      return encode(value.to_h) if value.is_a?(Struct)
      return encode(value.to_a) if value.is_a?(Enumerable)

      value.to_s
    end

    def tagged(kind, content)
      { '__ptype' => kind, '__pvalue' => content }
    end

    def decode(data)
      case data
      when Array then data.map! { |item| decode(item) }
      when Hash then data.key?('__ptype') ? decode_tagged(data) : data.transform_values! { |value| decode(value) }
      else data
      end
    end

    # What native code has set is this process's from now on.
    def keep(number, object, for_good)
      for_good ? objects[number] = object : object
    end

    def decode_tagged(data)
      content = data['__pvalue']
      case data['__ptype']
      when 'Default' then :default
      when 'Symbol' then content.to_sym
      when 'RubyObject' then objects.fetch(content) { keep(content, decode(data['copy']), data['keep']) }
      when 'Hash' then content.each_slice(2).to_h { |key, value| [decode(key), decode(value)] }
      when 'Sensitive' then Puppet::Pops::Types::PSensitiveType::Sensitive.new(decode(content))
      when 'Regexp' then Regexp.new(content, data['options'].to_i)
      when 'Type' then Puppet::Pops::Types::PAnyType.from_text(content, data['reference'])
      when 'Bytes' then content.unpack1('m')
      when 'Float' then content == 'NaN' ? Float::NAN : content.to_f.nonzero? || (content.start_with?('-') ? -Float::INFINITY : Float::INFINITY)
      when 'Binary', 'SemVer', 'SemVerRange', 'Timespan', 'Timestamp', 'URI' then RichText.make(data['__ptype'], content)
      else RichObject.new(data.transform_values { |value| decode(value) })
      end
    end
  end

  # A value that Ruby code sees as its text: a version, a time, a URI, bytes.
  class RichText
    include Comparable
    attr_reader :kind

    def self.make(kind, text)
      kind == 'SemVer' ? SemanticPuppet::Version.new(kind, text) : new(kind, text)
    end

    def initialize(kind, text)
      @kind = kind
      @text = text
    end

    def to_s
      @text
    end

    def binary_buffer
      @text.unpack1('m')
    end

    def inspect
      "#{kind}('#{@text}')"
    end

    def ==(other)
      other.is_a?(RichText) && kind == other.kind && to_s == other.to_s
    end
    alias eql? ==

    def hash
      @text.hash
    end

    def <=>(other)
      to_s <=> other.to_s
    end
  end

  # An instance of an object type: its attributes by name.
  class RichObject
    def initialize(data)
      @data = data
    end

    def [](name)
      @data[name.to_s]
    end

    def to_hash
      @data.reject { |key, _| key == '__ptype' }
    end

    def respond_to_missing?(name, include_private = false)
      @data.key?(name.to_s) || super
    end

    def method_missing(name, *args)
      args.empty? && @data.key?(name.to_s) ? @data[name.to_s] : super
    end
  end
end
