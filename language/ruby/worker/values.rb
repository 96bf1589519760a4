module Volley
  # Rich data in JSON, both ways: what JSON cannot say is {"__ptype": kind, "__pvalue": content}.
  module Values
    # What Ruby code has set as variables, by number.
    def self.objects = @objects ||= {}

    module_function

    def encode(value)
      case value
      when nil, true, false then value
      when Integer then encode_integer(value)
      when Float then value.finite? ? value : tagged('Float', value.to_s)
      when String then encode_string(value)
      when Symbol then encode_symbol(value)
      when Array then value.map { |item| encode(item) }
      when Hash then encode_hash(value)
      when Regexp then { '__ptype' => 'Regexp', '__pvalue' => value.source, 'options' => value.options & 7 }
      when Puppet::Pops::Types::PSensitiveType::Sensitive then tagged('Sensitive', encode(value.unwrap))
      when Puppet::Pops::Types::PAnyType then tagged('Type', value.to_s)
      when RichText then tagged(value.kind, value.to_s)
      else encode_object(value)
      end
    end

    # What a backend of Hiera has found must be data as it is: nothing becomes data on the way.
    def strictly
      before = @strict
      @strict = true
      yield
    ensure
      @strict = before
    end

    def encode_integer(number)
      return number if number.bit_length < 64

      raise Puppet::Error, "Use of a Ruby Integer outside of Puppet Integer #{number.positive? ? 'max' : 'min'} range, got '#{format('0x%x', number)}'"
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
      else @strict ? tagged('Symbol', symbol.to_s) : symbol.to_s
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
      return value.to_volley_value if value.respond_to?(:to_volley_value)
      return tagged('URI', value.to_s) if !Object.autoload?(:URI) && defined?(URI::Generic) && value.is_a?(URI::Generic)
      return encode(value.to_h) if value.is_a?(Struct) && !@strict
      return encode(value.to_a) if value.is_a?(Enumerable) && !value.is_a?(IO) && !@strict

      { '__ptype' => 'RubyValue', '__pvalue' => own(value), 'class' => value.class.name.to_s, 'text' => encode_key(value.to_s) }
    end

    # The number of an object that the controller cannot have; the oldest are forgotten.
    def own(value)
      @own ||= {}
      @own.shift if @own.size >= 10_000
      @own[value.object_id] = value
      value.object_id
    end

    def owned(data)
      (@own ||= {}).fetch(data['__pvalue']) { data['text'] }
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

    # Functions of the older API get resources where the program has references.
    def as_legacy
      before = @legacy
      @legacy = true
      yield
    ensure
      @legacy = before
    end

    def decode_type(text, reference)
      return Puppet::Resource.new(*reference) if @legacy && reference

      Puppet::Pops::Types::PAnyType.from_text(text, reference)
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
      when 'Type' then decode_type(content, data['reference'])
      when 'Bytes' then content.unpack1('m')
      when 'Float' then content == 'NaN' ? Float::NAN : content.to_f.nonzero? || (content.start_with?('-') ? -Float::INFINITY : Float::INFINITY)
      when 'Binary', 'SemVer', 'SemVerRange', 'Timespan', 'Timestamp', 'URI' then RichText.make(data['__ptype'], content)
      when 'RubyValue' then owned(data)
      when 'Puppet::LookupContext' then Puppet::Pops::Lookup::Context.new(data)
      else RichObject.make(data)
      end
    end
  end

  # A value that Ruby code sees as its text: a version, a time, a URI, bytes.
  class RichText
    include Comparable
    attr_reader :kind

    def self.make(kind, text)
      case kind
      when 'SemVer' then SemanticPuppet::Version.parse(text)
      when 'SemVerRange' then SemanticPuppet::VersionRange.new('SemVerRange', text)
      when 'Timestamp' then Puppet::Pops::Time::Timestamp.from_text(text)
      when 'Timespan' then Puppet::Pops::Time::Timespan.from_text(text)
      when 'URI' then URI.parse(text)
      else Puppet::Pops::Types::PBinaryType::Binary.from_base64(text)
      end
    end

    def initialize(kind, text)
      @kind = kind
      @text = text
    end

    def to_s = @text
    def inspect = "#{kind}('#{self}')"
    def ==(other) = other.is_a?(RichText) && kind == other.kind && to_s == other.to_s
    alias eql? ==
    def hash = to_s.hash
    def <=>(other) = to_s <=> other.to_s
  end

  # An instance of an object type: its attributes by name. Those that were not sent along are asked for.
  class RichObject
    # The classes of types that have one of their own here.
    CLASSES = { 'Target' => :Target, 'Result' => :Result, 'ApplyResult' => :ApplyResult, 'ResultSet' => :ResultSet,
                'ResourceInstance' => :ResourceInstance, 'ContainerResult' => :ContainerResult,
                'Future' => :PlanFuture }.freeze

    # What Ruby tries by itself when it wants another kind of object.
    IMPLICIT = %i[to_ary to_str to_hash to_int to_proc to_io to_path to_open to_regexp].freeze

    def self.make(data)
      kind = data['__ptype']
      own = CLASSES[kind] && Bolt.const_get(CLASSES[kind])
      own ||= Puppet::DataTypes::Error if kind == 'Error'
      object = (own || RichObject).allocate
      object.volley_take(data)
      object
    end

    attr_reader :volley_type

    def volley_take(data)
      @volley_type = data['__type'] || data['__ptype']
      @volley_text = data['__text']
      @volley_data = Values.decode(data['__attributes'] || (data['__number'] ? {} : data.reject { |key, _| key == '__ptype' }))
      @volley_number = data['__number']
      @volley_epoch = Volley.epoch
    end

    # The object itself as long as the controller has it, or else one that is made like it.
    def to_volley_value
      return Values.tagged('Reference', @volley_number) if volley_known?

      { '__ptype' => 'Call', 'function' => 'new',
        '__pvalue' => [Values.tagged('Type', @volley_type), Values.encode(@volley_data)] }
    end

    def [](name) = @volley_data[name.to_s]
    def to_hash = @volley_data.dup
    def _pcore_type = Puppet::Pops::Types::PAnyType.from_text(@volley_type)
    def _pcore_init_hash = to_hash
    def to_s = @volley_text || "#{@volley_type}(#{@volley_data})"

    def ==(other)
      return true if equal?(other)

      other.is_a?(RichObject) && other.volley_identity == volley_identity
    end
    alias eql? ==

    def hash = volley_identity.hash

    def respond_to_missing?(name, include_private = false)
      return super if @volley_data.nil? || IMPLICIT.include?(name)

      @volley_data.key?(name.to_s) || (volley_known? && volley_has?(name.to_s)) || super
    end

    def method_missing(name, *args, &block)
      return super if @volley_data.nil? || IMPLICIT.include?(name)
      return @volley_data[name.to_s] if args.empty? && @volley_data.key?(name.to_s)
      return super unless volley_known?

      found = volley_ask(name.to_s, args, &block)
      found.empty? ? super : found[0]
    end

    protected

    def volley_identity = [@volley_type, @volley_data.empty? ? @volley_number : @volley_data]

    private

    def volley_known? = !@volley_number.nil? && @volley_epoch == Volley.epoch

    def volley_has?(name)
      @volley_has ||= {}
      return @volley_has[name] if @volley_has.key?(name)

      @volley_has[name] = Volley.ask('cb' => 'object', 'object' => @volley_number, 'name' => name, 'ask' => true)
    end

    # The value of an attribute or method in a list; an empty one for a name that the object does not have.
    def volley_ask(name, args = [], &block)
      raise Puppet::Error, "An object of the type #{@volley_type} can be asked for '#{name}' only while the call that it was given to runs" unless volley_known?

      Volley.lend(block) do |leased|
        question = { 'cb' => 'object', 'object' => @volley_number, 'name' => name, 'args' => args.map { |arg| Values.encode(arg) } }
        question['block'] = leased if leased
        Volley.ask(question)
      end
    end

    def volley_get(name, *args) = volley_ask(name, args)[0]
  end
end
