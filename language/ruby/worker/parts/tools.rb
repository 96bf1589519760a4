module Puppet
  module Util
    module Json
      class ParseError < StandardError
        attr_reader :cause, :data

        def self.build(original, data)
          new(original.message).tap { |error| error.send(:took, original, data) }
        end

        private

        def took(original, data)
          @cause = original
          @data = data
        end
      end

      class << self
        def load(text, _options = {})
          JSON.parse(text, quirks_mode: true)
        rescue JSON::ParserError => e
          raise ParseError.build(e, text)
        end

        def load_file(path, _options = {}) = load(File.read(path, encoding: 'UTF-8'))

        def load_file_if_valid(path, _options = {})
          load_file(path)
        rescue StandardError => e
          Puppet.debug("Could not retrieve JSON content: #{e.message}")
          nil
        end

        def dump(data, options = {}) = options && options[:pretty] ? JSON.pretty_generate(data) : JSON.generate(data)
      end
    end

    module Yaml
      class YamlLoadError < Puppet::Error; end

      class << self
        def safe_load(text, allowed = [], file = nil)
          data = YAML.safe_load(text, permitted_classes: [Symbol] + allowed, aliases: true, filename: file)
          data.nil? ? false : data
        rescue Psych::DisallowedClass => e
          raise YamlLoadError.new("(#{file || '<unknown>'}): #{e.message}", e)
        rescue Psych::Exception => e
          raise YamlLoadError.new("(#{file || '<unknown>'}): #{e.message.sub(/\A\(.*?\): /, '')}", e)
        end

        def safe_load_file(path, allowed = []) = safe_load(File.read(path, encoding: 'bom|utf-8'), allowed, path)
        def load_file(path, default = false, _strip = false) = File.exist?(path) ? safe_load_file(path) : default

        def safe_load_file_if_valid(path, allowed = [])
          safe_load_file(path, allowed)
        rescue YamlLoadError, ArgumentError, SystemCallError => e
          Puppet.debug("Could not retrieve YAML content: #{e.message}")
          nil
        end

        def dump(data, path) = Puppet::FileSystem.replace_file(path, 0o660) { |file| file.write(YAML.dump(data)) }
      end
    end

    module Platform
      class << self
        def windows? = false
        def default_paths = []
        def jruby? = false
        def jruby_fips? = false
        def fips_enabled? = File.file?('/proc/sys/crypto/fips_enabled') && File.read('/proc/sys/crypto/fips_enabled').start_with?('1')
        alias windows_fips? windows?
      end
    end

    # Sums of texts and files: md5(text), sha256_file(path), md5lite, mtime.
    module Checksums
      DIGESTS = { 'md5' => :MD5, 'sha1' => :SHA1, 'sha256' => :SHA256, 'sha384' => :SHA384, 'sha512' => :SHA512 }.freeze

      class << self
        def method_for(name) = method(name)
      end

      DIGESTS.each do |name, digest|
        define_method(name) { |text| Digest.const_get(digest).hexdigest(text) }
        define_method("#{name}_file") { |path, _lite = false| Digest.const_get(digest).file(path).hexdigest }
        define_method("#{name}lite") { |text| Digest.const_get(digest).hexdigest(text[0, 512]) }
        define_method("#{name}lite_file") { |path| Digest.const_get(digest).hexdigest(File.binread(path, 512)) }
      end

      def sha224(text) = OpenSSL::Digest::SHA224.hexdigest(text)
      def sha224_file(path, _lite = false) = OpenSSL::Digest::SHA224.hexdigest(File.binread(path))
      def mtime_file(path) = File.stat(path).mtime
      def ctime_file(path) = File.stat(path).ctime
      def known_checksum_types = (DIGESTS.keys + %w[sha224]).flat_map { |name| [name.to_sym, :"#{name}lite"] }
      def checksum?(text) = text.is_a?(String) && text.match?(/\A\{\w{3,9}\}\S+/)
      def sumdata(text) = text[/\A\{(\w+)\}(.+)/, 2]
      def sumtype(text) = text[/\A\{(\w+)\}/, 1]
      extend self # rubocop:disable Style/ModuleFunction
    end

    # Files with sections of name = value.
    module IniConfig
      class Section < Hash
        attr_reader :name

        def initialize(name)
          super()
          @name = name
        end

        def format = "[#{name}]\n#{map { |key, value| "#{key}=#{value}\n" }.join}\n"
        def entries = to_a
      end

      class PhysicalFile
        attr_reader :path, :contents

        def initialize(path)
          @path = path
          @contents = []
        end

        def read
          @contents = []
          ::File.foreach(path, encoding: 'UTF-8', chomp: true) do |line|
            case line
            when /\A\s*[#;]|\A\s*\z/ then next
            when /\A\s*\[([^\]]+)\]/ then @contents << Section.new($1) # rubocop:disable Style/PerlBackrefs
            when /\A\s*([^=]+?)\s*=\s*(.*?)\s*\z/ then (@contents.last || section(nil))[$1] = $2 # rubocop:disable Style/PerlBackrefs
            end
          end
        end

        def sections = @contents
        def get_section(name) = @contents.find { |one| one.name == name }
        def add_section(name) = (@contents << Section.new(name)).last
        def format = @contents.map(&:format).join
        def store = ::File.write(path, format)
      end

      class File_ # rubocop:disable Naming/ClassAndModuleCamelCase
        def initialize
          @files = {}
        end

        def read(path) = (@files[path] = PhysicalFile.new(path)).read
        def [](name) = @files.each_value.filter_map { |file| file.get_section(name) }.first
        def include?(name) = !self[name].nil?
        def each_section(&block) = @files.each_value.flat_map(&:sections).each(&block)
      end
      const_set(:File, File_)
    end

    module POSIX
      LOCALE_ENV_VARS = %w[LANG LC_ALL LC_MESSAGES LANGUAGE LC_COLLATE LC_CTYPE LC_MONETARY LC_NUMERIC LC_TIME].freeze
      USER_ENV_VARS = %w[HOME USER LOGNAME].freeze
    end

    # Modes of files, as numbers or in words: u=rw,g+x.
    module SymbolicFileMode
      BITS = { 'r' => 4, 'w' => 2, 'x' => 1 }.freeze
      NUMBER = /\A0?[0-7]{1,4}\z/
      WORDS = /\A[ugoa]*[-=+][-=+rstwxXugo]*(?:,[ugoa]*[-=+][-=+rstwxXugo]*)*\z/
      CLAUSE = /([ugoa]*)([-+=][-+=rstwxXugo]*)/

      def valid_symbolic_mode?(value) = NUMBER.match?(normalize_symbolic_mode(value)) || WORDS.match?(normalize_symbolic_mode(value))
      def display_mode(value) = NUMBER.match?(value) ? value.rjust(4, '0') : value

      def normalize_symbolic_mode(value)
        return nil if value.nil?

        text = value.is_a?(Integer) ? value.to_s(8) : value.to_s
        NUMBER.match?(text) ? text.to_i(8).to_s(8) : text
      end

      def symbolic_mode_to_int(modification, to_mode = 0, is_a_directory = false)
        return modification.to_i(8) if modification.is_a?(String) && modification.match?(/\A[0-7]+\z/)
        raise Puppet::Error, "An internal error occurred: the file mode #{modification.inspect} is not valid" unless WORDS.match?(modification.to_s)

        modification.split(',').reduce(to_mode) { |mode, clause| apply_clause(clause, mode, is_a_directory) }
      end

      private

      def apply_clause(clause, mode, directory)
        who, actions = CLAUSE.match(clause).captures
        who = who.empty? || who.include?('a') ? 'ugo' : who
        actions.scan(/([-+=])([rstwxXugo]*)/).reduce(mode) do |now, (action, letters)|
          who.each_char.reduce(now) { |value, one| changed(value, one, action, letters, now, directory) }
        end
      end

      def changed(mode, who, action, letters, before, directory)
        shift = { 'u' => 6, 'g' => 3, 'o' => 0 }.fetch(who)
        bits = letters.each_char.sum { |letter| meaning(letter, who, before, directory, shift) }
        mask = (7 << shift) | { 'u' => 0o4000, 'g' => 0o2000, 'o' => 0 }[who]
        case action
        when '+' then mode | bits
        when '-' then mode & ~bits
        else (mode & ~mask) | bits
        end
      end

      def meaning(letter, who, before, directory, shift)
        case letter
        when 'r', 'w', 'x' then BITS[letter] << shift
        when 'X' then directory || before & 0o111 != 0 ? 1 << shift : 0
        when 's' then { 'u' => 0o4000, 'g' => 0o2000, 'o' => 0 }[who]
        when 't' then who == 'o' ? 0o1000 : 0
        else ((before >> { 'u' => 6, 'g' => 3, 'o' => 0 }[letter]) & 7) << shift
        end
      end
      extend self # rubocop:disable Style/ModuleFunction
    end

    module Diff
      def self.diff(old, new) = IO.popen(['diff', '-u', old, new], &:read)
    end

    module Tag
      ONE = /\A[[:alnum:]_][[:alnum:]_:.-]*\z/
    end
  end
end
