# frozen_string_literal: true

# What Volley asks of a target's puppet-agent: apply a catalog, gather facts, read resources. The Ruby that Puppet runs on
# reads this; puppet_agent.sh finds it where there is a POSIX shell.

require 'digest'
require 'etc'
require 'fileutils'
require 'json'
require 'tmpdir'

# Only the answer goes to standard output; what Puppet and its providers print goes to standard error.
ANSWER = $stdout.dup
$stdout.reopen($stderr)
Encoding.default_external = Encoding::UTF_8

# Code of modules that earlier runs brought here, named by its SHA-256. Only the account it belongs to can write to
# it, and content is checked when it is taken out. Content of files is never kept: it may be secret.
class CachedCode
  UNUSED_DAYS = 30

  def initialize
    root = cache_folder
    @folder = File.join(root, 'code')
    FileUtils.mkdir_p(@folder, mode: 0o700)
    usable = [root, @folder].all? do |path|
      stat = File.lstat(path)
      stat.directory? && stat.owned? && (stat.mode & 0o022).zero?
    end
    @folder = nil unless usable
  rescue SystemCallError, NoMethodError, KeyError
    @folder = nil # no home, or a file system that is read only
  end

  def cache_folder
    return File.join(ENV.fetch('LOCALAPPDATA').tr('\\', '/'), 'volley') if Gem.win_platform?

    Process.euid.zero? ? '/var/cache/volley' : File.join(Etc.getpwuid.dir, '.cache', 'volley')
  end

  def read(sum)
    return unless @folder

    path = File.join(@folder, sum)
    content = File.binread(path)
    return unless Digest::SHA256.hexdigest(content) == sum

    File.utime(Time.now, Time.now, path)
    content
  rescue SystemCallError
    nil
  end

  def write(sum, content)
    return unless @folder

    draft = File.join(@folder, ".#{sum}.#{Process.pid}")
    File.open(draft, File::WRONLY | File::CREAT | File::EXCL | File::BINARY, 0o600) { |file| file.write(content) }
    File.rename(draft, File.join(@folder, sum))
  rescue SystemCallError
    nil # a full disk only costs the next run some traffic
  end

  def forget_unused
    return unless @folder

    Dir.children(@folder).each do |name|
      path = File.join(@folder, name)
      File.unlink(path) if Time.now - File.lstat(path).mtime > UNUSED_DAYS * 86_400
    end
  rescue SystemCallError
    nil
  end
end

# The files that a request names, laid out as modules. Each says where it goes and the SHA-256 of its content; the
# content comes with the request, from the kept code, or from the file on this machine that it is meant for.
class Delivery
  def initialize(request)
    @files = request['files'] || []
    @given = request['content'] || {}
    @cached = CachedCode.new
    @contents = {}
  end

  # The sums of what is nowhere to be found here.
  def missing
    @files.map { |file| file['sum'] unless file['folder'] || content(file) }.compact.uniq
  end

  def unpack(folder)
    @files.each do |file|
      path = File.expand_path(file['path'], folder)
      raise "#{file['path']} is outside of its folder" unless path.start_with?("#{folder}/")

      FileUtils.mkdir_p(file['folder'] ? path : File.dirname(path))
      next if file['folder']

      File.binwrite(path, content(file))
      File.chmod(file['mode'] & 0o777, path)
      @cached.write(file['sum'], content(file)) if file['code'] && @given[file['sum']]
    end
    @cached.forget_unused unless @given.empty?
  end

  private

  def content(file)
    sum = file['sum']
    @contents[sum] ||= given(sum) || (file['code'] && @cached.read(sum)) || here(file)
  end

  def given(sum)
    content = @given[sum]&.unpack1('m')
    raise 'content arrived damaged' if content && Digest::SHA256.hexdigest(content) != sum

    content
  end

  def here(file)
    (file['here'] || []).each do |path|
      stat = File.lstat(path)
      next unless stat.file? && stat.size == file['size']

      content = File.binread(path)
      return content if Digest::SHA256.hexdigest(content) == file['sum']
    rescue SystemCallError
      next
    end
    nil
  end
end

# Puppet with settings and modules of its own, so that nothing of the machine's own Puppet is read or changed.
class Agent
  def initialize(request, root)
    require 'puppet'
    @request = request
    modules = File.join(root, 'modules')
    Dir.mkdir(modules)
    folders = (Puppet::Settings::REQUIRED_APP_SETTINGS + [:rundir]).uniq
    words = folders.flat_map { |name| ["--#{name}", File.join(root, name.to_s.chomp('dir'))] }
    Puppet.initialize_settings(words + ['--modulepath', modules])
    Puppet[:report] = false
    Delivery.new(request).unpack(modules)
    @environment = Puppet.lookup(:environments).get('production')
    @environment.each_plugin_directory { |folder| $LOAD_PATH.unshift(folder) unless $LOAD_PATH.include?(folder) }
    connect_device(request['_target']) if request['_target']
  end

  def facts
    found = Puppet::Node::Facts.indirection.find(Puppet[:certname], environment: @environment)
    [found.values, 0]
  end

  def resources
    found = @request['resources'].flat_map do |wanted|
      type, title = wanted.match(/\A([^\[]+)\[(.+)\]\z/m)&.captures
      if type
        Puppet::Resource.indirection.find("#{type}/#{title}", environment: @environment)
      else
        Puppet::Resource.indirection.search(wanted, environment: @environment)
      end
    end
    [{ 'resources' => found.map(&:to_data_hash) }, 0]
  end

  def apply
    require 'puppet/configurer'
    Puppet[:noop] = @request['_noop'] ? true : false
    @request['settings'].each { |name, value| Puppet[name.to_sym] = value }
    Puppet[:default_file_terminus] = :file_server
    Puppet.settings.use(:main)
    report = Puppet::Transaction::Report.new
    context = { current_environment: @environment, loaders: Puppet::Pops::Loaders.new(@environment) }
    context[:network_device] = true if @request['_target']
    # The catalog was compiled with facts that were gathered for it. All of them are needed again where functions are
    # called only now; providers ask for the few that they depend on.
    facts = deferred?(@request['catalog']) ? all_facts : find_facts_of_modules
    Puppet.override(context) do
      Puppet::Configurer.new.run(catalog: resolved_catalog(facts), report: report, pluginsync: false)
    end
    [report.to_data_hash, report.exit_status == 1 ? 1 : 0]
  end

  private

  def all_facts
    Puppet::Node::Facts.indirection.find(Puppet[:certname], environment: @environment)
  end

  # Makes Facter look at the facts that modules bring, without resolving any; what knows no such way gathers them.
  def find_facts_of_modules
    terminus = Puppet::Node::Facts::Facter if Puppet[:facts_terminus].to_s == 'facter' && Puppet::Node::Facts.indirection
    return all_facts && nil unless terminus.respond_to?(:setup_search_paths)

    asked = Puppet::Indirector::Request.new(:facts, :find, Puppet[:certname], nil, environment: @environment)
    terminus.setup_external_search_paths(asked)
    terminus.setup_search_paths(asked)
    Puppet.initialize_facts if Puppet.respond_to?(:initialize_facts)
    nil
  end

  def deferred?(data)
    case data
    when Hash then data['__ptype'].to_s.start_with?('Deferred') || data.each_value.any? { |item| deferred?(item) }
    when Array then data.any? { |item| deferred?(item) }
    else false
    end
  end

  def resolved_catalog(facts)
    catalog = Puppet::Resource::Catalog.from_data_hash(@request['catalog'])
    catalog.environment = @environment.name.to_s
    catalog.environment_instance = @environment
    Puppet::Pops::Evaluator::DeferredResolver.resolve_and_replace(facts, catalog) if facts
    catalog.to_ral
  end

  # A target that only a proxy can talk to, by a transport of the Resource API.
  def connect_device(device)
    type = device['remote-transport']
    raise "The target's configuration does not say its remote-transport" unless type

    require 'puppet/resource_api/transport'
    connection = Puppet::ResourceApi::Transport.connect(type, device.transform_keys(&:to_sym))
    Puppet::ResourceApi::Transport.inject_device(type, connection)
    Puppet[:facts_terminus] = :network_device
    Puppet[:certname] = device['name']
  end
end

WORK = { 'apply_helpers::apply_catalog' => :apply, 'apply_helpers::custom_facts' => :facts,
         'apply_helpers::query_resources' => :resources }.freeze

def answer(request)
  missing = Delivery.new(request).missing
  return [{ '_missing' => missing }, 0] unless missing.empty?

  work = WORK.fetch(request['_task'])
  # Beside this program: what removes its folder removes that of a process, too, which code of a module has ended.
  beside = File.dirname(File.realpath($PROGRAM_NAME))
  root = File.realpath(Dir.mktmpdir('volley-puppet', File.owned?(beside) ? beside : Dir.tmpdir))
  begin
    Agent.new(request, root).public_send(work)
  ensure
    FileUtils.remove_entry(root, true)
  end
end

# What programs print may be any bytes, and JSON is text.
def text_only(value)
  case value
  when Hash then value.to_h { |key, item| [text_only(key), text_only(item)] }
  when Array then value.map { |item| text_only(item) }
  when String
    text = value.encoding == Encoding::BINARY ? value.dup.force_encoding(Encoding::UTF_8) : value
    text.valid_encoding? ? text : text.scrub { |bytes| bytes.unpack('C*').map { |byte| format('\\x%02X', byte) }.join }
  else value
  end
end

# What Puppet refuses, such as a value that a type does not take: a line for people instead of the way through its code.
def refusal(request, error)
  doing = { apply: 'apply the catalog', facts: 'gather facts', resources: 'read resources' }
  message = "Puppet cannot #{doing[WORK[request['_task']]]}: #{error.message.to_s.strip}"
  message = [message, *error.backtrace].join("\n  ") if (request['settings'] || {})['trace']
  { '_error' => { 'kind' => 'bolt/apply-error', 'msg' => message, 'details' => { 'exit_code' => 1 } } }
end

request = JSON.parse($stdin.read.force_encoding(Encoding::UTF_8))
begin
  reply, status = answer(request)
rescue StandardError, ScriptError => e
  if e.is_a?(LoadError) && e.path == 'puppet'
    warn "there is no Puppet for #{RbConfig.ruby}"
    exit 127
  end
  reply = refusal(request, e)
  status = 1
end
begin
  text = reply.to_json
rescue JSON::GeneratorError, EncodingError
  text = text_only(reply).to_json
end
ANSWER.puts(text)
ANSWER.flush
exit status
