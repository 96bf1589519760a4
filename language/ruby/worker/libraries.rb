# Libraries of Ruby that Puppet has loaded before any module code runs, so that such code uses them without asking.
# Here each is loaded when it is first named: together they take longer to load than most templates to run.
{
  ERB: 'erb', Base64: 'base64', CGI: 'cgi', Date: 'date', DateTime: 'date', Digest: 'digest', Etc: 'etc', FileUtils: 'fileutils',
  Find: 'find', Forwardable: 'forwardable', IPAddr: 'ipaddr', Logger: 'logger', Monitor: 'monitor', Net: 'net/http',
  OpenSSL: 'openssl', OpenStruct: 'ostruct', OptionParser: 'optparse', Pathname: 'pathname', Psych: 'psych',
  Resolv: 'resolv', SecureRandom: 'securerandom', Shellwords: 'shellwords', Singleton: 'singleton', Socket: 'socket',
  StringIO: 'stringio', StringScanner: 'strscan', Tempfile: 'tempfile', Timeout: 'timeout', URI: 'uri', YAML: 'yaml',
  Zlib: 'zlib'
}.each { |name, file| Object.autoload(name, file) unless Object.const_defined?(name) }

module Volley
  # A method that such a library adds to a class of Ruby: the first call loads the library, whose own takes its place.
  module LateMethod
    def self.define(owner, name, library)
      return if owner.method_defined?(name)

      owner.define_method(name) do |*args, **named, &block|
        require library
        public_send(name, *args, **named, &block)
      end
    end
  end

  LateMethod.define(Object, :to_yaml, 'yaml')
  %i[parse iso8601 strptime httpdate rfc2822].each { |name| LateMethod.define(Time.singleton_class, name, 'time') }
end

class Object
  # Puppet's own name for JSON.
  def to_pson(*args) = to_json(*args)

  private

  def URI(text) = text.is_a?(URI::Generic) ? text : URI.parse(text) # rubocop:disable Naming/MethodName
end
