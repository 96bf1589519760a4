require 'net/http'
require 'openssl'

module Puppet
  # What Puppet.runtime has.
  class Runtime
    def self.instance = @instance ||= new
    def [](name) = name.to_sym == :http ? (@http ||= HTTP::Client.new) : raise(ArgumentError, "Unknown implementation #{name}")
    def clear = @http = nil
  end

  # What a TLS connection trusts and shows.
  module SSL
    class SSLError < Puppet::Error; end
    class CertVerifyError < SSLError; end
    class CertMismatchError < SSLError; end

    SSLContext = Struct.new(:verify_peer, :store, :client_cert, :private_key, keyword_init: true) do
      def verify_peer? = verify_peer
    end

    class SSLProvider
      def create_insecure_context = SSLContext.new(verify_peer: false).freeze

      def create_root_context(cacerts:, **)
        store = OpenSSL::X509::Store.new
        cacerts.each { |one| store.add_cert(one) }
        SSLContext.new(verify_peer: true, store: store).freeze
      end

      def create_system_context(cacerts: [], path: Puppet[:ssl_trust_store], include_client_cert: false)
        store = OpenSSL::X509::Store.new
        store.set_default_paths
        store.add_file(path) if path && File.file?(path)
        cacerts.each { |one| store.add_cert(one) }
        own = include_client_cert ? own_certificate : {}
        SSLContext.new(verify_peer: true, store: store, **own).freeze
      end

      # With the certificates of the puppet-agent, which alone are trusted.
      def load_context(**)
        cacerts = authorities
        raise SSLError, <<~END.tr("\n", ' ').strip if cacerts.empty?
          The CA certificates are missing from '#{Puppet[:localcacert]}':
          a request to a server that the system trusts needs options: { include_system_store: true }
        END

        store = create_root_context(cacerts: cacerts).store
        SSLContext.new(verify_peer: true, store: store, **own_certificate).freeze
      end

      def authorities
        path = Puppet[:localcacert]
        return [] unless File.file?(path)

        File.read(path).scan(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/m).map { |one| OpenSSL::X509::Certificate.new(one) }
      end

      private

      def own_certificate
        return {} unless File.file?(Puppet[:hostcert]) && File.readable?(Puppet[:hostprivkey].to_s)

        { client_cert: OpenSSL::X509::Certificate.new(File.read(Puppet[:hostcert])),
          private_key: OpenSSL::PKey.read(File.read(Puppet[:hostprivkey])) }
      end
    end
  end

  module HTTP
    class HTTPError < Puppet::Error; end
    class ConnectionError < HTTPError; end
    class RouteError < HTTPError; end
    class ProtocolError < HTTPError; end
    class SerializationError < HTTPError; end

    class TooManyRedirects < HTTPError
      def initialize(address) = super("Too many HTTP redirections for #{address}")
    end

    class TooManyRetryAfters < HTTPError
      def initialize(address) = super("Too many HTTP retries for #{address}")
    end

    class ResponseError < HTTPError
      attr_reader :response

      def initialize(response)
        super(response.reason)
        @response = response
      end
    end

    class Response
      attr_reader :url, :code, :reason

      def initialize(url, answer)
        @answer = answer
        @url = url
        @code = answer.code.to_i
        @reason = answer.message
      end

      def body = @answer.body
      def success? = @answer.is_a?(Net::HTTPSuccess)
      def [](name) = @answer[name]
      def each_header(&block) = @answer.each_header(&block)

      def read_body(&block)
        raise ArgumentError, 'A block is required' unless block

        @answer.read_body(&block)
      end

      def drain
        body
        true
      end
    end

    # Requests with what Puppet trusts for TLS: the certificates of the puppet-agent, also the system's when that is asked for.
    class Client
      VERBS = { get: Net::HTTP::Get, head: Net::HTTP::Head, put: Net::HTTP::Put, post: Net::HTTP::Post,
                delete: Net::HTTP::Delete }.freeze
      RETRIES = 100

      %i[get head delete].each do |verb|
        define_method(verb) do |url, headers: {}, params: {}, options: {}, &block|
          run(new_request(verb, url, headers, params), options, &block)
        end
      end

      %i[put post].each do |verb|
        define_method(verb) do |url, body, headers: {}, params: {}, options: {}, &block|
          raise ArgumentError, "'#{verb}' requires a string 'body' argument" unless body.is_a?(String)

          request = new_request(verb, url, headers, params)
          request.body = body
          request.content_length = body.bytesize
          raise ArgumentError, "'#{verb}' requires a 'content-type' header" unless request['Content-Type']

          run(request, options, &block)
        end
      end

      def default_ssl_context = SSL::SSLProvider.new.load_context
      def close = nil

      # Yields the open connection to the server of a URL.
      def connect(url, options: {})
        start = Time.now
        http = nil
        connected = false
        http = connection(url, options)
        http.start do
          connected = true
          yield http if block_given?
        end
      rescue HTTPError, SSL::SSLError
        raise
      rescue OpenSSL::SSL::SSLError => e
        http.ssl_failure(e)
      rescue StandardError => e
        raise (connected ? HTTPError : ConnectionError).new("Request to #{url} #{failure(e, (Time.now - start).round(3))}", e)
      end

      # A connection that is not open yet.
      def connection(url, options)
        http = Connection.new(url.host, url.port)
        http.open_timeout = Puppet[:http_connect_timeout]
        http.read_timeout = Puppet[:http_read_timeout]
        http.trust(context_of(options)) if url.scheme == 'https'
        http
      end

      private

      def new_request(verb, url, headers, params)
        url = url.is_a?(URI::Generic) ? url.dup : URI.parse(url.to_s)
        url.query = query(params) unless params.empty?
        all = { 'X-Puppet-Version' => Puppet.version, 'User-Agent' => user_agent }.merge(headers)
        VERBS.fetch(verb).new(url, all.transform_keys(&:to_s))
      end

      def user_agent = "Puppet/#{Puppet.version} Ruby/#{RUBY_VERSION}-p#{RUBY_PATCHLEVEL} (#{RUBY_PLATFORM})"

      def query(params)
        pairs = params.flat_map { |key, value| value.is_a?(Array) ? value.map { |one| [key, one] } : [[key, value]] }
        pairs.reject { |_, value| value.nil? }.map do |key, value|
          plain = [true, false].include?(value) || [String, Symbol, Integer, Float].any? { |type| value.is_a?(type) }
          raise SerializationError, "HTTP REST queries cannot handle values of type '#{value.class}'" unless plain

          "#{key}=#{Puppet::Util.uri_query_encode(value.to_s)}"
        end.join('&')
      end

      def run(request, options, &block)
        login = options[:basic_auth]
        login ||= { user: request.uri.user, password: request.uri.password } if request.uri.user && request.uri.password
        request.basic_auth(login[:user], login[:password]) if login
        redirects = retries = 0
        loop do
          response, wait = once(request, options, retries, &block)
          if wait
            retries += 1
            Puppet.warning("Sleeping for #{wait} seconds before retrying the request")
            sleep(wait)
          elsif [301, 302, 307].include?(response.code)
            raise TooManyRedirects, request.uri if redirects >= options.fetch(:redirect_limit, 10)

            redirects += 1
            request = redirected(request, response)
          else
            return response
          end
        end
      end

      # The answer to one request, which the block has seen when it is the last; and how long to wait for another.
      def once(request, options, retries)
        response = wait = nil
        connect(request.uri, options: options) do |http|
          http.request(request) do |answer|
            response = Response.new(request.uri, answer)
            Puppet.debug("HTTP #{request.method} #{request.uri} returned #{response.code} #{response.reason}")
            wait = retry_after(request, response, retries)
            yield response if block_given? && !wait && ![301, 302, 307].include?(response.code)
            response.drain
          end
        end
        [response, wait]
      end

      def retry_after(request, response, retries)
        return unless [429, 503].include?(response.code)
        raise TooManyRetryAfters, request.uri if retries >= RETRIES

        text = response['Retry-After']
        return unless text

        [seconds_of(text), Puppet[:runinterval]].min
      end

      def seconds_of(text)
        Integer(text)
      rescue ArgumentError
        begin
          require 'time'
          [(Time.rfc2822(text) - Time.now).to_i, 0].max
        rescue ArgumentError
          raise ProtocolError, "Failed to parse Retry-After header '#{text}' as an integer or RFC 2822 date"
        end
      end

      # The same request somewhere else; another host does not get to see passwords and cookies.
      def redirected(request, response)
        place = response['location'] || raise(ProtocolError, 'Location response header is missing')
        url = request.uri.merge(URI.parse(place))
        made = request.class.new(url)
        made.body = request.body
        stays = request.uri.host.casecmp?(url.host) || Puppet[:location_trusted]
        request.each do |name, value|
          made[name] = value unless name.casecmp?('Host') || (!stays && %w[authorization cookie].include?(name.downcase))
        end
        made
      rescue URI::InvalidURIError => e
        raise ProtocolError.new("Location URI is invalid: #{e.message}", e)
      end

      def failure(error, seconds)
        case error
        when Net::OpenTimeout then "timed out connect operation after #{seconds} seconds"
        when Net::ReadTimeout then "timed out read operation after #{seconds} seconds"
        when EOFError then "interrupted after #{seconds} seconds"
        else "failed after #{seconds} seconds: #{error.message}"
        end
      end

      def context_of(options)
        context = options[:ssl_context]
        system = options[:include_system_store]
        raise HTTPError, 'The ssl_context and include_system_store parameters are mutually exclusive' if context && system

        provider = SSL::SSLProvider.new
        return provider.create_system_context(cacerts: provider.authorities, include_client_cert: true) if system

        context || default_ssl_context
      end
    end

    # Remembers why the certificate of a server was refused.
    class Connection < Net::HTTP
      def trust(context)
        self.use_ssl = true
        self.verify_mode = context.verify_peer? ? OpenSSL::SSL::VERIFY_PEER : OpenSSL::SSL::VERIFY_NONE
        self.cert_store = context.store
        self.cert = context.client_cert
        self.key = context.private_key
        self.verify_callback = lambda do |good, checked|
          @refused_why ||= [checked.error_string, checked.current_cert] unless good
          @server_certificate = checked.chain&.first || checked.current_cert
          good
        end
      end

      def ssl_failure(error)
        why, certificate = @refused_why
        if why && !why.match?(/hostname mismatch/i)
          raise SSL::CertVerifyError.new("certificate verify failed [#{why} for #{certificate.subject.to_utf8}]", error)
        end
        raise SSL::SSLError.new(error.message, error) unless error.message.match?(/hostname/i)

        names = @server_certificate.extensions.select { |one| one.oid == 'subjectAltName' }.flat_map { |one| one.value.split(/,\s*/) }
        names.unshift(*@server_certificate.subject.to_a.select { |name, *| name == 'CN' }.map { |one| one[1] })
        raise SSL::CertMismatchError.new(
          "Server hostname '#{address}' did not match server certificate; expected one of #{names.join(', ')}", error)
      end
    end
  end

  module Network
    # The older way to a connection.
    module HttpPool
      def self.connection(host, port, use_ssl: true, ssl_context: nil)
        url = URI.parse("#{use_ssl ? 'https' : 'http'}://#{host}:#{port}")
        HTTP::Client.new.connection(url, { ssl_context: ssl_context })
      end

      def self.http_ssl_instance(host, port, *) = connection(host, port)
      def self.http_instance(host, port, use_ssl = true, *) = connection(host, port, use_ssl: use_ssl)
    end
  end
end
