# Applies catalogs with the real Puppet, each in a process of its own, and prints Puppet's report of each as one line of JSON.
# The first argument is a modulepath, for types of modules.
# A line in: {"catalog": FILE, "state": FOLDER, "noop": false, "level": "info", "tags": "", "skip_tags": "", "show_diff": false}
require 'json'
require 'puppet'
# Types load when they are first asked for: once here, and not in every process.
$LOAD_PATH.concat(Dir[File.join(ARGV[0], '*', 'lib')]) if ARGV[0]
types = %i[file exec notify schedule filebucket user group host cron mount service package tidy resources stage file_line ssh_authorized_key sshkey
           ini_setting ini_subsetting concat_file concat_fragment sysctl sysctl_runtime alternatives alternative_entry
           selboolean selmodule yumrepo zfs zpool reboot archive vcsrepo mailalias augeas rabbitmq_plugin mysql_datadir]
require 'facter'
Facter.add(:puppetversion) { setcode { Puppet.version } }
types.each { |type| Puppet::Type.type(type) }

def apply_once(order)
  state = order['state']
  Puppet.initialize_settings(['--confdir', "#{state}/conf", '--vardir', "#{state}/var", '--rundir', "#{state}/run",
                              '--logdir', "#{state}/log"])
  Puppet.settings.preferred_run_mode = :agent
  Puppet[:noop] = order['noop'] || false
  Puppet[:tags] = order['tags'] || ''
  Puppet[:skip_tags] = order['skip_tags'] || ''
  Puppet[:show_diff] = order['show_diff'] || false
  Puppet[:ignoreschedules] = order['ignore_schedules'] || false
  Puppet::Util::Log.level = (order['level'] || 'info').to_sym
  environment = Puppet::Node::Environment.create(:production, ARGV[0] ? [ARGV[0]] : [])
  report = Puppet::Transaction::Report.new(nil, 'production', 'uuid')
  aborted = nil
  Puppet.override(current_environment: environment, loaders: Puppet::Pops::Loaders.new(environment), rich_data: true) do
    # What is logged before the transaction begins belongs to the report as well.
    Puppet::Util::Log.newdestination(report)
    begin
      text = File.read(order['catalog'], encoding: 'utf-8')
      catalog = Puppet::Resource::Catalog.convert_from(:rich_data_json, text).to_ral
      catalog.finalize
      catalog.host_config = true
      Puppet::Util::Log.close(report)
      catalog.apply(report: report)
    rescue StandardError => detail
      aborted = detail.message
    end
  end
  report.finalize_report
  { 'aborted' => aborted, 'report' => report.to_data_hash }
end

$stdout.sync = true
STDIN.each_line do |line|
  order = JSON.parse(line)
  reader, writer = IO.pipe
  pid = fork do
    reader.close
    STDIN.reopen("/dev/null")
    answer = begin
      apply_once(order)
    rescue Exception => detail
      { 'broken' => "#{detail.class}: #{detail.message}", 'trace' => detail.backtrace.first(5) }
    end
    writer.write(JSON.generate(answer))
    writer.close
    exit!(0)
  end
  writer.close
  text = reader.read
  Process.wait(pid)
  puts(text.empty? ? '{"broken": "the process ended"}' : text)
end
