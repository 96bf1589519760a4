# `puppet apply` with the arguments of this script, which writes the report of the run to the file REPORT as JSON, too.
require 'json'
require 'puppet'
require 'puppet/util/command_line'

Puppet::Reports.register_report(:as_json) do
  desc 'Writes the report to the file REPORT.'
  def process
    File.write(ENV.fetch('REPORT'), JSON.generate(to_data_hash))
  end
end

Puppet::Util::CommandLine.new('puppet', ['apply', '--reports', 'as_json', *ARGV]).execute
