require 'etc'
require 'io/wait'

module Puppet
  module Util
    # Programs of this machine. What Puppet does for an option is done here, or the call is an error.
    module Execution
      class ProcessOutput < String
        attr_reader :exitstatus

        def initialize(text, status)
          super(text)
          @exitstatus = status
        end
      end

      # Without options a failure is an error and both streams are the output; with any of them neither is so unless
      # it is asked for (compatibility).
      NONE_GIVEN = {}.freeze
      KNOWN = %i[cwd failonfail uid gid combine stdinfile squelch override_locale custom_environment sensitive
                 suppress_window].freeze
      LOCALE = %w[LANG LC_ALL LC_MESSAGES LANGUAGE LC_COLLATE LC_CTYPE LC_MONETARY LC_NUMERIC LC_TIME].freeze
      USER = %w[HOME USER LOGNAME].freeze

      class << self
        def execute(command, options = NONE_GIVEN)
          strange = options.keys.map(&:to_sym) - KNOWN
          raise Puppet::Error, "Puppet::Util::Execution.execute does not know the option #{strange.first.inspect}" unless strange.empty?

          command = command.flatten.map(&:to_s) if command.is_a?(Array)
          text = options[:sensitive] ? '[redacted]' : Array(command).join(' ')
          raise ArgumentError, "Working directory #{options[:cwd]} does not exist!" if options[:cwd] && !File.directory?(options[:cwd])

          as = [options[:uid] && " uid=#{options[:uid]}", options[:gid] && " gid=#{options[:gid]}"].compact.join
          Volley.log(:debug, "Executing#{" with#{as}" unless as.empty?}: '#{text}'")
          output, status = run(command, options, options.equal?(NONE_GIVEN), identity(options[:uid], options[:gid]))
          if options.fetch(:failonfail, options.equal?(NONE_GIVEN)) && status != 0
            raise Puppet::ExecutionFailure, "Execution of '#{text}' returned #{status}: #{output.strip}"
          end

          ProcessOutput.new(output, status)
        end

        def execpipe(command, failonfail = true)
          text = Array(command).join(' ')
          Volley.log(:debug, "Executing '#{text}'")
          output = IO.popen({ 'LANG' => 'C', 'LC_ALL' => 'C' }, "#{text} 2>&1") { |pipe| yield(pipe) }
          raise Puppet::ExecutionFailure, output.to_s if failonfail && $?.exitstatus != 0 # rubocop:disable Style/SpecialGlobalVars

          output
        end

        def ruby_path = RbConfig.ruby

        private

        # The output and the exit code. The program gets a session of its own, as another user when that is asked for.
        def run(command, options, none_given, ids)
          input = File.open(options[:stdinfile] || File::NULL)
          reader, writer = options[:squelch] ? [nil, File.open(File::NULL, 'w')] : IO.pipe
          errors = options.fetch(:combine, none_given) ? writer : File.open(File::NULL, 'w')
          child = fork { become(command, options, ids, input, writer, errors) }
          [input, writer, errors].each { |io| io.close unless io.closed? }
          output = reader ? collect(reader, child) : ''
          [output, @status || Process.wait2(child)[1].exitstatus]
        ensure
          @status = nil
          [reader, writer, errors, input].each { |io| io&.close unless io&.closed? }
        end

        # Until the program has ended, even if another one keeps its output open.
        def collect(reader, child)
          output = +''
          ended = nil
          until ended
            ended = Process.wait2(child, Process::WNOHANG)
            piece = read(reader, ended ? 0 : 0.05)
            ended ||= Process.wait2(child) if piece.nil?
            output << piece.to_s
          end
          while (piece = read(reader, 0)) && !piece.empty?
            output << piece
          end
          @status = ended[1].exitstatus
          output.force_encoding(Encoding.default_external)
        end

        # What is there; empty when there is nothing yet, nil at the end.
        def read(reader, seconds)
          reader.wait_readable(seconds) ? reader.readpartial(65_536) : ''
        rescue EOFError
          nil
        end

        # User and group as numbers. Without a group it is the user's own.
        def identity(user, group)
          return {} unless user || group

          account = user && (number?(user) ? Etc.getpwuid(user.to_i) : Etc.getpwnam(user.to_s))
          gid = if group then number?(group) ? group.to_i : Etc.getgrnam(group.to_s).gid
                else account.gid
                end
          { account: account, gid: gid }
        rescue ArgumentError => e
          raise Puppet::Error, "The program cannot be run with uid=#{user.inspect} gid=#{group.inspect}: #{e.message}"
        end

        def number?(id) = id.is_a?(Integer) || id.to_s.match?(/\A\d+\z/)

        # In the new process.
        def become(command, options, ids, input, output, errors)
          $stdin.reopen(input)
          STDOUT.reopen(output)
          STDERR.reopen(errors)
          Process.setsid
          Dir.chdir(options[:cwd]) if options[:cwd]
          change_to(ids)
          LOCALE.each { |name| ENV.delete(name) } && ENV.update('LANG' => 'C', 'LC_ALL' => 'C') if options.fetch(:override_locale, true)
          USER.each { |name| ENV.delete(name) }
          (options[:custom_environment] || {}).each { |name, value| ENV[name.to_s] = value&.to_s }
          Kernel.exec(*command)
        rescue Exception => e # rubocop:disable Lint/RescueException
          STDERR.puts("Could not execute posix command: #{e.message}")
        ensure
          exit!(1)
        end

        # For good, and the group first: another user may not change that.
        def change_to(ids)
          Process::GID.change_privilege(ids[:gid]) if ids[:gid] && ids[:gid] != Process.egid
          account = ids[:account]
          return if account.nil? || account.uid == Process.euid

          Process.initgroups(account.name, account.gid)
          Process::UID.change_privilege(account.uid)
        end
      end
    end

    module SUIDManager
      class << self
        def euid = Process.euid
        def egid = Process.egid
        def uid = Process.uid
        def gid = Process.gid
        def root? = Process.uid.zero?

        # Code runs as another user; only root can do that, others run it as themselves.
        def asuser(user = nil, group = nil)
          return yield unless root? && (user || group)

          before = [Process.euid, Process.egid, Process.groups]
          begin
            ids = Execution.send(:identity, user, group)
            Process.egid = ids[:gid]
            Process.initgroups(ids[:account].name, ids[:gid]) if ids[:account]
            Process.euid = ids[:account].uid if ids[:account]
            yield
          ensure
            Process.euid = before[0]
            Process.egid = before[1]
            Process.groups = before[2]
          end
        end

        def run_and_capture(command, user = nil, group = nil)
          output = Execution.execute(command, failonfail: false, combine: true, uid: user, gid: group)
          [output, output.exitstatus]
        end

        def system(command, user = nil, group = nil)
          Execution.execute(command, failonfail: false, uid: user, gid: group).exitstatus.zero?
        end
      end
    end
  end
end
