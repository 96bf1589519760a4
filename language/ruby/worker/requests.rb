module Volley
  # What the controller asks for.
  module Requests
    module_function

    def on_setup(request)
      Settings.replace(request['settings'])
      Environment.reset
      Values.objects.clear
      KNOWN.clear
      if Volley.outermost?
        INSTANCES.clear
        Kept.clear
        Puppet::Pops::Lookup::Context.forget unless Puppet::Pops.autoload?(:Lookup)
      end
      unless LIBS == request['libs']
        LIBS.replace(request['libs'])
        request['libs'].each { |dir| $LOAD_PATH.unshift(dir) unless $LOAD_PATH.include?(dir) }
      end
      RUBY_VERSION
    end

    # A template of a file, which is rendered by its path from now on. The answer is what it names.
    def on_template(request)
      Template.load(request['path'], request['text']).names
    end

    def on_load(request)
      function = Volley.load_file(request['path'], LOADED)
      { 'own_call' => function.own_call?, 'aliases' => function.local_aliases, 'name' => function.func_name,
        'dispatches' => function.dispatches.map(&:to_data) }
    end

    def on_load_legacy(request)
      info = Volley.load_file(request['path'], LEGACY)
      { 'arity' => info[:arity], 'rvalue' => info[:type] == :rvalue, 'name' => info[:function].to_s }
    end

    # A dispatch that the controller has chosen, or the function's own call method. One object of the function is there
    # for the whole compilation or plan.
    def on_call(request)
      function = Volley.load_file(request['path'], LOADED)
      args = Values.decode(request['args'])
      block = block_of(request)
      instance = INSTANCES[function] ||= function.new(TopScope.current, Puppet::Pops::Loaders.loader)
      return instance.call(Scope.current, *args, &block) if request['index'].nil?

      function.dispatches[request['index']].invoke(instance, args, &block)
    end

    def on_call_legacy(request)
      info = Volley.load_file(request['path'], LEGACY)
      Scope.current.send("function_#{info[:function]}", Values.as_legacy { Values.decode(request['args']) }, &block_of(request))
    end

    # The lambda that a function was called with.
    def block_of(request)
      arity = request['block'] or return nil
      block = proc { |*given| Volley.ask('cb' => 'yield', 'args' => given.map { |value| Values.encode(value) }) }
      block.define_singleton_method(:arity) { arity }
      block
    end

    # A block that Ruby code has given to a function of the controller.
    def on_block(request)
      block = BLOCKS[request['number']] or raise Puppet::Error, 'A Ruby block can be called only by the function that it was given to, as long as that runs and in the same fiber'
      block.call(*Values.decode(request['args']))
    end

    def on_render(request)
      code = request.key?('text') ? Template.compiled(request['text']) : Template::FILES.fetch(request['path'])
      given = request.key?('variables') ? Values.decode(request['variables']) : nil
      Watch.during { Template.new(request['path']).result(code, given) }
    rescue Unwind
      raise
    rescue SyntaxError, StandardError => e
      file = request['path'] || '(erb)'
      at = (e.backtrace || []).find { |line| line.start_with?("#{file}:") } || e.backtrace&.first.to_s
      e.extend(TemplateError)
      e.template_place = at.split(':')[0, 2]
      raise e
    end

    def on_ping(_request) = 'pong'
  end
end

Volley.run
