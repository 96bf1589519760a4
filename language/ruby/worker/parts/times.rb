module Puppet
  module Pops
    module Time
      NSECS_PER_SEC = 1_000_000_000

      # What points in time and lengths of time have in common: a number of nanoseconds.
      class TimeData < Volley::RichText
        attr_reader :nsecs

        def initialize(nanoseconds)
          @nsecs = nanoseconds
          super(self.class.name.split('::').last, nil)
        end

        def self.from_text(text)
          made = allocate
          made.send(:take, text)
          made
        end

        # Numbers come from the controller: it knows how the text is meant.
        def nsecs = @nsecs ||= Volley.call('new', [Types::PAnyType.from_text('Integer'), self]) * NSECS_PER_SEC + fraction
        def to_i = nsecs.div(NSECS_PER_SEC)
        def to_int = to_i
        def to_f = nsecs.fdiv(NSECS_PER_SEC)
        def to_c = to_f.to_c
        def to_r = Rational(nsecs, NSECS_PER_SEC)
        def to_s = @text ||= as_text
        def <=>(other) = other.is_a?(TimeData) ? nsecs <=> other.nsecs : to_f <=> other.to_f
        def ==(other) = other.class == self.class && other.nsecs == nsecs
        alias eql? ==
        def hash = nsecs.hash
        def format(format) = Volley.call('strftime', [self, format])

        private

        def take(text)
          @kind = self.class.name.split('::').last
          @text = text
        end

        def fraction = (@text[/\.(\d{1,9})/, 1] || '').ljust(9, '0')[0, 9].to_i * (@text.start_with?('-') ? -1 : 1)
      end

      class Timestamp < TimeData
        def self.now = from_time(::Time.now)
        def self.from_time(time) = new(time.to_i * NSECS_PER_SEC + time.nsec)
        def self.parse(text, format = nil, zone = nil) = Volley.call('new', [Types::PAnyType.from_text('Timestamp'), text, *[format, zone].compact])

        def to_time = ::Time.at(to_i, nsecs.modulo(NSECS_PER_SEC), :nsec).utc
        def +(other) = Timestamp.new(nsecs + nanoseconds(other))
        def -(other) = other.is_a?(Timestamp) ? Timespan.new(nsecs - other.nsecs) : Timestamp.new(nsecs - nanoseconds(other))

        private

        def nanoseconds(other) = other.is_a?(TimeData) ? other.nsecs : (other * NSECS_PER_SEC).to_i
        def as_text = to_time.strftime("%Y-%m-%dT%H:%M:%S.#{Kernel.format('%09d', nsecs.modulo(NSECS_PER_SEC)).sub(/0{1,6}\z/, '')} UTC")
      end

      class Timespan < TimeData
        def self.parse(text, format = nil) = Volley.call('new', [Types::PAnyType.from_text('Timespan'), text, *[format].compact])

        def self.from_fields(negative, days, hours, minutes, seconds, milliseconds = 0, microseconds = 0, nanoseconds = 0)
          total = ((((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + milliseconds) * 1000) + microseconds) * 1000 + nanoseconds
          new(negative ? -total : total)
        end

        def negative? = nsecs.negative?
        def total_days = nsecs.abs.div(NSECS_PER_SEC * 86_400)
        def total_hours = nsecs.abs.div(NSECS_PER_SEC * 3600)
        def total_minutes = nsecs.abs.div(NSECS_PER_SEC * 60)
        def total_seconds = nsecs.abs.div(NSECS_PER_SEC)
        def total_milliseconds = nsecs.abs.div(1_000_000)
        def days = total_days
        def hours = total_hours % 24
        def minutes = total_minutes % 60
        def seconds = total_seconds % 60
        def milliseconds = total_milliseconds % 1000
        def -@ = Timespan.new(-nsecs)
        def +(other) = other.is_a?(Timestamp) ? other + self : Timespan.new(nsecs + nanoseconds(other))
        def -(other) = Timespan.new(nsecs - nanoseconds(other))
        def *(other) = Timespan.new((nsecs * other).to_i)
        def /(other) = other.is_a?(Timespan) ? nsecs.fdiv(other.nsecs) : Timespan.new((nsecs / other).to_i)

        def to_hash(compact = false)
          all = { 'negative' => negative?, 'days' => days, 'hours' => hours, 'minutes' => minutes, 'seconds' => seconds,
                  'milliseconds' => milliseconds }
          compact ? all.reject { |_, value| value == 0 || value == false } : all
        end

        private

        def nanoseconds(other) = other.is_a?(TimeData) ? other.nsecs : (other * NSECS_PER_SEC).to_i

        def as_text
          Kernel.format('%<sign>s%<days>d-%<hours>02d:%<minutes>02d:%<seconds>02d.%<rest>s',
                        sign: negative? ? '-' : '', days: days, hours: hours, minutes: minutes, seconds: seconds,
                        rest: (part = Kernel.format('%09d', nsecs.abs % NSECS_PER_SEC).sub(/0+\z/, '')).empty? ? '0' : part)
        end
      end
    end
  end
end
