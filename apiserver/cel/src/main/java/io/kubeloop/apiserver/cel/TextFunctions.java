/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import io.kubeloop.apiserver.cel.value.ParsedUrl;
import io.kubeloop.json.patch.JsonPatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The functions of strings: regular expressions, URLs, named formats and {@code format} (upstream: {@code
 * library/regex.go}, {@code urls.go}, {@code format.go}, cel-go's {@code ext/strings.go}). Static functions only.
 */
final class TextFunctions {

    static final CelType URL = OpaqueType.create("kubernetes.URL");
    static final CelType FORMAT = OpaqueType.create("kubernetes.NamedFormat");

    static final String ESCAPE_KEY = "jsonpatch.escapeKey";

    private static final CelType STRING = SimpleType.STRING;
    private static final CelType STRINGS = ListType.create(STRING);

    static final List<FunctionRow> ROWS = rows();

    private TextFunctions() {}

    private static List<FunctionRow> rows() {
        List<FunctionRow> rows = new ArrayList<>(List.of(
                FunctionRow.member("find", "string_find_string", STRING, TextFunctions::find, STRING, STRING),
                FunctionRow.member(
                        "findAll", "string_find_all_string", STRINGS, TextFunctions::findAll, STRING, STRING),
                FunctionRow.member(
                        "findAll",
                        "string_find_all_string_int",
                        STRINGS,
                        TextFunctions::findAll,
                        STRING,
                        STRING,
                        SimpleType.INT),
                FunctionRow.member(
                        "format",
                        "string_format",
                        STRING,
                        arguments -> StringFormat.format((String) arguments[0], (List<?>) arguments[1]),
                        STRING,
                        ListType.create(SimpleType.DYN)),
                FunctionRow.global("url", "string_to_url", URL, a -> ParsedUrl.of((String) a[0]), STRING),
                FunctionRow.global(
                        "isURL", "is_url_string", SimpleType.BOOL, a -> ParsedUrl.isUrl((String) a[0]), STRING),
                FunctionRow.global(
                        ESCAPE_KEY,
                        "string_jsonpatch_escapeKey_string",
                        STRING,
                        a -> JsonPatch.step((String) a[0]),
                        STRING),
                url("getScheme", "url_get_scheme", STRING, ParsedUrl::scheme),
                url("getHost", "url_get_host", STRING, ParsedUrl::host),
                url("getHostname", "url_get_hostname", STRING, ParsedUrl::hostname),
                url("getPort", "url_get_port", STRING, ParsedUrl::port),
                url("getEscapedPath", "url_get_escaped_path", STRING, ParsedUrl::escapedPath),
                url("getQuery", "url_get_query", MapType.create(STRING, STRINGS), ParsedUrl::query),
                FunctionRow.member(
                        "validate",
                        "format-validate",
                        OptionalType.create(STRINGS),
                        arguments -> ((NamedFormat) arguments[0]).validate((String) arguments[1]),
                        FORMAT,
                        STRING),
                FunctionRow.global(
                        "format.named",
                        "format-named",
                        OptionalType.create(FORMAT),
                        arguments -> Optional.ofNullable(NamedFormat.BY_NAME.get((String) arguments[0])),
                        STRING)));
        NamedFormat.BY_NAME.forEach((name, format) ->
                rows.add(FunctionRow.global("format." + name, "format." + name, FORMAT, arguments -> format)));
        return List.copyOf(rows);
    }

    private static FunctionRow url(String name, String overload, CelType result, Function<ParsedUrl, Object> body) {
        return FunctionRow.member(name, overload, result, arguments -> body.apply((ParsedUrl) arguments[0]), URL);
    }

    private static Pattern pattern(Object expression) {
        try {
            return Pattern.compile((String) expression);
        } catch (PatternSyntaxException e) {
            throw new CelInvalidArgumentException("Illegal regex: " + e.getMessage());
        }
    }

    private static Object find(Object[] arguments) {
        Matcher matcher = pattern(arguments[1]).matcher((String) arguments[0]);
        return matcher.find() ? matcher.group() : "";
    }

    private static Object findAll(Object[] arguments) {
        long limit = arguments.length == 3 ? (Long) arguments[2] : -1;
        Matcher matcher = pattern(arguments[1]).matcher((String) arguments[0]);
        List<Object> found = new ArrayList<>();
        while ((limit < 0 || found.size() < limit) && matcher.find()) {
            found.add(matcher.group());
        }
        return found;
    }
}
