# Compares native Ruby with this ruby: random chains of methods over random values, and random programs whose blocks
# leave early or look at and change what they are called for.
#
#   ruby tests/conformance/native_ruby/random.rb build/debug/tests/language_tests [how many] [seed] [chains|blocks]
#
# Prints the expressions that are answered differently; what is not native is only counted.
require 'json'
require 'open3'
require 'tempfile'
require 'timeout'
require 'yaml'
require_relative 'random_blocks'

abort("native Ruby is Ruby 3.1, and this is #{RUBY_VERSION}: see versions.txt") unless RUBY_VERSION.start_with?('3.1.')
$VERBOSE = nil
Process.setrlimit(Process::RLIMIT_AS, 2 << 30) # some expressions would take all memory there is
Encoding.default_external = Encoding::UTF_8

# Random Ruby code. The kind of a receiver is only a guess that makes most calls meaningful.
class Expressions
  TEXTS = ['', 'a', 'abc', 'hello world', '  pad ', 'a,b,,c,', 'äöü€', "L1\nL2\r\nL3", '12abc', '-0x1F', 'foo-bar_baz',
           'A1b2C3', 'path/to/file.txt', 'aaabbb', "t\tx", 'q"u\\o', 'été', 'Zz9', '1.5e3', 'key=value', '%d', '#{x}',
           '10.0.0.1', 'TRUE', "\n", 'ß', '日本', '...', '1_000', 'x' * 30].freeze
  PATTERNS = ['/a/', '/l+/', '/\d+/', '/[a-c]/', '/(\w)(\d)?/', '/^/', '/$/', '/\s*/', '//', '/b|x/', '/(?<n>[aeiou])/',
              '/./', '/[^a-z]/', '/\A.+\z/', '/o\b/', '/B/i', '/,/'].freeze
  NUMBERS = [0, 1, -1, 2, 3, 5, -3, 7, 10, 16, 100, 255, -255, 12345, 2**31, 2**53, -(2**53) - 1].freeze
  FLOATS = %w[0.0 1.0 -1.5 0.1 2.5 2.675 1e10 1e15 1e-7 123.456 -0.0 99.995 0.5 1e16].freeze

  BLOCKS = {
    any: ['{ |x| x }', '{ |x| x.to_s }', '{ |x| [x, x] }', '{ |x| x.nil? }', '{ |x| x.to_s.size }', '{ |x| x.is_a?(String) }',
          '(&:to_s)', '(&:class)', '{ |x, y| [y, x] }', '{ |x| x.to_s > "b" }', '{ 1 }', '{ nil }', '(&:inspect)'],
    pair: ['{ |a, b| a }', '{ |a, b| b }', '{ |a, b| [b, a] }', '{ |a, b| a.to_s + b.to_s }', '{ |a, b| a.to_s <=> b.to_s }',
           '{ |a, b| b.nil? }', '{ |x| x }', '{ |a, b| b.to_s.size > 1 }']
  }.freeze

  def initialize(random)
    @random = random
  end

  def pick(list)
    list[@random.rand(list.size)]
  end

  def text = pick(TEXTS).dump.gsub(/\\u\{?([0-9A-F]+)\}?/) { [Regexp.last_match(1).hex].pack('U') }
  def int = pick(NUMBERS).to_s
  def small = (@random.rand(9) - 3).to_s
  def float = pick(FLOATS)
  def sym = pick([':a', ':b', ':c?', ':"x y"', ':Abc', ':[]'])
  def pattern = pick(PATTERNS)
  def range = pick(['1..3', '0...2', '-2..-1', '3..1', '"a".."e"', '0..-1', '1..-2', '2..9', '"08".."11"']).then { |r| "(#{r})" }
  def atom = send(pick(%i[text text int small float sym nothing yes]))
  def nothing = 'nil'
  def yes = pick(%w[true false])

  def array(depth = 1)
    kind = pick(%i[text int small float atom atom])
    items = Array.new(@random.rand(5)) { depth.positive? && @random.rand(5).zero? ? array(depth - 1) : send(kind) }
    "[#{items.join(', ')}]"
  end

  def hash(depth = 1)
    kind = pick(%i[text sym int atom])
    items = Array.new(@random.rand(4)) { "#{send(kind)} => #{depth.positive? && @random.rand(4).zero? ? array(0) : atom}" }
    "{#{items.join(', ')}}"
  end

  def value = send(pick(%i[text text array array hash int float range sym atom]))

  # Methods of a kind, with the kinds of their arguments; a block in braces, and what the answer may be.
  METHODS = {
    text: %w[upcase downcase capitalize swapcase strip lstrip rstrip chomp chop chars bytes lines length size reverse to_i to_f to_s
             to_sym inspect hex oct succ empty? squeeze split ord chr dump? to_json to_yaml dup freeze frozen? codepoints bytesize
             center(small) ljust(small,text) rjust(small,text) center(small,text) +(text) *(small) %(atom) %(array) ==(value) <=>(text) [](small)
             [](small,small) [](range) [](text) [](pattern) [](pattern,small) index(text) index(pattern) index(text,small) index(pattern,small)
             rindex(text) rindex(pattern) rindex(text,small) include?(text) start_with?(text) start_with?(pattern) end_with?(text)
             sub(text,text) gsub(text,text) sub(pattern,text) gsub(pattern,text) gsub(pattern,hash) gsub(pattern){any} sub(pattern){any}
             scan(pattern) scan(text) split(text) split(pattern) split(text,small) split(pattern,small) partition(text) partition(pattern)
             rpartition(text) rpartition(pattern) tr(text,text) tr_s(text,text) delete(text) squeeze(text) count(text) casecmp(text) casecmp?(text)
             match(pattern) match?(pattern) =~(pattern) insert(small,text) prepend(text) <<(text) concat(text) replace(text) slice(small,small)
             delete_prefix(text) delete_suffix(text) chomp(text) each_char.to_a each_line.to_a lines(text) to_i(small) upto(text).first(3)
             sub!(pattern,text) gsub!(pattern,text) upcase! strip! chomp! squeeze! tr!(text,text) slice!(small) slice!(pattern) eql?(text)
             between?(text,text) clamp(text,text) unpack1(text) is_a?(klass) respond_to?(sym) getbyte(small) each_char.with_index.map{any}
             start_with?(text,text) <(text) >=(value) crypt? nil? hash? tap{any} then{any} =~(text) delete(text,text) encode next],
    array: %w[first last length size empty? reverse sort sort_by{any} min max sum uniq compact flatten to_a inspect to_s join to_h map{any}
              select{any} reject{any} find{any} group_by{any} partition{any} each_with_index.to_a each_with_index.map{any} flat_map{any}
              any? all? none? any?{any} all?{any} none?{any} one?{any} count count{any} count(atom) include?(atom) index(atom) rindex(atom) first(small)
              last(small) take(small) drop(small) [](small) [](small,small) [](range) at(small) fetch(small) fetch(small,atom) dig(small) values_at(small,small)
              push(value) <<(value) unshift(atom) insert(small,atom) +(array) -(array) *(small) *(text) &(array) |(array) concat(array) zip(array)
              product(array) rotate rotate(small) transpose flatten(small) each_slice(small).to_a each_cons(small).to_a inject{pair} inject(plus)
              reduce(atom){pair} sum(atom) min(small) max(small) minmax min_by{any} max_by{any} sort{pair} take_while{any} drop_while{any} filter_map{any} tally
              pop shift pop(small) shift(small) delete(atom) delete_at(small) slice!(small) slice!(small,small) slice!(range) compact! uniq! flatten!
              reverse! sort! map!{any} select!{any} reject!{any} delete_if{any} join(text) ==(array) <=>(array) eql?(array) assoc(atom) each_with_object(array){pair}
              combination(small).to_a permutation(small).first(4) to_json to_yaml cycle(small){any} each_index.to_a uniq{any} find_index{any} grep(pattern) grep(klass)
              is_a?(klass) frozen? dup each_entry.to_a reverse_each.to_a zip(array,array) to_h{any} chunk_while{pair}.to_a slice_when{pair}.to_a
              map.with_index(small){any} each.with_index.to_a select.with_index{pair} union(array) difference(array) intersection(array) intersect?(array) fill(atom)
              replace(array) clear first(text) none?(klass) all?(klass) any?(pattern) pack?(text) sort_by{any}.first group_by{any}.keys partition{any}.map{any}],
    hash: %w[keys values length empty? to_a inspect to_s invert sort sort_by{pair} min_by{pair} map{pair} select{pair} reject{pair} find{pair} any? any?{pair} all?{pair}
             count{pair} partition{pair} group_by{pair} each_with_index.to_a flat_map{pair} to_h to_h{pair} transform_values{any} transform_keys{any} [](atom) fetch(atom,atom)
             key?(atom) value?(atom) key(atom) dig(atom) values_at(atom,atom) merge(hash) merge(hash){any} update(hash) store(atom,value) delete(atom) delete_if{pair}
             reject!{pair} select!{pair} keep_if{pair} compact slice(atom) except(atom) first first(small) sum{any} each_with_object(array){pair} reduce{pair} min max
             find_all{pair} filter_map{pair} sort.to_h ==(hash) <=(hash) to_json to_yaml each_slice(small).to_a zip(array) include?(atom) entries shift clear
             each_pair.to_a uniq none? none?{pair} max_by{pair} inject{pair} eql?(hash) assoc(atom) compact! transform_values!{any} is_a?(klass) dup size take(small) drop(small)
             each_key.to_a each_value.map{any} map(&:first) map(&:last) sort_by{pair}.map{pair} each_cons(small).to_a fetch(atom){any} fetch_values to_a.flatten],
    number: %w[+(num) -(num) *(num) /(num) %(num) **(small) <=>(num) ==(num) <(num) >=(num) abs to_s to_i to_f to_s(small) round round(small) floor ceil floor(small) ceil(small)
               truncate(small) divmod(num) div(num) modulo(num) fdiv(num) zero? even? odd? succ pred chr ord digits gcd(num) lcm(num) bit_length between?(num,num) clamp(num,num)
               integer? nan? infinite? finite? inspect to_json to_yaml &(int) |(int) ^(int) <<(small) >>(small) -@
               positive? negative? nonzero? is_a?(klass) eql?(num) equal?(num) class dup frozen? remainder(num) +(atom) <(atom) ==(atom) clamp(range) [](small) size],
    range: %w[to_a first first(small) last last(small) min max sum size count include?(atom) cover?(atom) ===(atom) map{any} select{any} each_slice(small).to_a step(small).to_a inspect to_s
              begin end exclude_end? reduce(plus) each_with_index.to_a to_a.reverse zip(array) minmax each_cons(small).to_a partition{any} inject{pair} ==(range) eql?(range) reverse_each.to_a any?{any}
              find{any} count{any} group_by{any} take(small) drop(small) take_while{any} entries to_h{any} each_entry.to_a sum{any} tally none? is_a?(klass) member?(atom) flat_map{any}],
    symbol: %w[to_s length upcase capitalize succ inspect to_sym <=>(sym) ==(sym) [](small) empty? start_with?(text) to_json swapcase =~(pattern) match?(pattern) size end_with?(text) is_a?(klass) to_proc?],
    pattern: %w[source to_s inspect match(text) match?(text) =~(text) ===(value) names options match(text).to_a? ==(pattern) casefold?]
  }.freeze
  KINDS = { text: :text, array: :array, hash: :hash, int: :number, float: :number, small: :number, range: :range, sym: :symbol, pattern: :pattern }.freeze

  def num = send(pick(%i[int small float]))
  def klass = pick(%w[String Integer Float Array Hash NilClass Symbol Numeric Enumerable Comparable Object])
  def plus = ':+'

  def argument(kind) = @random.rand(25).zero? ? atom : send(kind)

  def call(method)
    code = method.delete_suffix('?') if method.match?(/\A(dump|crypt|hash|pack|to_proc|match\(text\)\.to_a)\?/)
    code ||= method
    code = code.gsub(/\((?!&)([a-z_,]+)\)/) { "(#{Regexp.last_match(1).split(',').map { |kind| argument(kind.to_sym) }.join(', ')})" }
    code.gsub(/\{(any|pair)\}/) { " #{pick(BLOCKS[Regexp.last_match(1).to_sym])}" }.gsub(') (&', ', &').gsub(/ \(&/, '(&')
  end

  def chain(receiver, kind, length)
    length.times do
      receiver = receiver.start_with?('-') ? "(#{receiver})" : receiver
      code = call(pick(METHODS.fetch(kind)))
      operator = code.match?(/\A[^a-z]/)
      receiver = operator && code.start_with?('[]') ? "#{receiver}[#{code[3..-2]}]" : operate(receiver, code, operator)
      kind = pick(METHODS.keys) if @random.rand(3).zero?
      kind = kind_of(receiver) || kind
    end
    receiver
  end

  def operate(receiver, code, operator)
    return "#{receiver}.#{code}" unless operator
    return "(-#{receiver})" if code == '-@'

    name, argument = code.match(/\A([^(]+)\((.*)\)\z/m).captures
    "(#{receiver} #{name} #{argument})"
  end

  # The kind of what an expression answers, so that the next method fits it.
  def kind_of(code)
    value = Timeout.timeout(2) { eval("begin; #{code}; end") }
    case value
    when String then :text
    when Array then :array
    when Hash then :hash
    when Numeric then :number
    when Range then :range
    when Symbol then :symbol
    when Regexp then :pattern
    end
  rescue Exception # the next method is called on what raises; that is fine
    nil
  end

  def next
    kind = pick(%i[text text array array hash hash int float range sym pattern])
    chain(send(kind), KINDS.fetch(kind), 1 + @random.rand(3))
  end
end

def answer(expression)
  # A binding of its own, so that no expression sees the variables of another one.
  Timeout.timeout(5) { Object.new.instance_eval { binding }.eval(expression).inspect }
rescue Exception => e # whatever it is, it is the answer
  message = e.respond_to?(:original_message) ? e.original_message : e.message
  "#{e.class}: #{message}"
end

def native_answers(program, expressions)
  Tempfile.create('expressions') do |file|
    file.write(expressions.join("\n"), "\n")
    file.close
    out, = Open3.capture2({ 'VOLLEY_RUBY_EXPRESSIONS' => file.path }, program, '[.native-ruby-answers]')
    return out.force_encoding('UTF-8').lines(chomp: true).select { |line| line.start_with?('=> ') }.map { |line| line[3..] }
  end
end

# Compares some programs; returns how many, how many differ, and why others are not native.
def compare(program, source, count)
  expressions = Array.new(count) { source.next.gsub("\n", ' ') }
  natives = native_answers(program, expressions)
  abort("stopped at #{expressions[natives.size]}") if natives.size < expressions.size
  reasons = Hash.new(0)
  differences = expressions.zip(natives).count do |expression, native|
    if native.start_with?('not native: ')
      reasons[native] += 1
      next false
    end
    ours = answer(expression).gsub("\n", '\n')
    next false if ours == native || ours.start_with?('NoMemoryError') # how much there is, is not Ruby's to say

    puts expression, "  ruby   #{ours}", "  native #{native}"
    true
  end
  [count, differences, reasons]
end

# In a process of its own: some programs take so much memory that Ruby ends without raising anything. Nil then.
def compare_apart(program, source, count)
  IO.pipe do |from, to|
    child = fork do
      from.close
      to.write(Marshal.dump(compare(program, source, count)))
      $stdout.flush
      exit!(0)
    end
    to.close
    answer = from.read
    Process.wait(child)
    return answer.empty? ? nil : Marshal.load(answer) # rubocop:disable Security/MarshalLoad
  end
end

SLICE = 250
program, count, seed, only = ARGV
seed = (seed || Random.new_seed % 1_000_000).to_i
slices = ((count || 2000).to_i + SLICE - 1) / SLICE
compared = differences = lost = 0
reasons = Hash.new(0)
slices.times do |i|
  own = Random.new(seed * 1_000_003 + i)
  kind = only || %w[chains blocks][i % 2]
  source = kind == 'chains' ? Expressions.new(own) : BlockPrograms.new(own)
  done = compare_apart(program, source, SLICE)
  next lost += 1 unless done

  compared += done[0]
  differences += done[1]
  done[2].each { |reason, n| reasons[reason] += n }
end
puts "seed #{seed}: #{compared} expressions, #{differences} differences, #{reasons.values.sum} not native" \
     "#{", #{lost} slices of #{SLICE} ended for want of memory" if lost.positive?}"
puts reasons.sort_by { |_, n| -n }.first(25).map { |reason, n| "  #{n} #{reason}" } if ENV['VOLLEY_VERBOSE']
exit(differences.zero? && compared.positive?)
