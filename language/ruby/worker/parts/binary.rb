module Puppet
  module Pops
    module Types
      class PBinaryType
        # Bytes, which are base64 as text.
        class Binary < Volley::RichText
          def self.from_base64(text) = new(text.unpack1('m'))
          def self.from_base64_strict(text) = new(text.unpack1('m0'))
          def self.from_base64_urlsafe(text) = new(text.tr('-_', '+/').unpack1('m'))
          def self.from_binary_string(bytes) = new(bytes)

          def self.from_string(text)
            utf8 = text.encode(Encoding::UTF_8)
            raise ArgumentError, "The given string in encoding '#{text.encoding}' is invalid. Cannot create a Binary UTF-8 representation" unless utf8.valid_encoding?

            new(utf8)
          rescue EncodingError => e
            raise ArgumentError, "The given string in encoding '#{text.encoding}' is invalid. Cannot create a Binary UTF-8 representation: #{e.message}"
          end

          attr_reader :binary_buffer

          def initialize(bytes)
            @binary_buffer = bytes.b.freeze
            super('Binary', nil)
          end

          def to_s = [@binary_buffer].pack('m0')
          def relaxed_to_s = [@binary_buffer].pack('m').strip
          def urlsafe_to_s = to_s.tr('+/', '-_')
          def length = @binary_buffer.length
        end
      end
    end
  end
end
