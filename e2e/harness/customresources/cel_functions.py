"""Expressions with every function of the environment of CEL and edge arguments, which record.py evaluates."""


def each(template, *arguments):
    return [template.replace("$", argument) for argument in arguments]


TEXT = "'caf\u00e9 \U0001f600x'"  # characters of two and of four bytes
LONG = "9223372036854775807"
LEAST = "-9223372036854775808"

TEXTS = (
    each("'abcb'.indexOf($)", "'b'", "''", "'z'", "'b', 2", "'b', 3", "'b', 4", "'', 4", "'', 2", "'b', 5", "'b', -1", "'abcbx'", "'', 5", "'z', 4")
    + each("''.indexOf($)", "'a'", "''", "'a', 0", "'', 0", "'', 1", "'a', 1", "'a', -1")
    + each("'abcb'.lastIndexOf($)", "'b'", "''", "'z'", "'b', 2", "'b', 3", "'b', 4", "'', 4", "'', 2", "'b', 5", "'b', -1", "'b', 0", "'', 5", "'a', 0")
    + each("''.lastIndexOf($)", "'a'", "''", "'a', 0", "'', 0", "'', 1", "'a', -1")
    + each(TEXT + ".indexOf($)", "'x'", "'\U0001f600'", "' '", "'x', 6", "'x', 7", "'x', 8")
    + each(TEXT + ".lastIndexOf($)", "'x'", "'\U0001f600'", "'\u00e9', 3", "'\u00e9', 2")
    + each(TEXT + ".charAt($)", "3", "5", "6", "7", "8", "-1")
    + each(TEXT + ".substring($)", "0", "3", "5", "7", "8", "-1", "1, 4", "5, 6", "4, 4", "7, 7", "4, 3", "0, 8", "-1, 2", "2, -1")
    + each("$.size()", TEXT, "''", "[]", "{}", "b''", "b'\u00e9'", "[1, 2]", "{'a': 1}")
    + each("size($)", TEXT, "b'\\xff'", "1", "dyn(1)", "null")
    + each("'a,b,,c'.split($)", "','", "''", "'x'", "',', 0", "',', 1", "',', 2", "',', -1", "',', 10", "'', 2", "'', 0")
    + each("''.split($)", "','", "''", "'', 1", "',', 0", "',', 2") + [TEXT + ".split('')", "'aaa'.split('aa')"]
    + each("['a', 'b', 'c'].join($)", "", "','", "''") + ["[].join(',')", "['x'].join(',')", "[1].join()", "[dyn(1)].join()", "[dyn('a'), dyn(1)].join(',')"]
    + each("'aXbXc'.replace($)", "'X', ''", "'X', 'YY', 1", "'X', 'Y', 0", "'X', 'Y', -1", "'X', 'Y', -5", "'', '-'", "'', '-', 2", "'Z', 'Y'")
    + [TEXT + ".replace('', '-')", "''.replace('', 'x')", "''.replace('a', 'x')"]
    + each("$.lowerAscii()", "'AbC\u00c4'", "''", "'\u212a'") + each("$.upperAscii()", "'aBc\u00e4'", "''", "'\u00df'")
    + each("$.trim()", "' \\t\\na b\\r '", "''", "'\\u00a0a\\u2003'", "'\\u200ba'", "'\\ufeffa'", "'\\u0085a\\u3000'", "'\\v\\fa'")
    + each("strings.quote($)", "'a'", "'\\\"\\\\'", "'\\n\\t\\r\\a\\b\\f\\v'", "'\\x00\\x7f'", TEXT, "'\\u200b\\ufffd'", "''", "\"'\"")
    + each("'abc'.startsWith($)", "'a'", "''", "'abcd'") + each("'abc'.endsWith($)", "'c'", "''", "'abcd'") + each("'abc'.contains($)", "'b'", "''", "'z'")
    + each("'abc'.matches($)", "'^b'", "'b'", "''", "'(?i)B'", "'a{2000}'", "'\\\\pL+'", "'('", "'(?P<n>a)'", "'(?<n>a)'", "'a**'", "'[[:alpha:]]'", "'\\\\d'", "'a(?=b)'")
    + ["'abc'.matches(dyn('('))", "matches('abc', 'b')", "'a\\nb'.matches('a.b')", "'\u00e9'.matches('^.$')", "'abc'.reverse()", "'abc' + 1", "'abc'[0]"]
    + each("'abc' $ 'abd'", "<", "<=", ">", ">=", "==", "!=") + ["'a' < 'B'", "'\U0001f600' > '\uffee'", "b'a' < b'b'", "b'\\xff' > b'a'", "true < false", "false < true"]
    + ["'a' + 'b'", "b'a' + b'b'", "[1] + [2]", "[1] + ['a']", "'abc'.find('[bc]+')", "'abc'.find('z')", "'abc'.find('')", "'abc'.find('(')", "'abc'.find(dyn('('))"]
    + each("'123 abc 456'.findAll($)", "'[0-9]+'", "'[0-9]*'", "'[0-9]+', 1", "'[0-9]+', 0", "'[0-9]+', -1", "'z'", "''", "'(', 1", "'(a)(b)'"))

FORMATS = (
    each("'%s'.format([$])", "'a'", "1", "-1", "1u", "1.0", "1.5", "0.1", "1e6", "1e20", "1e21", "1e-6", "1e-7", "123456789.0", "1.0 / 3.0", "double('inf')", "double('-inf')",
         "double('nan')", "-0.0", "true", "null", "b'abc'", "b'\\xff'", "[]", "[1, 2]", "['a', 'b']", "[1.5, 1e20]", "[b'a']", "[null]", "{}", "{'b': 1, 'a': 2}", "{1: 'x'}", "{true: 1.5}",
         "[[1], [2]]", "{'a': [1, {'b': 2}]}", "type(1)", "type('')", "type([])", "type({})", "type(type(1))", "type(null)", "int", "duration('1h')", "duration('1.5s')", "duration('-1ms')",
         "duration('0s')", "duration('1ns')", "timestamp('2024-01-01T00:00:00Z')", "timestamp('2024-01-01T00:00:00.5Z')", "[duration('90s')]", "[timestamp('2024-01-01T00:00:00Z')]",
         "timestamp('2024-01-01T00:00:00.123456789+02:00')", "optional.of(1)", "optional.none()", "ip('127.0.0.1')", "quantity('1')", "[type(1)]", "[true, false]", "[1u]", "{'a\"': 'b\\n'}", "", "1, 2")
    + each("'%d'.format([$])", "1", "-1", "1u", LONG, LEAST, "1.5", "'a'", "true", "null", "double('inf')", "double('nan')", "double('-inf')", "dyn(1)", "18446744073709551615u", "[1]")
    + each("'%f'.format([$])", "1.0", "1.5", "-1.5", "1", "1u", "'a'", "1e20", "0.5", "double('nan')", "double('inf')", "double('-inf')", "1234567.891", "0.0000005", "1e300", "-0.0", "null",
           "'NaN'", "'Infinity'", "'-Infinity'", "dyn(1)")
    + each("'%.0f'.format([$])", "0.5", "1.5", "2.5", "-0.5", "1e15") + each("'%.1f'.format([$])", "0.25", "0.35", "0.05", "0.15", str(5 / 4), "9.95") + each("'%.2f'.format([$])", "2.675", "1.005", "1.115", "0.125")
    + each("'%.3f'.format([$])", "1.0005", "1234.5675", "2.0") + each("'%.20f'.format([$])", "0.1") + each("'%.100f'.format([$])", "0.1") + each("'%.17e'.format([$])", "0.1")
    + each("'%e'.format([$])", "1.0", "0.0", "-1.5", "1234.5678", "1e-10", "1e300", "1", "'a'", "double('nan')", "double('inf')", "double('-inf')", "1u", "9.9999999")
    + each("'%.0e'.format([$])", "1.5", "2.5", "0.0") + each("'%.3e'.format([$])", "1052.032911275", "1.0005", "2.0")
    + each("'%b'.format([$])", "5", "-5", "5u", "true", "false", "0", "1.5", "'a'", LEAST, "18446744073709551615u", "null")
    + each("'%o'.format([$])", "8", "-8", "8u", "1.5", "'a'", "true", "18446744073709551615u")
    + each("'%x'.format([$])", "255", "-255", "255u", "'hi'", "b'\\xff\\x00'", "1.5", "true", "''", "18446744073709551615u", "'\u00e9'", "null") + each("'%X'.format([$])", "255", "-255", "'hi?'", "b'\\xab'", "1.5")
    + each("'$'.format([1])", "%", "%%", "%d%%", "%q", "%.d", "%.3d", "%d %d", "%", "%.", "%.3", "%5d", "%-d", "x", "", "%D", "%.2s", "% d", "%s%", "%.d%d")
    + ["'%s %d'.format(['a', 1])", "'%s'.format([])", "'%s'.format([1, 2])", "'%d'.format(dyn([1]))", "'%s'.format('a')", "'\u00e9 %s \U0001f600'.format(['\u00e9'])",
       "'%s'.format([[1.0, 2.5]])", "'%s'.format([{'a': 1.0}])", "'%s'.format([[double('nan')]])", "'%s'.format([[double('inf')]])", "'%.1f'.format([dyn('a')])", "('%' + 'q').format([1])", "('%' + 'd').format(['a'])",
       "('%' + 's').format([])", "('%' + '.2000f').format([1.0])", "('%' + 'd').format([1.5])", "('%' + 'b').format([1.5])", "('%' + 'o').format(['a'])", "('%' + 'x').format([1.5])", "('%' + 'f').format(['a'])", "('%' + 'e').format(['a'])",
       "('%' + 'f').format([1])", "('%' + 'e').format([1u])", "('%' + 's').format([optional.of(1)])", "('%' + 's').format([ip('1.1.1.1')])", "('%').format([1])", "('a' + '%').format([])"])

CONVERSIONS = (
    each("int($)", "1", "1u", "1.5", "-1.5", "1e18", "9.3e18", "-9.3e18", "double('nan')", "double('inf')", "'1'", "'-1'", "'+1'", "' 1'", "'1.5'", "'0x10'", "'0b1'", "'0o7'", "'010'", "'1_000'",
         "''", "'a'", "'9223372036854775808'", "'9223372036854775807'", "18446744073709551615u", "true", "null", "b'1'", "timestamp('2024-01-01T00:00:01.9Z')", "duration('1.5s')", "duration('-1.5s')", "duration('1h')", "dyn(1)", "dyn('0x10')", "dyn('1')",
         "dyn('a')", "dyn(true)", "dyn(duration('1s'))", "dyn(1.5)", "9223372036854775807.0", "quantity('1')", "'1' + '0'", "'0' + 'x10'", "timestamp('1969-12-31T23:59:59.5Z')")
    + each("uint($)", "1", "-1", "1u", "1.5", "-1.5", "1e19", "2e19", "'1'", "'-1'", "'+1'", "'0x10'", "'18446744073709551615'", "'18446744073709551616'", "true", "double('nan')", "''", "dyn('x')", "'1' + 'x'", "duration('1s')")
    + each("double($)", "1", "1u", "1.5", "'1'", "'1.5'", "'1e400'", "'-1e400'", "'inf'", "'-inf'", "'+inf'", "'Inf'", "'infinity'", "'Infinity'", "'-Infinity'", "'INF'", "'nan'", "'NaN'", "'-nan'", "'0x1p-2'", "'0x10'", "'1_0'", "' 1'", "'1.'", "'.5'", "'.'", "'1f'", "'1d'", "''", "'a'",
           "true", LONG, "9007199254740993", "'1e-400'", "dyn('a')", "dyn('inf')", "duration('1s')", "'i' + 'nf'", "'1' + 'd'")
    + each("string($)", "1", "-1", "1u", "1.0", "1.5", "0.1", "1e6", "1e20", "1e21", "1e22", "1e300", "123456789.0", "123456789012345680000.0", "1e-4", "1e-5", "1e-6", "1e-7", "1.0 / 3.0", "-0.0", "double('inf')", "double('-inf')", "double('nan')", "100000000000000000000000.0", "'a'", "true", "false", "b'abc'", "b'\\xff'", "b'\u00e9'", "null", "[1]",
           "duration('1h')", "duration('90s')", "duration('1.5s')", "duration('-1.5s')", "duration('0s')", "duration('1ms')", "duration('1us')", "duration('1ns')", "duration('100h1m1.001s')", "duration('1m30.000000001s')",
           "timestamp('2024-01-01T00:00:00Z')", "timestamp('2024-01-01T00:00:00.5Z')", "timestamp('2024-01-01T00:00:00.120Z')", "timestamp('2024-01-01T00:00:00.123456789Z')", "timestamp('2024-01-01T02:00:00+02:00')", "timestamp('0001-01-01T00:00:00Z')", "timestamp('9999-12-31T23:59:59.999999999Z')", "type(1)", "dyn(1)",
           "ip('::1')", "cidr('10.0.0.0/8')", "quantity('1k')", "url('https://a')", "semver('1.2.3')", "optional.of(1)", "9007199254740993", LEAST, "18446744073709551615u")
    + each("bool($)", "true", "'true'", "'TRUE'", "'True'", "'tRue'", "'t'", "'T'", "'1'", "'false'", "'False'", "'FALSE'", "'f'", "'F'", "'0'", "'yes'", "''", "1", "dyn('x')", "'tr' + 'ue'")
    + each("bytes($)", "'a'", "b'a'", "'\u00e9'", "''", "1", "dyn('a')") + each("dyn($)", "1", "'a'", "[]")
    + each("type($)", "1", "1u", "1.0", "'a'", "b'a'", "true", "null", "[]", "{}", "type(1)", "duration('1s')", "timestamp('2024-01-01T00:00:00Z')", "optional.of(1)", "ip('::1')", "quantity('1')", "dyn(1)", "object")
    + ["type(duration('1s')) == google.protobuf.Duration", "type(timestamp('2024-01-01T00:00:00Z')) == google.protobuf.Timestamp", "type(duration('1s')) == duration", "type(1) == int", "type(1u) == uint", "type([]) == list", "type({}) == map",
       "type(null) == null_type", "type(type(1)) == type", "type(b'') == bytes", "type(1.0) == double", "type(true) == bool", "type('') == string", "type(optional.none()) == optional_type", "google.protobuf.Duration{seconds: 90}",
       "google.protobuf.Duration{seconds: 1, nanos: 500000000} == duration('1.5s')", "google.protobuf.Timestamp{seconds: 5}", "google.protobuf.Timestamp{}", "google.protobuf.Duration{}", "google.protobuf.Int64Value{value: 5}", "google.protobuf.StringValue{value: 'a'}",
       "google.protobuf.BoolValue{value: true}", "google.protobuf.DoubleValue{value: 1.5}", "google.protobuf.UInt64Value{value: 5u}", "google.protobuf.BytesValue{value: b'a'}", "google.protobuf.Int32Value{value: 5}", "google.protobuf.UInt32Value{value: 5u}", "google.protobuf.FloatValue{value: 1.5}",
       "google.protobuf.Struct{fields: {'a': google.protobuf.Value{number_value: 1.0}}}", "google.protobuf.Value{string_value: 'a'}", "google.protobuf.Value{number_value: 1.0}", "google.protobuf.Value{bool_value: true}", "google.protobuf.Value{null_value: google.protobuf.NullValue.NULL_VALUE}", "google.protobuf.Value{}",
       "google.protobuf.ListValue{values: [google.protobuf.Value{string_value: 'a'}]}", "google.protobuf.ListValue{}", "google.protobuf.Struct{}", "google.protobuf.NullValue.NULL_VALUE", "google.protobuf.Int64Value", "google.protobuf.Duration{foo: 1}", "google.protobuf.Duration{seconds: 'a'}"]
    + each("duration($)", "'1h'", "'1.5h'", "'1h30m'", "'-1h'", "'+1h'", "'0'", "'0s'", "'1'", "''", "'1d'", "'1us'", "'1\u00b5s'", "'1\u03bcs'", "'1ns'", "'.5s'", "'1.s'", "'.s'", "'-.5s'", "'1h-1m'", "' 1h'", "'1e3s'", "'9223372036854775807ns'", "'9223372036854775808ns'",
           "'2562047h47m16.854775807s'", "'2562048h'", "dyn('x')", "dyn('1h')", "'1' + 'h'", "'1' + 'x'", "1", "dyn(1)", "duration('1s')")
    + each("timestamp($)", "'2024-01-01T00:00:00Z'", "'2024-01-01t00:00:00z'", "'2024-01-01T00:00:00'", "'2024-01-01'", "'2024-01-01T00:00:00+01:00'", "'2024-01-01T24:00:00Z'", "'2024-01-01T00:00:60Z'", "'2023-02-29T00:00:00Z'", "'0000-01-01T00:00:00Z'",
           "'0001-01-01T00:00:00Z'", "'9999-12-31T23:59:59Z'", "'10000-01-01T00:00:00Z'", "'2024-01-01T00:00:00.1234567891Z'", "'2024-01-01T00:00:00,5Z'", "'2024-01-01T00:00:00+24:00'", "'2024-1-1T00:00:00Z'", "''", "1", "0", "-1", "253402300799", "253402300800", "-62135596800", "-62135596801", "dyn('x')", "dyn(1)", "'2024-01-01T00:00:00' + 'Z'", "1.5",
           "'9999-12-31T23:59:59-01:00'", "timestamp('2024-01-01T00:00:00Z')"))

TIMES = (
    each("timestamp('2024-02-29T23:58:59.123456789Z').$", "getFullYear()", "getMonth()", "getDate()", "getDayOfMonth()", "getDayOfWeek()", "getDayOfYear()", "getHours()", "getMinutes()", "getSeconds()", "getMilliseconds()",
         "getHours('+02:00')", "getHours('-02:30')", "getMinutes('-02:30')", "getHours('02:00')", "getHours('America/New_York')", "getHours('UTC')", "getHours('')", "getHours('Local')", "getHours('X/Y')", "getHours('+25:00')", "getHours('+02:99')", "getHours('+2')", "getHours('+02')", "getDate('+02:00')", "getDayOfYear('Asia/Tokyo')",
         "getHours('EST')", "getHours('GMT')", "getHours('Europe/Berlin')", "getFullYear('-24:00')", "getHours('utc')", "getHours('Z')", "getHours('GMT+1')", "getHours('Etc/GMT+1')", "getMonth('+00:02')")
    + each("duration('-3661.5s').$", "getHours()", "getMinutes()", "getSeconds()", "getMilliseconds()") + each("duration('90061.123456s').$", "getHours()", "getMinutes()", "getSeconds()", "getMilliseconds()")
    + ["timestamp('2024-01-01T00:00:00Z') + duration('1h')", "duration('1h') + timestamp('2024-01-01T00:00:00Z')", "timestamp('2024-01-02T00:00:00Z') - timestamp('2024-01-01T00:00:00Z')", "timestamp('2024-01-01T00:00:00Z') - duration('1h')", "duration('1h') + duration('30m')", "duration('1h') - duration('2h')", "-duration('1h')",
       "timestamp('9999-12-31T23:59:59Z') + duration('1s')", "timestamp('0001-01-01T00:00:00Z') - duration('1s')", "timestamp('9999-12-31T23:59:59Z') - timestamp('0001-01-01T00:00:00Z')", "duration('2562047h') + duration('2562047h')", "duration('-2562047h') - duration('2562047h')",
       "timestamp('2024-01-01T00:00:00Z') == timestamp('2024-01-01T01:00:00+01:00')", "duration('60s') == duration('1m')", "duration('1s') < duration('2s')", "timestamp('2024-01-01T00:00:00Z') < timestamp('2024-01-01T00:00:01Z')", "duration('1h') * 2", "timestamp('1969-12-31T23:59:59.5Z').getMilliseconds()"])

NUMBERS = (
    each("$", "1 + 1", LONG + " + 1", LEAST + " - 1", LONG + " * 2", "-(" + LEAST + ")", "1 / 0", "1 % 0", "-7 / 2", "-7 % 2", "7 % -2", LEAST + " / -1", LEAST + " % -1", "1u - 2u", "18446744073709551615u + 1u", "18446744073709551615u * 2u", "1u / 0u", "1u % 0u", "1.0 / 0.0", "-1.0 / 0.0", "0.0 / 0.0",
         "1.5 % 1.0", "1 + 1.0", "1 + 1u", "dyn(1) + dyn(1.0)", "dyn(1) + dyn('a')", "1 == 1.0", "1 == 1u", "1u == 1.0", "1 < 1.5", "1u < -1", "2.0 > 1u", "dyn(1) == dyn('1')", "dyn(1) < dyn('1')", "0.1 + 0.2", "9007199254740993 == 9007199254740992.0", LONG + " < 9223372036854775808.0", "double('nan') == double('nan')", "double('nan') != double('nan')",
         "double('nan') < 1.0", "1 < double('nan')", "double('nan') in [double('nan')]", "-0.0 == 0.0", "0x10", "-0x10", "0xFFu", "1e3", ".5", "1.", "9223372036854775808", "-9223372036854775809", "18446744073709551616u", "- 1", "--1", "!true", "!!true", "-1u", "-true", "!1")
    + each("math.$", "greatest(1, 2)", "ceil(1.5)", "abs(-1)") + ["base64.encode(b'a')", "cel.bind(x, 1, x)", "optional.unwrap([])", "strings.foo('a')"]
    + each("$", "true || 1 / 0 == 1", "1 / 0 == 1 || true", "false && 1 / 0 == 1", "1 / 0 == 1 && false", "1 / 0 == 1 || false", "dyn(1) || true", "dyn(1) && true", "dyn('a') || false", "true ? 1 : 1 / 0", "dyn(1) ? 1 : 2", "true ? 1 : 'a'", "true ? dyn(1) : 'a'", "1 == 1 == true", "null == null", "null == 1", "dyn(null) == 1"))

LISTS = (
    each("[3, 1, 2].$", "sort()", "reverse()", "distinct()", "isSorted()", "sum()", "min()", "max()", "indexOf(1)", "indexOf(9)", "lastIndexOf(2)", "slice(0, 2)", "slice(1, 1)", "slice(2, 1)", "slice(-1, 1)", "slice(0, 4)", "slice(3, 3)", "sortBy(x, -x)", "sortBy(x, x)", "sortBy(x, string(x))", "flatten()", "first()", "last()",
         "indexOf('a')", "sortBy(x, [x])", "sortBy(x, x == 1)", "sortBy(x, null)", "sortBy(x.y, x)", "sortBy(x)", "sortBy(x, double(x))", "sortBy(x, {})", "sortBy(x, duration('1s'))", "sortBy(x, b'a')", "sortBy(x, 5u)", "sortBy(x, dyn(x))", "sortBy(x, x)[0]", "sortBy(x, x).map(y, y + 1)")
    + each("[].$", "sort()", "reverse()", "distinct()", "isSorted()", "sum()", "min()", "max()", "indexOf(1)", "slice(0, 0)", "sortBy(x, x)", "flatten()", "flatten(2)", "sum() == 0", "lastIndexOf('a')")
    + each("['b', 'a', 'b'].$", "sort()", "distinct()", "isSorted()", "sum()", "min()", "max()", "sortBy(x, x)", "sortBy(x, -x.size())", "lastIndexOf('b')", "indexOf('b')")
    + each("[1.5, -0.5].$", "sum()", "sort()", "min()", "isSorted()") + each("[duration('1s'), duration('2m')].$", "sum()", "max()", "sort()", "isSorted()") + each("[1u, 2u].$", "sum()", "max()", "sort()")
    + each("[true, false].$", "isSorted()", "min()", "sort()", "sum()") + each("[b'b', b'a'].$", "isSorted()", "max()", "sort()") + each("[timestamp('2024-01-01T00:00:00Z')].$", "max()", "sum()", "isSorted()")
    + ["[dyn(1), dyn('a')].sort()", "[dyn(1), dyn(2.5)].sort()", "[dyn(1), dyn('a')].isSorted()", "[dyn(1), dyn('a')].max()", "[dyn(1), dyn(2u)].sum()", "[[1], [2]].sort()", "[null].sort()", "[{}].sort()", "[" + LONG + ", 1].sum()", "[[1, 2], [3]].flatten()", "[[1, [2]], [[3]]].flatten()", "[dyn([1, [2, [3]]])].flatten(2)", "[[1]].flatten(0)", "[[1]].flatten(-1)",
       "[dyn(1), dyn([2, [3]])].flatten()", "[[[1]]].flatten(2)", "[1, 1.0, 1u].distinct()", "[dyn(1), dyn(1.0), dyn(1u)].distinct()", "[[1], [1]].distinct()", "[{'a': 1}, {'a': 1.0}].distinct()", "lists.range(3)", "lists.range(0)", "lists.range(-1)", "lists.range('a')", "[1, 2].map(x, x * 2)", "[1, 2].map(x, x > 1, x * 2)", "[1, 2].filter(x, x > 1)", "[1, 2].all(x, x > 0)",
       "[1, 2].exists(x, x > 1)", "[1, 1].exists_one(x, x == 1)", "[1, 2].existsOne(x, x == 1)", "[0, 1].all(x, 1 / x > 0)", "[0, 1].exists(x, 1 / x > 0)", "[0, 1].exists_one(x, 1 / x > 0)", "[1][0]", "[1][1]", "[1][-1]", "[1][0u]", "[1][0.0]", "[1][0.5]", "[1]['a']", "[1][dyn('a')]", "[1][dyn(0.0)]", "1 in [1, 2]", "1.0 in [1, 2]", "1u in [1]", "'a' in [1]", "dyn('a') in [1]", "1 in {1: 2}", "1.0 in {1: 2}", "'a' in {'a': 1}", "1 in 1",
       "[1, 2] == [1.0, 2.0]", "[1] == [1, 2]", "[dyn(1)] == [dyn('a')]", "{'a': 1} == {'a': 1.0}", "{1: 'a'}[1]", "{1: 'a'}[1.0]", "{1: 'a'}[1u]", "{1: 'a'}[2]", "{'a': 1}['b']", "{'a': 1}.a", "{'a': 1}.b", "{'a': 1}.?b", "{'a': 1}[?'a']", "{'a': 1, 'a': 2}", "{1: 'a', 1u: 'b'}", "{1.5: 'a'}", "{null: 1}", "{[1]: 2}", "has({'a': 1}.a)", "has({'a': 1}.b)", "{'a': 1}.map(k, k)", "{'a': 1}.filter(k, true)", "{'a': 1}.all(k, k == 'a')", "[1, 'a']", "[1, null]", "[1, 1.0]", "{'a': 1, 'b': 'c'}",
       "[1, 2].transformList(i, v, i + v)", "[1, 2].transformList(i, v, v > 1, i + v)", "[1, 2].transformMap(i, v, v * 2)", "{'a': 1}.transformMap(k, v, k + 'x')", "{'a': 1}.transformMapEntry(k, v, {v: k})", "{'a': 1, 'b': 1}.transformMapEntry(k, v, {v: k})", "{'a': 1}.transformMapEntry(k, v, {})", "{'a': 1}.transformMapEntry(k, v, v)", "[1, 2].all(i, v, i < v)", "[1, 2].exists(i, v, i == v)", "[1, 2].existsOne(i, v, v == 1)", "[1, 2].exists_one(i, v, v == 1)", "{'b': 1, 'a': 2}.transformList(k, v, k)", "{'a': 1}.all(k, v, v == 1)",
       "{'a': 1}.existsOne(k, v, v == 1)", "[0, 1].all(i, v, 1 / v > 0)", "[1].transformList(i, i, i)", "[1].map(x, y, x, y)", "1.map(x, x)", "dyn(1).map(x, x)", "dyn([1]).map(x, x)", "dyn({'a': 1}).map(x, x)", "[1, 2].map(__result__, 1)", "[1].all(x.y, true)"]
    + each("sets.contains($)", "[1, 2], [1]", "[1], []", "[], [1]", "[1], [1.0]", "[1], [1, 1]", "['a'], [1]", "[dyn('a')], [dyn(1)]", "[[1]], [[1]]") + each("sets.intersects($)", "[1, 2], [2, 3]", "[], []", "[1], []", "[1], [1u]") + each("sets.equivalent($)", "[1, 1], [1]", "[], []", "[1, 2], [2, 1]", "[1], [1.0]", "[1], [2]"))

OPTIONALS = (
    each("$", "optional.of(1)", "optional.none()", "optional.of(1).hasValue()", "optional.none().hasValue()", "optional.of(1).value()", "optional.none().value()", "optional.of(1).or(optional.of(2)).value()", "optional.none().or(optional.of(2)).value()", "optional.none().orValue(3)", "optional.of(1).orValue(3)", "optional.of(1).orValue('a')", "optional.ofNonZeroValue(0).hasValue()", "optional.ofNonZeroValue('').hasValue()",
         "optional.ofNonZeroValue([]).hasValue()", "optional.ofNonZeroValue({}).hasValue()", "optional.ofNonZeroValue(null).hasValue()", "optional.ofNonZeroValue(1).value()", "optional.ofNonZeroValue(duration('0s')).hasValue()", "optional.ofNonZeroValue(false).hasValue()", "optional.ofNonZeroValue(0.0).hasValue()", "optional.ofNonZeroValue(b'').hasValue()", "optional.ofNonZeroValue(timestamp(0)).hasValue()", "optional.ofNonZeroValue([0]).hasValue()",
         "optional.of(1).optMap(x, x + 1).value()", "optional.none().optMap(x, x + 1).hasValue()", "optional.of(1).optFlatMap(x, optional.of(x + 1)).value()", "optional.of(1).optFlatMap(x, optional.none()).hasValue()", "[optional.of(1)].unwrapOpt()", "[optional.of(1), optional.none()].unwrapOpt()", "optional.unwrap([optional.of(1), optional.none()])", "[].unwrapOpt()", "[1].unwrapOpt()", "optional.of(1) == optional.of(1)", "optional.of(1) == optional.of(2)", "optional.none() == optional.none()", "optional.of(1) == optional.of(1.0)",
         "optional.of(1) == 1", "optional.of(optional.of(1)).value().value()", "[1, 2][?0].value()", "[1, 2][?5].hasValue()", "[1, 2][?-1].hasValue()", "{'a': 1}[?'a'].value()", "{'a': 1}.?a.value()", "{'a': {'b': 1}}.?a.b.value()", "{'a': {'b': 1}}.?a.c.hasValue()", "{'a': {'b': 1}}.?a.?c.orValue(5)", "[?1]", "{?'a': 1}", "object.?data.?a.orValue('z')", "object.?data.?zz.orValue('z')",
         "object.?zz.yy.hasValue()", "object.data[?'a'].value()", "optional.of(1).foo()", "type(optional.of(1))", "optional.of(null).hasValue()", "has(object.?data.a)", "optional.of({'a': 1}).a.value()", "optional.of({'a': 1}).?b.hasValue()", "optional.of([1])[0].value()", "optional.of([1])[?3].hasValue()", "[1, 2].first().value()"))

NETWORKS = (
    each("ip($)", "'127.0.0.1'", "'::1'", "'::ffff:1.2.3.4'", "'1.2.3'", "'01.2.3.4'", "'1.2.3.4/8'", "''", "'fe80::1%eth0'", "'::'", "'1.2.3.256'", "'[::1]'", "' 1.2.3.4'", "'1:2:3:4:5:6:7:8'", "'2001:DB8::1'", "1", "dyn('x')", "'1::2::3'") + each("isIP($)", "'127.0.0.1'", "'::1'", "'::ffff:1.2.3.4'", "'x'", "'fe80::1%eth0'", "'01.2.3.4'", "''", "1")
    + each("ip.isCanonical($)", "'127.0.0.1'", "'::1'", "'2001:DB8::1'", "'2001:db8:0::1'", "'x'", "'::ffff:1.2.3.4'") + each("string($)", "ip('127.0.0.1')", "ip('2001:DB8::1')", "cidr('10.0.0.0/8')", "cidr('::/0')", "ip('1:0:0:2:0:0:0:3')", "cidr('10.1.2.3/8')", "cidr('10.1.2.3/8').masked()", "cidr('10.1.2.3/8').ip()", "cidr('2001:db8::1/32').masked()")
    + [f"ip({a}).{m}()" for m in ("family", "isUnspecified", "isLoopback", "isLinkLocalMulticast", "isLinkLocalUnicast", "isGlobalUnicast") for a in ("'127.0.0.1'", "'0.0.0.0'", "'::'", "'::1'", "'224.0.0.1'", "'ff02::1'", "'169.254.1.1'", "'fe80::1'", "'8.8.8.8'", "'255.255.255.255'", "'2001:db8::1'")]
    + each("cidr($)", "'10.0.0.0/8'", "'10.0.0.0'", "'10.0.0.0/33'", "'::/129'", "'10.1.2.3/8'", "'::ffff:1.2.3.4/96'", "'10.0.0.0/08'", "'x/8'", "''", "'10.0.0.0/-1'", "'fe80::1%a/64'", "dyn('x')") + each("isCIDR($)", "'10.0.0.0/8'", "'10.0.0.0'", "'::/0'", "'::ffff:1.2.3.4/96'", "'10.0.0.0/08'", "1")
    + each("cidr('10.0.0.0/8').$", "containsIP('10.1.1.1')", "containsIP('11.1.1.1')", "containsIP('x')", "containsIP(ip('10.1.1.1'))", "containsIP('::1')", "containsCIDR('10.1.0.0/16')", "containsCIDR('10.0.0.0/7')", "containsCIDR('x')", "containsCIDR(cidr('10.0.0.0/8'))", "containsCIDR('::/0')", "prefixLength()", "ip() == ip('10.0.0.0')", "masked() == cidr('10.0.0.0/8')", "family()", "ip().family()", "containsCIDR('10.1.2.3/8')")
    + ["ip('127.0.0.1') == ip('127.0.0.1')", "ip('::1') == ip('0:0::1')", "cidr('10.0.0.0/8') == cidr('10.1.0.0/8')", "ip('1.1.1.1') == '1.1.1.1'", "dyn(ip('1.1.1.1')) == dyn('1.1.1.1')", "ip('1.1.1.1') in [ip('1.1.1.1')]", "type(ip('1.1.1.1')) == net.IP", "type(cidr('::/0')) == net.CIDR"]
    + each("url($)", "'https://a.b:80/c?d=e#f'", "'/a'", "'a'", "''", "'https://'", "'http://a b'", "'https://[::1]:80/'", "'https://a:b/'", "'mailto:a@b'", "'://a'", "'https://user:p@h/'", "'HTTPS://A/'", "'https://a/%zz'", "dyn('x')") + each("isURL($)", "'https://a'", "'/a'", "'a'", "'../a'", "''", "'mailto:a'", "'http://a:99999'", "'https://[::1]'", "'https://a b'", "'http://a/%'", "'//a'")
    + [f"url({u}).{m}()" for m in ("getScheme", "getHost", "getHostname", "getPort", "getEscapedPath", "getQuery") for u in ("'https://a.b:80/c%2fd/\u00e9 x?d=e&d=f&g&h=%20#f'", "'/a/b?x=1;y=2'", "'https://[::1]:8080'", "'https://User:p@h:1/'", "'mailto:a@b'", "'HTTPS://A.B'")] + ["url('https://a') == url('https://a')", "url('https://a') == url('https://b')", "url('/a?b=%zz').getQuery()", "url('/a?=b&&c').getQuery()"])

QUANTITIES = (
    each("quantity($)", "'1'", "'1k'", "'1Ki'", "'1.5Gi'", "'-1m'", "'1e3'", "'1E'", "'1Ei'", "'x'", "''", "'1 k'", "'.5'", "'1.'", "'1n'", "'1u'", "'0.1n'", "'1K'", "'+1'", "'1e'", "'1.2.3'", "dyn('x')", "1") + each("isQuantity($)", "'1'", "'1Ki'", "'x'", "''", "'1e3'", "'0x1'", "'1e99'", "1")
    + each("quantity('1.5Gi').$", "asInteger()", "isInteger()", "asApproximateFloat()", "sign()") + each("quantity('1500m').$", "asInteger()", "isInteger()", "asApproximateFloat()", "sign()") + each("quantity('-2k').$", "asInteger()", "isInteger()", "asApproximateFloat()", "sign()") + each("quantity('1E').$", "asInteger()", "isInteger()") + each("quantity('10E').$", "asInteger()", "isInteger()", "asApproximateFloat()") + each("quantity('0').$", "sign()", "isInteger()", "asInteger()")
    + each("quantity('1k').$", "isGreaterThan(quantity('999'))", "isLessThan(quantity('1Ki'))", "compareTo(quantity('1000'))", "compareTo(quantity('2k'))", "compareTo(quantity('1'))", "add(quantity('1')).asInteger()", "add(5).asInteger()", "sub(quantity('1')).asInteger()", "sub(5).asInteger()", "add(1.5)", "add(quantity('1m')).asApproximateFloat()", "sub(" + LEAST + ").isInteger()", "isGreaterThan(1)") + ["quantity('1k') == quantity('1000')", "quantity('1k') == quantity('1')", "dyn(quantity('1k')) == dyn(1000)", "quantity('1k') < quantity('2k')", "[quantity('1')].sum()", "quantity('1k') in [quantity('1000')]", "type(quantity('1')) == kubernetes.Quantity"]
    + each("semver($)", "'1.2.3'", "'v1.2.3'", "'1.2'", "'1.2.3-a.1+b'", "'01.2.3'", "''", "'1.2.3.4'", "'x'", "'v1.2', true", "'1', true", "'01.02.03', true", "'1.2.3', false", "' 1.2.3', true", "'v1', true", "'1.2-a', true", "dyn('x')", "'1.2.3-01'", "'1.2.3+'") + each("isSemver($)", "'1.2.3'", "'v1.2.3'", "'1.2', true", "'v01.2', true", "'x', true", "''", "'1.2.3', false", "1")
    + each("semver('1.2.3-a.1+b').$", "major()", "minor()", "patch()", "isGreaterThan(semver('1.2.3'))", "isLessThan(semver('1.2.3'))", "compareTo(semver('1.2.3-a.2'))", "compareTo(semver('1.2.3-a.1'))", "compareTo(semver('1.2.3-1'))") + ["semver('1.2.3+a') == semver('1.2.3+b')", "semver('1.2.3') == semver('1.2.3')", "semver('1.10.0').compareTo(semver('1.9.0'))", "semver('v1.2', true) == semver('1.2.0')", "semver('99999999999999999999.0.0')", "semver('18446744073709551615.0.0').major()", "type(semver('1.2.3')) == kubernetes.Semver"])

NAMES = ("dns1123Label", "dns1123Subdomain", "dns1035Label", "qualifiedName", "dns1123LabelPrefix", "dns1123SubdomainPrefix", "dns1035LabelPrefix", "labelValue", "uri", "uuid", "byte", "date", "datetime")
VALUES = ("'a'", "''", "'A'", "'a.b'", "'a-'", "'1a'", "'a/b'", "'https://a'", "'2024-01-01'", "'2024-01-01T00:00:00Z'", "'YQ=='", "'0f3a1b2c-0000-4000-8000-000000000000'", "'" + 64 * "a" + "'")
NAMED = [f"format.{name}().validate({value})" for i, name in enumerate(NAMES) for j, value in enumerate(VALUES) if (i + j) % 3 == 0] + ["format.named('dns1123Label')", "format.named('x').hasValue()", "format.named('uuid').value().validate('x').value()", "format.dns1123Label() == format.dns1123Label()", "format.foo()", "format.named(1)", "type(format.uri()) == kubernetes.NamedFormat"]

FUNCTIONS = list(dict.fromkeys(TEXTS + FORMATS + CONVERSIONS + TIMES + NUMBERS + LISTS + OPTIONALS + NETWORKS + QUANTITIES + NAMED))
