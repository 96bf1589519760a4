module Puppet
  # Files of this machine.
  module FileSystem
    class << self
      def exist?(path) = File.exist?(path)
      def directory?(path) = File.directory?(path)
      alias dir_exist? directory?
      def file?(path) = File.file?(path)
      def executable?(path) = File.executable?(path)
      def writable?(path) = File.writable?(path)
      def symlink?(path) = File.symlink?(path)
      def readlink(path) = File.readlink(path)
      def stat(path) = File.stat(path)
      def lstat(path) = File.lstat(path)
      def size(path) = File.size(path)
      def read(path, options = {}) = File.read(path, **(options[:encoding] ? { encoding: options[:encoding] } : {}))
      def read_preserve_line_endings(path) = File.read(path, mode: 'rb', encoding: Encoding::UTF_8)
      def binread(path) = File.binread(path)
      def each_line(path, &block) = File.foreach(path, &block)
      def children(path) = pathname(path).children
      def pathname(path) = Pathname.new(path)
      def assert_path(path) = path.is_a?(Pathname) ? path : pathname(path)
      def path_string(path) = path.to_s
      def expand_path(path, dir = nil) = File.expand_path(path, dir)
      def basename(path) = pathname(path).basename
      def basename_string(path, *rest) = File.basename(path, *rest)
      def dir(path) = pathname(path).dirname
      def dir_string(path) = File.dirname(path)
      def mkpath(path) = FileUtils.mkpath(path)
      def mkdir(path) = Dir.mkdir(path)
      def dir_mkpath(path) = FileUtils.mkpath(File.dirname(path))
      def touch(path, mtime: nil) = FileUtils.touch(path.to_s, mtime: mtime)
      def unlink(*paths) = File.unlink(*paths)
      def chmod(mode, path) = FileUtils.chmod(mode, path.to_s)
      def compare_stream(path, stream) = FileUtils.compare_stream(File.open(path), stream)
      def open(path, mode, options = 'r', &block) = File.open(path, options, *[mode].compact, &block)

      # The file is there as a whole or as it was.
      def replace_file(path, mode = nil)
        mode ||= File.exist?(path) ? File.stat(path).mode & 0o7777 : 0o640
        Tempfile.create(File.basename(path), File.dirname(path)) do |file|
          file.binmode
          yield(file)
          file.flush
          file.fsync
          file.chmod(mode)
          File.rename(file.path, path)
          File.write(file.path, '') # what is deleted at the end
        end
      end

      def exclusive_open(path, mode, options = 'r')
        File.open(path, options, *[mode].compact) do |file|
          file.flock(File::LOCK_EX)
          yield(file)
        end
      end

      def exclusive_create(path, mode, &block) = File.open(path, File::CREAT | File::EXCL | File::WRONLY, *[mode].compact, &block)
    end
  end

  # A module of the environment.
  class Module
    attr_reader :name, :path

    def initialize(name, path, _environment = nil)
      @name = name
      @path = path
    end

    def self.find(name, _environment = nil)
      path = name && Volley.ask('cb' => 'module_path', 'name' => name.to_s)
      path && new(name.to_s, path)
    end

    { files: 'files', templates: 'templates', manifests: 'manifests', plugins: 'lib', pluginfacts: 'facts.d' }.each do |name, folder|
      define_method("#{name.to_s.chomp('s')}_directory") { subpath(folder) } unless name == :plugins
      define_method("#{name}?") { File.directory?(subpath(folder)) }
    end
    alias has_files? files?
    def files = subpath('files')
    def plugin_directory = subpath('lib')
    def file_directory = subpath('files')
    def subpath(name) = File.join(path, name)
    def file(name) = Puppet::Parser::Files.find_file("#{@name}/#{name}")
    def template(name) = Puppet::Parser::Files.find_template("#{@name}/#{name}")
    def plugin(name) = existing(File.join(path, 'lib', name))
    def metadata_file = subpath('metadata.json')
    def has_metadata? = !metadata.nil? # rubocop:disable Naming/PredicateName
    def metadata = @metadata ||= File.file?(metadata_file) ? JSON.parse(File.read(metadata_file, encoding: 'UTF-8')) : nil
    alias read_metadata metadata
    def forge_name = metadata && metadata['name']&.tr('-', '/')
    %w[version author source license summary description dependencies].each { |key| define_method(key) { metadata && metadata[key] } }
    def project_page = metadata && metadata['project_page']
    def environment = Volley::Environment.current
    def exist? = File.directory?(path)
    def to_s = "Module #{name}(#{path})"
    def ==(other) = other.is_a?(Module) && other.name == name && other.path == path

    private

    def existing(file) = File.exist?(file) ? file : nil
  end
end
