# Random programs for random.rb whose blocks leave early, or look at and change what they are called for.
class BlockPrograms
  ARRAY = %w[each each_with_index each_index reverse_each map map! collect! select select! filter! reject reject! keep_if delete_if
             find find_index index rindex count any? all? none? one? sum min_by max_by sort sort! sort_by sort_by! group_by
             partition each_slice(2) each_cons(2) each_with_object([]) inject inject(0) reduce flat_map zip([5,6,7,8]) uniq uniq!
             take_while drop_while filter_map each_entry cycle(2) combination(2) permutation(2) chunk_while slice_when
             fetch(9) delete(9) delete(2) detect find_all each_with_index.map map.with_index(1) each.with_index select.with_index
             each_with_index.select reject.with_index each_slice(2).map each_with_index.to_a.each min max minmax to_h fill
             each.with_object([]) dup.each tally.each sum(1) product([1,2]).each values_at(0,1).map first(2).each bsearch
             each_with_index.reject map!.with_index delete_if.with_index collect_concat minmax_by step times.each lazy.map
             each_with_index.find each_with_index.any? reverse.each_with_index.map sort_by!.with_index take(2).map].freeze
  HASH = %w[each each_pair each_key each_value map select select! filter! reject reject! keep_if delete_if find any? all? none?
            count sum min_by max_by sort_by group_by partition each_with_index each_with_object({}) inject to_h transform_values
            transform_values! transform_keys transform_keys! filter_map flat_map merge({"b"=>5,"z"=>6}) merge!({"b"=>5,"z"=>6})
            update({"a"=>5,"c"=>7}) fetch("zz") delete("zz") delete("b") each_with_index.map find_all uniq reduce each_slice(2)
            take_while drop_while keys.each values.map to_a.each sort.each each.with_index detect dup.each each_entry sort
            min max each_cons(2) zip([1,2,3]) map.with_index select.with_index entries.each invert.each compact.each
            each_with_index.select each_pair.with_index fetch_values("a","zz")].freeze
  TEXT = %w[gsub(/[a-z]/) gsub!(/[a-z]/) sub(/b/) sub!(/b/) each_char each_line each_byte scan(/[a-z]/) scan(/([a-z])(.)/)
            upto("zz") each_char.with_index chars.each lines.map each_char.map chars.select bytes.each gsub(/(b)(.)?/)
            chars.each_with_index gsub("b") each_char.with_index.map each_char.each_slice(2) then tap
            sub("b") chars.map split(/b/).each each_char.to_a.each partition("b").each tr("a","b").each_char].freeze
  RANGE = %w[each map select reject find inject each_slice(2) each_with_index step(2) reverse_each sum count any? all? each_cons(2)
             take_while each_with_object([]) flat_map group_by partition min_by to_a.each filter_map each_entry find_index
             each_with_index.map map.with_index zip([1,2,3]) to_h each_slice(2).map none? drop_while first(2).each cycle(2)].freeze
  NUMBER = %w[times upto(6) downto(0) step(9,2) then tap times.map times.select upto(6).map times.each_slice(2) times.with_index].freeze
  KINDS = { array: ARRAY, hash: HASH, text: TEXT, range: RANGE, number: NUMBER }.freeze

  LOOKS = {
    array: ['a.size', 'a.dup', 'a.first', 'a.last', 'a.include?(x)', 'a.index(x)', 'a.empty?', 'a.inspect', 'a.sort_by(&:to_s)', 'a.length > 2',
            'a.count', 'a[1]', 'a + [x]', 'a.join(",")', 'a.each_slice(2).to_a', 'a.map(&:to_s)', 'a.frozen?', 'a.hash == a.dup.hash', 'a == a.dup'],
    hash: ['a.size', 'a.dup', 'a.keys', 'a.values', 'a.key?("b")', 'a.first', 'a.empty?', 'a.inspect', 'a["b"]', 'a.length > 2', 'a.to_a', 'a.key?(x)',
           'a.any?', 'a.sum { |_, v| v.to_i }', 'a.min_by { |_, v| v.to_s }', 'a.fetch(x, 0)', 'a.invert', 'a.select { |_, v| v }', 'a == a.dup'],
    text: ['a.size', 'a.dup', 'a.upcase', 'a[1]', 'a.include?("b")', 'a.empty?', 'a.inspect', 'a * 2', 'a.index("c")', '$~', '$1', '$~ && $~[0]',
           'a =~ /c/', 'a.sub("b", "y")', 'a.scan(/./).size'],
    range: ['a.to_a', 'a.size', 'a.first', 'a.include?(2)', 'a.sum', 'a.last(2)'],
    number: ['a', 'a + 1', 'a.to_s', 'a.times.to_a', 'a.zero?']
  }.freeze
  CHANGES = {
    array: ['a << 9 if a.size < 7', 'a.pop', 'a.shift', 'a.delete(x)', 'a.clear', 'a[0] = 7', 'a.reverse!', 'a.push(x) if a.size < 7',
            'a.concat([1]) if a.size < 7', 'a.insert(1, 5) if a.size < 7', 'a.delete_at(0)', 'a.replace([1, 2])', 'a.unshift(0) if a.size < 7',
            'a.map!(&:to_s)', 'a.delete_if { |q| q == 2 }', 'a.reject! { |q| q == x }', 'a.uniq!', 'a.compact!', 'a[5] = 1', 'a.slice!(0)',
            'x << "!" if x.is_a?(String) && x.size < 5', 'a.rotate!', 'a.fill(0)', 'a.freeze', 'a.sort_by!(&:to_s)', 'a.keep_if { |q| q }'],
    hash: ['a["b"] = 9', 'a["new"] = 1', 'a.delete("b")', 'a.delete("c")', 'a.clear', 'a.store("a", 0)', 'a.replace({ "q" => 1 })', 'a.shift',
           'a.merge!({ "a" => 4 })', 'a.merge!({ "m" => 4 })', 'a.compact!', 'a.delete_if { |_, v| v == 2 }', 'a.transform_values!(&:to_s)',
           'a.update({ "b" => 3 })', 'a.freeze', 'a.default = 3', 'a.reject! { |q, _| q == "a" }', 'a.keep_if { |q, _| q }', 'a.select! { |_, v| v }'],
    text: ['a << "z" if a.size < 9', 'a.clear', 'a.replace("q")', 'a.upcase!', 'a.sub!("c", "")', 'a[0] = "w"', 'a.insert(0, "v") if a.size < 9',
           'a.freeze', 'a =~ /(c)/', '"xyz" =~ /(y)/', 'a.slice!(0)', 'a.reverse!', 'x << "!" if x.is_a?(String)', 'x.upcase! if x.is_a?(String)'],
    range: ['n += 1'], number: ['n += 1']
  }.freeze
  VALUES = ['x', 'y', '[x, y]', 'n', 'nil', 'true', 'false', ':v', '"v"', 'x.to_s', 'x == 2', 'n.odd?', 'n > 1', '[x.to_s, n]', 'x.nil?', 'y.to_s',
            'x.to_s <=> y.to_s', '[x, 1]', '{ x => n }', '-n', 'n', 'x.to_s > "b"', 'y.nil?'].freeze
  TESTS = ['n > 1', 'n == 1', 'n == 2', 'n == 3', 'n.even?', 'x == 2', 'x == "b"', 'y == 2', 'y.nil?', 'x.to_s > "b"', 'seen.size > 1', 'true',
           'n > 2 && y', 'seen.include?(x)', 'x.is_a?(String)'].freeze

  def initialize(random)
    @random = random
  end

  def pick(list) = list[@random.rand(list.size)]
  def one_of(most) = @random.rand(most).zero?

  def receiver(kind)
    case kind
    when :array
      pick(['[1, 2, 3, 4]', '["a", "b", "c"]', '[3, 1, 2, 2]', '[1, nil, 2]', '[[1, 2], [3, 4], [5]]', '["b", 2, :c, nil]', '[]', '[1]',
            '[[1, [2, 3]], [4, [5, 6]]]', '%w[b a d c]', '[1.5, 2, "x"]', '[2, 2, 3]', '[{ "b" => 1 }, { "b" => 2 }]'])
    when :hash
      pick(['{ "a" => 1, "b" => 2, "c" => 3 }', '{ "a" => nil, "b" => 2 }', '{ a: 1, b: 2 }', '{ "c" => [1, 2], "a" => [3], "b" => [] }', '{}',
            '{ "a" => 1 }', '{ 1 => "x", 2 => "b", 3 => "c", 4 => nil }', '(1..10).to_h { |q| [q.to_s, q] }'])
    when :text then pick(['+"abc"', '+"bbb"', '+"a1b2c3"', '+"L1\nbL2\nc"', '+"äbc"', '+""', '"abcabc".dup'])
    when :range then pick(['(1..4)', '("a".."d")', '(0...3)', '(3..1)', '(2..2)'])
    else pick(%w[3 4 0 1])
    end
  end

  def value(kind)
    return pick(LOOKS[kind]) if one_of(3)

    pick(VALUES)
  end

  def test(kind)
    one_of(5) ? pick(LOOKS[kind]) : pick(TESTS)
  end

  # What leaves a block, a loop or a method.
  def exit_of(kind, inside)
    ways = ['break', "break #{value(kind)}", 'next', "next #{value(kind)}", 'raise "out"', 'raise ArgumentError', 'raise ArgumentError, "bad"',
            'throw :out', "throw :out, #{value(kind)}", 'Integer("z")', 'nil.upcase', '[].fetch(3)', 'raise StopIteration', 'raise KeyError, "k"']
    ways += ["return #{value(kind)}", 'return'] * 2 if inside
    pick(ways)
  end

  def statement(kind, inside, depth)
    case @random.rand(depth.positive? ? 12 : 8)
    when 0, 1 then "seen.push(#{value(kind)})"
    when 2, 3, 4 then "#{exit_of(kind, inside)} #{pick(%w[if if if unless])} #{test(kind)}"
    when 5, 6 then one_of(3) ? "(#{pick(CHANGES[kind])}) if #{test(kind)}" : pick(CHANGES[kind])
    when 7 then "x = #{value(kind)}"
    when 8 then "begin; #{body(kind, inside, depth - 1)}; #{pick(['rescue', 'rescue => e', 'rescue ArgumentError', 'rescue KeyError, TypeError'])}; seen << #{pick(%w[:r $! n])}.to_s; #{"else; seen << :o; " if one_of(4)}#{"ensure; seen << :e; " if one_of(3)}end"
    when 9 then "begin; #{body(kind, inside, depth - 1)}; ensure; seen.push(#{value(kind)}); end"
    when 10 then "[7, 8].#{pick(%w[each map select find reject each_with_index])} { |q| #{body(kind, inside, depth - 1)} }"
    else "if #{test(kind)}; #{body(kind, inside, depth - 1)}; else; #{statement(kind, inside, 0)}; end"
    end
  end

  def body(kind, inside, depth = 1)
    parts = Array.new(1 + @random.rand(2)) { statement(kind, inside, depth) }
    (parts + [value(kind)]).join('; ')
  end

  def block(kind, inside)
    parameters = pick(['|x, y|', '|x, y|', '|x, y|', '|x, (y, z)|', '|x, *y|', '|*x, y|', '|(x, z), y|']) unless one_of(3)
    parameters ||= '|x; y|'
    "{ #{parameters} n += 1; #{body(kind, inside)} }"
  end

  def call(kind, inside)
    case @random.rand(14)
    when 0 then "begin; f = lambda #{block(kind, inside)}; a.#{pick(KINDS[kind])}(&f); end".sub(/\)\(&f\)/, ', &f)')
    when 1 then "begin; f = proc #{block(kind, inside)}; a.#{pick(KINDS[kind])}(&f); end".sub(/\)\(&f\)/, ', &f)')
    when 2 then "while n < 4; n += 1; x, y = n, a; #{body(kind, inside)}; end"
    when 3 then "begin; i = 0; begin; i += 1; n += 1; x, y = i, nil; #{body(kind, inside)}; end until i > 3; end"
    when 4 then "for x, y in a.to_a; n += 1; #{body(kind, inside)}; end" unless kind == :number
    when 5 then "loop { n += 1; break :end if n > 4; x, y = n, nil; #{body(kind, inside)} }"
    when 6 then "a.#{pick(KINDS[kind])} #{block(kind, inside)}.then { |w| [w] }"
    end || "a.#{pick(KINDS[kind])} #{block(kind, inside)}"
  end

  def around(code)
    case @random.rand(6)
    when 0, 1 then "begin; #{code}; rescue => e; [e.class.to_s, e.message]; end"
    when 2 then "catch(:out) { #{code} }"
    when 3 then "catch(:out) { begin; #{code}; rescue => e; e.message; ensure; seen << :last; end }"
    when 4 then "(begin; #{code}; end rescue :rescued)"
    else code
    end
  end

  def next
    kind = pick(KINDS.keys + %i[array hash array hash])
    start = "a = #{receiver(kind)}; seen = []; n = 0; "
    after = { array: ' a << 1 rescue seen << $!.to_s;', hash: ' a["last"] = 1 rescue seen << $!.to_s;' }[kind] if one_of(2)
    case @random.rand(4)
    when 0
      "def m(a, seen); n = 0; #{around(call(kind, true))}; end; #{start}r = #{around('m(a, seen)')};#{after} [a, r, seen, $!]"
    when 1
      "def w(l, seen); l.#{pick(kind == :number ? %w[times] : kind == :text ? %w[each_char] : %w[each map select each_with_index])} { |q| seen << :w; yield q, 1 }; :end; " \
        "#{'ensure; seen << :left; ' if one_of(3)}end; #{start}r = #{around("w(a, seen) #{block(kind, false)}")};#{after} [a, r, seen, n, $!]"
    else
      "#{start}r = #{around(call(kind, false))};#{after} [a, r, seen, n, $!]"
    end
  end
end
