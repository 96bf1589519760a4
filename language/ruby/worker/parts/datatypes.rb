module Puppet
  module DataTypes
    # An Error of the language.
    class Error < Volley::RichObject
      def self.from_asserted_hash(hash)
        new(hash['msg'], hash['kind'], hash['details'], hash['issue_code'], hash['partial_result'])
      end

      def self.from_asserted_args(*args) = new(*args)

      def initialize(msg, kind = nil, details = nil, issue_code = nil, partial_result = nil)
        @volley_type = 'Error'
        @volley_data = { 'msg' => msg, 'kind' => kind, 'details' => details, 'issue_code' => issue_code,
                         'partial_result' => partial_result }.compact
      end

      %w[msg kind details issue_code partial_result].each { |name| define_method(name) { @volley_data[name] } }
      alias message msg
      def to_h = @volley_data.dup
      def to_hash = to_h
      def to_s = "Error(#{@volley_data})"
      def to_json(*options) = to_h.to_json(*options)
    end

    def self.create_type(name)
      raise Puppet::Error, "The data type #{name} is written in Ruby, which cannot be read here: write it in the language (types/*.pp)"
    end
  end
end
