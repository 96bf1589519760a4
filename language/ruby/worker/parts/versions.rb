module SemanticPuppet
  # A semantic version: 1.2.3-rc1+build.
  class Version < Volley::RichText
    class ValidationFailure < ArgumentError; end

    PATTERN = /\A(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?\z/

    attr_reader :major, :minor, :patch

    def self.parse(text)
      parts = PATTERN.match(text.to_s) or raise ValidationFailure, "Unable to parse '#{text}' as a semantic version identifier"
      release = identifiers(parts[4])
      if release&.any? { |one| one.is_a?(String) && one.match?(/\A0\d+\z/) }
        raise ValidationFailure, "Unable to parse '#{text}' as a semantic version identifier"
      end

      new(parts[1].to_i, parts[2].to_i, parts[3].to_i, release, identifiers(parts[5], false))
    end

    def self.identifiers(text, numbers = true)
      text&.split('.')&.map { |one| numbers && one.match?(/\A(?:0|[1-9]\d*)\z/) ? one.to_i : one }
    end

    def self.valid?(text) = PATTERN.match?(text.to_s)

    def initialize(major, minor, patch, prerelease = nil, build = nil)
      @major = major
      @minor = minor
      @patch = patch
      @prerelease = prerelease
      @build = build
      super('SemVer', nil)
    end

    def prerelease = @prerelease.nil? || @prerelease.empty? ? nil : @prerelease.join('.')
    def build = @build.nil? || @build.empty? ? nil : @build.join('.')
    def stable? = prerelease.nil?

    def next(part)
      case part
      when :major then Version.new(major + 1, 0, 0)
      when :minor then Version.new(major, minor + 1, 0)
      when :patch then Version.new(major, minor, patch + 1)
      end
    end

    def to_s = "#{major}.#{minor}.#{patch}#{"-#{prerelease}" if prerelease}#{"+#{build}" if build}"
    def to_stable = Version.new(major, minor, patch)

    # Without the build, which does not count.
    def <=>(other)
      other = Version.parse(other) if other.is_a?(String) && Version.valid?(other)
      return nil unless other.is_a?(Version)

      order = [major, minor, patch] <=> [other.major, other.minor, other.patch]
      order.zero? ? compare_prerelease(other) : order
    end

    def ==(other) = other.is_a?(Version) && (self <=> other).zero? && build == other.build
    alias eql? ==
    def hash = to_s.hash

    protected

    def release_parts = @prerelease || []

    private

    def compare_prerelease(other)
      return (stable? ? 1 : 0) - (other.stable? ? 1 : 0) if stable? || other.stable?

      mine = release_parts
      mine.zip(other.release_parts).each do |left, right|
        return 1 if right.nil?

        order = left.instance_of?(right.class) ? left <=> right : (left.is_a?(Integer) ? -1 : 1)
        return order unless order.zero?
      end
      mine.size <=> other.release_parts.size
    end
  end

  # A range of versions; the controller knows its rules.
  class VersionRange < Volley::RichText
    def self.parse(text)
      range = new('SemVerRange', text.to_s)
      range.type
      range
    rescue Puppet::Error
      raise ArgumentError, "Unparsable version range: #{text.inspect}"
    end

    def type = @type ||= Puppet::Pops::Types::TypeParser.singleton.parse("SemVer['#{@text}']")
    def include?(version) = type.instance?(version.is_a?(Version) ? version : Version.parse(version))
    alias member? include?
    alias cover? include?
    alias === include?
  end
end
