module Bolt
  # The inventory, the executor and others, which are functions of the plan here.
  module World
    # Something that Bolt has and this does not know is an error.
    class Part
      def method_missing(name, *)
        raise Puppet::Error, "#{self.class.name.split('::').last.downcase}.#{name} of Bolt cannot be used here: use the functions of plans (call_function)"
      end

      def respond_to_missing?(*) = false
    end

    class Inventory < Part
      def get_targets(targets, **) = Volley.call('get_targets', [targets])
      def get_target(target) = Volley.call('get_target', [target])
      def target_names = get_targets('all').map(&:name)
      def node_names = target_names
      def vars(target) = get_target(target).vars
      def facts(target) = get_target(target).facts
      def features(target) = get_target(target).feature_set
      def resources(target) = get_target(target).resources
      def set_var(target, values) = values.each { |name, value| Volley.call('set_var', [get_target(target), name, value]) }
      def set_feature(target, feature, value = true) = Volley.call('set_feature', [get_target(target), feature, value])
      def set_config(target, key, value) = Volley.call('set_config', [get_target(target), key, value])
      def add_facts(target, facts) = Volley.call('add_facts', [get_target(target), facts])
      def add_to_group(targets, group) = Volley.call('add_to_group', [targets, group])
      def remove_from_group(targets, group) = Volley.call('remove_from_group', [targets, group])
      def create_target_from_hash(hash) = Target.from_hash(hash)
    end

    # Actions end with their results, whether they failed or not.
    class Executor < Part
      def run_command(targets, command, options = {}, *) = Volley.call('run_command', [command, targets, given(options)])
      def run_task(targets, task, arguments = {}, options = {}, *) = Volley.call('run_task', [name_of(task), targets, arguments.merge(given(options))])
      def run_plan(_scope, plan, parameters = {}) = Volley.call('run_plan', [name_of(plan), parameters])
      def upload_file(targets, source, destination, options = {}, *) = Volley.call('upload_file', [source, destination, targets, given(options)])
      def download_file(targets, source, destination, options = {}, *) = Volley.call('download_file', [source, destination, targets, given(options)])

      def run_script(targets, script, arguments = [], options = {}, *)
        Volley.call('run_script', [script, targets, given(options).merge('arguments' => arguments || [])])
      end

      def without_default_logging(&block) = Volley.call('without_default_logging', [], &block)
      def with_node_logging(*) = yield
      def run_in_thread = yield
      def in_parallel? = false
      def report_function_call(*) = nil
      def report_bundled_content(*) = nil
      def publish_event(*) = nil

      private

      def given(options) = options.to_h { |name, value| ["_#{name.to_s.delete_prefix('_')}", value] }.merge('_catch_errors' => true)
      def name_of(thing) = thing.respond_to?(:name) ? thing.name : thing.to_s
    end

    class Project < Part
      def initialize(data)
        @data = data
      end

      def name = @data['name'].empty? ? nil : @data['name']
      def path = Pathname.new(@data['path'])
      def project_file = path + 'bolt-project.yaml'
      def modulepath = Volley::Environment.current.modulepath
      def to_s = path.to_s
    end

    class PuppetdbClient < Part
      def make_query(query, path = nil, *) = path ? strange('make_query with a path') : Volley.call('puppetdb_query', [query])
      def facts_for_node(names, *) = Volley.call('puppetdb_fact', [names])
      def send_command(command, version, payload, *) = Volley.call('puppetdb_command', [command, version, payload])
      def query_certnames(query, *) = query.nil? ? [] : make_query(query).map { |row| row['certname'] }.uniq

      private

      def strange(what) = raise(Puppet::Error, "#{what} cannot be used here: write the whole query as text")
    end

    class << self
      def lookup(name)
        case name
        when :bolt_inventory then @inventory ||= Inventory.new
        when :bolt_executor, :plan_executor then @executor ||= Executor.new
        when :bolt_pdb_client then @puppetdb ||= PuppetdbClient.new
        when :bolt_project
          data = Volley.node['project']
          data ? Project.new(data) : absent(name) { return yield if block_given? }
        else
          return yield if block_given?

          absent(name)
        end
      end

      private

      def absent(name)
        yield if block_given?
        raise Puppet::Context::UndefinedBindingError, "no '#{name}' in the context of this code"
      end
    end
  end
end
