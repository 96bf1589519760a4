module Volley
  # Puppet's settings as a puppet-agent has them, with what puppet.conf says. Names that are none have no value.
  module SettingDefaults
    VALUES = <<~'END'.lines(chomp: true).to_h { |line| line.split(' ', 2) }
      confdir "$confdir"
      codedir "$codedir"
      vardir "$vardir"
      logdir "$logdir"
      rundir "$rundir"
      publicdir "$publicdir"
      log_level "notice"
      disable_warnings []
      merge_dependency_warnings false
      disable_i18n true
      priority nil
      trace false
      puppet_trace false
      profile false
      versioned_environment_dirs false
      static_catalogs true
      settings_catalog true
      strict_environment_mode false
      autoflush true
      syslogfacility "daemon"
      statedir "$vardir/state"
      genconfig false
      genmanifest false
      configprint ""
      color "ansi"
      mkusers false
      manage_internal_file_permissions true
      onetime false
      path "none"
      libdir "$vardir/lib"
      environmentpath "$codedir/environments"
      use_last_environment true
      always_retry_plugins true
      diff_args "-u"
      diff "diff"
      show_diff false
      daemonize true
      maximum_uid 4294967290
      route_file "$confdir/routes.yaml"
      node_terminus :plain
      node_cache_terminus nil
      data_binding_terminus :hiera
      hiera_config "$confdir/hiera.yaml"
      binder_config nil
      catalog_terminus :compiler
      catalog_cache_terminus nil
      facts_terminus "facter"
      trusted_external_command nil
      default_file_terminus :rest
      http_proxy_host "none"
      http_proxy_port 3128
      http_proxy_user "none"
      http_proxy_password "none"
      no_proxy "localhost, 127.0.0.1"
      http_keepalive_timeout 4
      http_debug false
      http_connect_timeout 120
      http_read_timeout 600
      filetimeout 15
      environment_timeout 0
      environment_data_provider nil
      prerun_command ""
      postrun_command ""
      freeze_main false
      preview_outputdir "$vardir/preview"
      location_trusted false
      module_repository "https://forgeapi.puppet.com"
      module_working_dir "$vardir/puppet-module"
      forge_authorization nil
      module_groups nil
      dns_alt_names ""
      csr_attributes "$confdir/csr_attributes.yaml"
      certdir "$ssldir/certs"
      ssldir "$confdir/ssl"
      ssl_lockfile "$ssldir/ssl.lock"
      publickeydir "$ssldir/public_keys"
      requestdir "$ssldir/certificate_requests"
      privatekeydir "$ssldir/private_keys"
      privatedir "$ssldir/private"
      passfile "$ssldir/private/password"
      hostcsr "$ssldir/certificate_requests/$certname.pem"
      hostcert "$ssldir/certs/$certname.pem"
      hostprivkey "$ssldir/private_keys/$certname.pem"
      hostpubkey "$ssldir/public_keys/$certname.pem"
      localcacert "$ssldir/certs/ca.pem"
      ca_fingerprint nil
      ssl_trust_store nil
      hostcrl "$ssldir/crl.pem"
      certificate_revocation :chain
      ciphers "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305:DHE-RSA-AES128-GCM-SHA256:DHE-RSA-AES256-GCM-SHA384:DHE-RSA-CHACHA20-POLY1305:ECDHE-ECDSA-AES128-SHA256:ECDHE-RSA-AES128-SHA256:ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA384:ECDHE-RSA-AES256-SHA384:ECDHE-ECDSA-AES256-SHA:ECDHE-RSA-AES256-SHA:DHE-RSA-AES128-SHA256:DHE-RSA-AES256-SHA256:AES128-GCM-SHA256:AES256-GCM-SHA384:AES128-SHA256:AES256-SHA256"
      key_type "rsa"
      named_curve "prime256v1"
      supported_checksum_types ["sha256", "sha384", "sha512", "sha224", "md5"]
      logdest nil
      ca_name "Puppet CA: $certname"
      cadir "/etc/puppetlabs/puppetserver/ca"
      cacert "/etc/puppetlabs/puppetserver/ca/ca_crt.pem"
      cakey "/etc/puppetlabs/puppetserver/ca/ca_key.pem"
      capub "/etc/puppetlabs/puppetserver/ca/ca_pub.pem"
      cacrl "/etc/puppetlabs/puppetserver/ca/ca_crl.pem"
      csrdir "/etc/puppetlabs/puppetserver/ca/requests"
      signeddir "/etc/puppetlabs/puppetserver/ca/signed"
      serial "/etc/puppetlabs/puppetserver/ca/serial"
      autosign "$confdir/autosign.conf"
      allow_duplicate_certs false
      ca_ttl 157680000
      crl_refresh_interval nil
      keylength 4096
      cert_inventory "/etc/puppetlabs/puppetserver/ca/inventory.txt"
      config_file_name "puppet.conf"
      config "$confdir/puppet.conf"
      pidfile "$rundir/user.pid"
      sourceaddress nil
      config_version ""
      user "puppet"
      group "puppet"
      default_manifest "./manifests"
      disable_per_environment_manifest false
      masterport 8140
      serverport 8140
      bucketdir "$vardir/bucket"
      trusted_oid_mapping_file "$confdir/custom_trusted_oid_mapping.yaml"
      vendormoduledir "/opt/puppetlabs/puppet/vendor_modules"
      ssl_client_header "HTTP_X_CLIENT_DN"
      ssl_client_verify_header "HTTP_X_CLIENT_VERIFY"
      yamldir "$vardir/yaml"
      server_datadir "$vardir/server_data"
      reports "store"
      exclude_unchanged_resources false
      reportdir "$vardir/reports"
      reporturl "http://localhost:3000/reports/upload"
      fileserverconfig "$confdir/fileserver.conf"
      devicedir "$vardir/devices"
      deviceconfig "$confdir/device.conf"
      node_name_fact ""
      statefile "$vardir/state/state.yaml"
      statettl 2764800
      transactionstorefile "$vardir/state/transactionstore.yaml"
      clientyamldir "$vardir/client_yaml"
      client_datadir "$vardir/client_data"
      write_catalog_summary true
      classfile "$vardir/state/classes.txt"
      resourcefile "$vardir/state/resources.txt"
      puppetdlog "$logdir/puppetd.log"
      deviceconfdir "$confdir/devices"
      server "puppet"
      server_list []
      use_srv_records false
      srv_domain nil
      http_extra_headers []
      ignoreschedules false
      default_schedules true
      noop false
      runinterval 1800
      runtimeout 3600
      ca_server "puppet"
      ca_port 8140
      preferred_serialization_format "json"
      agent_catalog_run_lockfile "$vardir/state/agent_catalog_run.lock"
      agent_disabled_lockfile "$vardir/state/agent_disabled.lock"
      usecacheonfailure true
      include_legacy_facts true
      fact_name_length_soft_limit 2560
      fact_value_length_soft_limit 4096
      top_level_facts_soft_limit 512
      number_of_facts_soft_limit 2048
      payload_soft_limit 16777216
      use_cached_catalog false
      ignoremissingtypes false
      splaylimit 1800
      splay false
      clientbucketdir "$vardir/clientbucket"
      report_server "puppet"
      report_port 8140
      report true
      report_include_system_store false
      resubmit_facts false
      lastrunfile "$publicdir/last_run_summary.yaml"
      lastrunreport "$vardir/state/last_run_report.yaml"
      graph false
      graphdir "$vardir/state/graphs"
      waitforcert 120
      maxwaitforcert Infinity
      waitforlock 0
      maxwaitforlock 60
      plugindest "$vardir/lib"
      pluginsource "puppet:///plugins"
      pluginfactdest "$vardir/facts.d"
      pluginfactsource "puppet:///pluginfacts"
      localedest "$vardir/locales"
      localesource "puppet:///locales"
      pluginsync true
      pluginsignore ".svn CVS .git .hg"
      ignore_plugin_errors false
      factpath "$vardir/lib/facter:$vardir/facts"
      tags ""
      skip_tags ""
      evaltrace false
      preprocess_deferred true
      summarize false
      external_nodes "none"
      ldapssl false
      ldaptls false
      ldapserver "ldap"
      ldapport 389
      ldapstring "(&(objectclass=puppetClient)(cn=%s))"
      ldapclassattrs "puppetclass"
      ldapstackedattrs "puppetvar"
      ldapattrs "all"
      ldapparentattr "parentnode"
      ldapuser ""
      ldappassword ""
      ldapbase ""
      storeconfigs false
      storeconfigs_backend :puppetdb
      max_errors 10
      max_warnings 10
      max_deprecations 10
      document_all false
      rich_data true
    END

    class << self
      def value(name)
        text = VALUES[name.to_s]
        configured = configuration[name.to_s]
        return interpolated(configured, text) if configured
        return certname if name == :certname || name == :node_name_value
        return Environment.current.modules.map { |one| File.dirname(one.path) }.uniq.join(':') if name == :modulepath || name == :basemodulepath

        text && interpolated(text)
      end

      private

      # In the form of the table: a text in quotes, a symbol, a list or a number.
      def interpolated(text, like = nil)
        text = like&.start_with?('"') ? "\"#{text}\"" : text if like
        case text
        when 'true', 'false' then text == 'true'
        when 'nil' then nil
        when 'Infinity' then Float::INFINITY
        when /\A-?\d+\z/ then text.to_i
        when /\A:/ then text[1..].to_sym
        when /\A\[/ then text.scan(/"([^"]*)"/).flatten
        else text.delete_prefix('"').delete_suffix('"').gsub(/\$\{?(\w+)\}?/) { folder($1) || value($1.to_sym).to_s } # rubocop:disable Style/PerlBackrefs
        end
      end

      def folder(name)
        return configuration[name] if configuration.key?(name) && !configuration[name].include?('$')

        folders[name]
      end

      def folders
        @folders ||= if Process.uid.zero?
                       { 'confdir' => '/etc/puppetlabs/puppet', 'codedir' => '/etc/puppetlabs/code',
                         'vardir' => '/opt/puppetlabs/puppet/cache', 'logdir' => '/var/log/puppetlabs/puppet',
                         'rundir' => '/var/run/puppetlabs', 'publicdir' => '/opt/puppetlabs/puppet/public' }
                     else
                       home = File.join(Dir.home, '.puppetlabs')
                       { 'confdir' => "#{home}/etc/puppet", 'codedir' => "#{home}/etc/code",
                         'vardir' => "#{home}/opt/puppet/cache", 'logdir' => "#{home}/var/log",
                         'rundir' => "#{home}/var/run", 'publicdir' => "#{home}/opt/puppet/public" }
                     end
      end

      # The sections of puppet.conf that code of a catalog sees.
      def configuration
        @configuration ||= read(File.join(folders['confdir'], 'puppet.conf'))
      end

      def read(path)
        return {} unless File.file?(path) && File.readable?(path)

        section = 'main'
        found = { 'main' => {}, 'user' => {} }
        File.foreach(path, encoding: 'UTF-8', chomp: true) do |line|
          case line
          when /\A\s*\[(\w+)\]/ then section = $1 # rubocop:disable Style/PerlBackrefs
          when /\A\s*(\w+)\s*=\s*(.*?)\s*(?:#.*)?\z/ then found[section][$1] = $2 if found.key?(section) # rubocop:disable Style/PerlBackrefs
          end
        end
        found['main'].merge(found['user'])
      end

      def certname
        name = Volley.node['name'].to_s
        return name unless name.empty?

        require 'socket'
        Socket.gethostname.downcase
      end
    end
  end
end
