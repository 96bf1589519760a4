module Puppet
  module Pops
    module Lookup
      # What a data function is called with: it asks the lookup around, and keeps things from call to call.
      class Context
        # What functions have put into the cache, by hierarchy entry and place: any objects under any keys.
        CACHES = Hash.new { |all, number| all[number] = {} }
        # What was made of files: the objects and the state of the file that they were made from.
        FILES = {} # rubocop:disable Style/MutableConstant

        def self.forget
          CACHES.clear
          FILES.clear
        end

        attr_reader :module_name, :environment_name

        def initialize(data)
          @number = data['__number']
          @memory = data['memory']
          @module_name = data['module']
          @environment_name = data['environment'].to_sym
        end

        def to_volley_value = Volley::Values.tagged('Reference', @number)
        def not_found = throw(:no_such_key)
        def interpolate(value) = ask('interpolate', value)
        def invocation = @invocation ||= Invocation.new(self)

        # The block says what the explanation of a lookup is to say; it runs only when somebody wants that.
        def explain
          ask('explain', nil, 'text' => yield.to_s) if ask('explaining')
          nil
        end

        # Functions in the language find the value too when it is data.
        def cache(key, value)
          own[key] = value
          ask('cache', value, 'key' => Volley::Values.strictly { Volley::Values.encode(key) }) if data?(key) && data?(value)
          value
        end

        def cache_all(hash)
          hash.each { |key, value| cache(key, value) }
          nil
        end

        def cache_has_key(key) = own.key?(key) || (data?(key) && !ask('cached', key).empty?)
        def cached_value(key) = own.fetch(key) { data?(key) ? ask('cached', key)[0] : nil }

        def cached_entries(&block)
          all = ask('entries').merge(own)
          return all.each_pair unless block

          all.each_pair { |key, value| block.arity == 2 ? yield(key, value) : yield([key, value]) }
          nil
        end

        # The file's text, or what the block makes of it, as long as the file stays the same.
        def cached_file_data(path)
          path = path.to_s
          stat = File.stat(path)
          state = [stat.ino, stat.mtime, stat.size]
          known = FILES[path]
          return known[1] if known && known[0] == state

          content = File.read(path, encoding: 'utf-8')
          made = block_given? ? yield(content) : content
          FILES[path] = [state, made]
          made
        end

        def ask(what, value = nil, more = {})
          Volley.ask({ 'cb' => 'context', 'object' => @number, 'do' => what, 'value' => Volley::Values.encode(value) }.merge(more))
        end

        private

        def own = CACHES[@memory]

        def data?(value)
          case value
          when nil, true, false, Float then true
          when String then value.encoding == Encoding::UTF_8 && value.valid_encoding?
          when Integer then value.bit_length < 64
          when Array then value.all? { |item| data?(item) }
          when Hash then value.all? { |key, item| data?(key) && data?(item) }
          else false
          end
        end
      end

      # The lookup that a function is called in.
      class Invocation
        def initialize(context)
          @context = context
        end

        def scope = Volley::Scope.current
        def module_name = @context.module_name
        def top_key = @context.ask('top_key')
        def explainer = @context.ask('explaining') ? self : nil
        def report_text(&text) = @context.explain(&text)
        def override_values = {}
        def default_values = {}
      end

      # %{...} in data.
      module Interpolation
        def interpolate(value, invocation = nil, _allow_methods = true)
          context = invocation.is_a?(Invocation) ? invocation.instance_variable_get(:@context) : nil
          raise Puppet::Error, 'Puppet::Pops::Lookup::Interpolation needs the invocation of a lookup' unless context

          context.interpolate(value)
        end
      end

      module SubLookup; end

      module HieraConfig
        # The same data with texts in the place of symbols as keys.
        def self.symkeys_to_string(data)
          case data
          when Hash then data.to_h { |key, value| [key.is_a?(Symbol) ? key.to_s : key, symkeys_to_string(value)] }
          when Array then data.map { |value| symkeys_to_string(value) }
          else data
          end
        end
      end

      def self.lookup(name, type = nil, default = nil, has_default = false, merge = nil, _invocation = nil, &block)
        options = { 'name' => name }
        options['value_type'] = type if type
        options['default_value'] = default if has_default
        options['merge'] = merge if merge
        Volley.call('lookup', [options], &block)
      end
    end
  end

  LookupContext = Pops::Lookup::Context
end
