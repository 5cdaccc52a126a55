/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts names of properties to CEL identifiers and back (upstream: {@code apiserver/pkg/cel/escaping.go}). Static
 * functions only.
 */
final class CelNames {

    private static final Map<String, String> ESCAPES =
            Map.of("__", "__underscores__", ".", "__dot__", "-", "__dash__", "/", "__slash__");
    private static final Map<String, String> UNESCAPES =
            Map.of("underscores", "__", "dot", ".", "dash", "-", "slash", "/");
    private static final Pattern ESCAPABLE = Pattern.compile("[a-zA-Z_./-][a-zA-Z0-9_./-]*");
    private static final Pattern ESCAPED = Pattern.compile("__|[-./]");
    private static final Pattern ESCAPE = Pattern.compile("__([^_]+)__");

    private CelNames() {}

    static boolean isReserved(String property) {
        return ExpressionCompiler.RESERVED.contains(property);
    }

    /** Returns the identifier for a property; null if there is none. */
    static @Nullable String escape(String property) {
        if (ExpressionCompiler.RESERVED.contains(property)) {
            return "__" + property + "__";
        }
        if (!ESCAPABLE.matcher(property).matches()) {
            return null;
        }
        Matcher found = ESCAPED.matcher(property);
        StringBuilder identifier = new StringBuilder();
        while (found.find()) {
            found.appendReplacement(identifier, ESCAPES.getOrDefault(found.group(), ""));
        }
        return found.appendTail(identifier).toString();
    }

    /** Returns the property for an identifier; null if it is not one that {@link #escape} returns. */
    static @Nullable String unescape(String identifier) {
        Matcher escape = ESCAPE.matcher(identifier);
        StringBuilder property = new StringBuilder();
        while (escape.find()) {
            String content = escape.group(1);
            boolean whole = escape.start() == 0 && escape.end() == identifier.length();
            String plain = ExpressionCompiler.RESERVED.contains(content) && whole ? content : UNESCAPES.get(content);
            if (plain == null) {
                return null;
            }
            escape.appendReplacement(property, Matcher.quoteReplacement(plain));
        }
        return escape.appendTail(property).toString();
    }
}
