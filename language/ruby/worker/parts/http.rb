require 'net/http'

module Puppet
  # What Puppet.runtime has.
  class Runtime
    def self.instance = @instance ||= new
    def [](name) = name.to_sym == :http ? (@http ||= HTTP::Client.new) : raise(ArgumentError, "Unknown implementation #{name}")
    def clear = @http = nil
  end

  module HTTP
    class HTTPError < Puppet::Error; end
    class ConnectionError < HTTPError; end
    class ProtocolError < HTTPError; end
    class TooManyRedirects < HTTPError; end

    class ResponseError < HTTPError
      attr_reader :response

      def initialize(response)
        super(response.reason)
        @response = response
      end
    end

    class Response
      attr_reader :url

      def initialize(answer, url)
        @answer = answer
        @url = url
      end

      def code = @answer.code.to_i
      def reason = @answer.message
      def body = @answer.body
      def read_body = yield(body)
      def success? = @answer.is_a?(Net::HTTPSuccess)
      def [](name) = @answer[name]
      def each_header(&block) = @answer.each_header(&block)
      def drain = nil
    end

    # Requests with what Puppet trusts for TLS: the agent's own certificates, or the system's when that is asked for.
    class Client
      VERBS = { get: Net::HTTP::Get, head: Net::HTTP::Head, put: Net::HTTP::Put, post: Net::HTTP::Post,
                delete: Net::HTTP::Delete }.freeze

      VERBS.each_key do |verb|
        next if %i[put post].include?(verb)

        define_method(verb) { |url, headers: {}, params: {}, options: {}, &block| send_request(verb, url, nil, headers, params, options, &block) }
      end

      def put(url, body, headers: {}, params: {}, options: {}) = send_request(:put, url, body, headers, params, options)
      def post(url, body, headers: {}, params: {}, options: {}, &block) = send_request(:post, url, body, headers, params, options, &block)
      def default_ssl_context = nil
      def close = nil

      private

      def send_request(verb, url, body, headers, params, options, left = 10)
        url = url.is_a?(URI::Generic) ? url.dup : URI.parse(url.to_s)
        url.query = [url.query, URI.encode_www_form(params)].compact.join('&') unless params.empty?
        request = VERBS.fetch(verb).new(url, headers.transform_keys(&:to_s))
        request.body = body if body
        login = options[:basic_auth]
        request.basic_auth(login[:user], login[:password]) if login
        answer = connection(url, options).start { |http| http.request(request) }
        response = Response.new(answer, url)
        if answer.is_a?(Net::HTTPRedirection) && answer['location'] && %i[get head].include?(verb)
          raise TooManyRedirects, "Too many HTTP redirections for #{url}" if left.zero?

          return send_request(verb, URI.join(url.to_s, answer['location']), nil, headers, {}, options, left - 1)
        end
        yield(response) if block_given?
        response
      rescue SystemCallError, SocketError, IOError, Timeout::Error, OpenSSL::SSL::SSLError => e
        raise ConnectionError.new("Request to #{url} failed: #{e.message}", e)
      end

      def connection(url, options)
        http = Net::HTTP.new(url.host, url.port)
        http.open_timeout = Puppet[:http_connect_timeout]
        http.read_timeout = Puppet[:http_read_timeout]
        secure(http, options) if url.scheme == 'https'
        http
      end

      def secure(http, options)
        http.use_ssl = true
        http.verify_mode = OpenSSL::SSL::VERIFY_PEER
        context = options[:ssl_context]
        raise Puppet::Error, 'A TLS context of Puppet cannot be used here: options[:ssl_context]' if context

        authority = Puppet[:localcacert]
        http.ca_file = authority if File.file?(authority)
        return if options[:include_system_store] && !http.ca_file

        return unless File.file?(Puppet[:hostcert]) && File.readable?(Puppet[:hostprivkey].to_s)

        http.cert = OpenSSL::X509::Certificate.new(File.read(Puppet[:hostcert]))
        http.key = OpenSSL::PKey.read(File.read(Puppet[:hostprivkey]))
      end
    end
  end

  module Network
    # The older way to a connection.
    module HttpPool
      def self.connection(host, port, use_ssl: true, **) = http_instance(host, port, use_ssl)
      def self.http_ssl_instance(host, port, *) = http_instance(host, port, true)

      def self.http_instance(host, port, use_ssl = true, *)
        url = URI.parse("#{use_ssl ? 'https' : 'http'}://#{host}:#{port}")
        HTTP::Client.new.send(:connection, url, {})
      end
    end
  end
end
