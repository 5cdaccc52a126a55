/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import com.google.common.primitives.UnsignedLong;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.cel.common.CelErrorCode;
import dev.cel.common.CelIssue;
import dev.cel.common.CelSource;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.TypeType;
import dev.cel.common.values.CelByteString;
import dev.cel.runtime.CelEvaluationException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The library's errors in the words of cel-go, which upstream's messages contain. Static functions only. */
final class ErrorTexts {

    private static final Pattern PLACE =
            Pattern.compile("evaluation error(?: at <input>:(\\d+))?[^:]*: (.*)", Pattern.DOTALL);
    private static final Pattern OUT_OF_RANGE = Pattern.compile(
            "\\w+ failure: (?:Index out of range: (-?\\d+)|Range \\[-?\\d+, (-?\\d+)\\) out of bounds)");
    private static final Pattern CONVERSION = Pattern.compile("(int|uint|double|bool|timestamp|duration)\\s*$");
    private static final Pattern MISSING_KEY = Pattern.compile("key '(.*)' is not present in map\\.", Pattern.DOTALL);
    private static final Pattern CANDIDATES = Pattern.compile(" \\(candidates: .*\\)$");
    private static final Pattern LITERAL =
            Pattern.compile("(duration|timestamp|Regex) validation failed\\. Reason: .*", Pattern.DOTALL);
    private static final Pattern SYNTAX = Pattern.compile(
            "(mismatched input|missing|extraneous input|no viable alternative|token recognition error).*",
            Pattern.DOTALL);

    /** After a whole expression, cel-go expects its end only. */
    private static final Pattern END = Pattern.compile("expecting \\{<EOF>,.*\\}$", Pattern.DOTALL);

    /** A selection of a field of one of Kubernetes' own types, which have none. */
    private static final Pattern OPAQUE =
            Pattern.compile("type '((?:kubernetes|net)\\.[\\w.]+)' does not support field selection");

    /** The messages that name types; cel-go writes those of times in short. */
    private static final Pattern TYPED = Pattern.compile("found no matching overload|type '|expected type");

    /** A part of a type that nothing determines, such as the keys of an empty map. */
    private static final Pattern UNKNOWN = Pattern.compile("%\\w+");

    private static final Pattern FUNCTION = Pattern.compile("No matching overload for function '([^']*)'");

    /** The start of the message about a field of a literal whose type is unknown; cel-go reports the type only. */
    private static final String FIELD_OF_UNKNOWN = "Message type resolution failure";

    private ErrorTexts() {}

    /** Returns the errors of a compilation with their places, one after the other. */
    static String ofIssues(List<CelIssue> issues, CelSource source) {
        return issues.stream()
                .filter(issue -> !issue.getMessage().startsWith(FIELD_OF_UNKNOWN))
                .map(issue -> shown(issue, source))
                .collect(Collectors.joining("\n"));
    }

    /** An empty expression has no line that could be shown, and no first column. */
    private static String shown(CelIssue issue, CelSource source) {
        String message = message(issue.getMessage());
        return source.getContent().toString().isEmpty()
                ? "ERROR: " + source.getDescription() + ":1:0: " + message
                : CelIssue.formatError(issue.getSourceLocation(), message).toDisplayString(source);
    }

    private static String message(String message) {
        Matcher literal = LITERAL.matcher(message);
        if (literal.matches()) {
            String function = literal.group(1).equals("Regex") ? "matches" : literal.group(1);
            return "invalid " + function + " argument";
        }
        if (SYNTAX.matcher(message).matches()) {
            return "Syntax error: " + END.matcher(message).replaceFirst("expecting <EOF>");
        }
        Matcher opaque = OPAQUE.matcher(message);
        if (opaque.matches()) {
            return "unexpected failed resolution of '" + opaque.group(1) + "'";
        }
        String text = CANDIDATES.matcher(message).replaceFirst("");
        if (!TYPED.matcher(text).lookingAt()) {
            return text;
        }
        return UNKNOWN.matcher(text)
                .replaceAll("dyn")
                .replace("google.protobuf.Timestamp", "timestamp")
                .replace("google.protobuf.Duration", "duration");
    }

    /**
     * Returns the error of an evaluation.
     *
     * @param text the expression
     */
    static String ofEvaluation(CelEvaluationException error, String text) {
        Matcher place = PLACE.matcher(String.valueOf(error.getMessage()));
        boolean placed = place.matches();
        String message = placed ? place.group(2) : String.valueOf(error.getMessage());
        int at = placed && place.group(1) != null ? Integer.parseInt(place.group(1)) : text.length();
        CelErrorCode code = error.getErrorCode();
        return switch (code) {
            case ATTRIBUTE_NOT_FOUND -> missing(message);
            case DIVIDE_BY_ZERO -> text.startsWith("%", at) ? "modulus by zero" : "division by zero";
            case BAD_FORMAT -> conversion(message, text.substring(0, Math.min(at, text.length())));
            case NUMERIC_OVERFLOW -> overflow(message);
            case INDEX_OUT_OF_BOUNDS -> message.startsWith("Index") ? "i" + message.substring(1) : message;
            case OVERLOAD_NOT_FOUND -> {
                Matcher function = FUNCTION.matcher(message);
                boolean named =
                        function.find() && Character.isLetter(function.group(1).charAt(0));
                yield named ? "no such overload: " + function.group(1) : "no such overload";
            }
            default -> outOfRange(message);
        };
    }

    private static String conversion(String message, String before) {
        Matcher function = CONVERSION.matcher(before);
        if (!function.find()) {
            return message;
        }
        String type = switch (function.group(1)) {
            case "timestamp" -> "google.protobuf.Timestamp";
            case "duration" -> "google.protobuf.Duration";
            default -> function.group(1);
        };
        return "type conversion error from 'string' to '" + type + "'";
    }

    private static String outOfRange(String message) {
        Matcher index = OUT_OF_RANGE.matcher(message);
        return index.matches()
                ? "index out of range: " + (index.group(1) == null ? index.group(2) : index.group(1))
                : message;
    }

    private static String missing(String message) {
        Matcher key = MISSING_KEY.matcher(message);
        if (key.matches()) {
            return "no such key: " + key.group(1);
        }
        return message.startsWith("Error resolving") ? "no such overload" : "no such key: " + message;
    }

    private static String overflow(String message) {
        if (message.contains("unsigned") || message.contains("uint")) {
            return "unsigned integer overflow";
        }
        return message.contains("uration") ? "duration overflow" : "integer overflow";
    }

    /** Returns the name of a type without its parameters. */
    static String name(CelType type) {
        return type.kind() == CelKind.NULL_TYPE ? "null_type" : type.name();
    }

    /** Returns the name of the type of a value. */
    static String typeName(Object value) {
        if (value instanceof Optional) {
            return "optional_type";
        }
        if (value instanceof List) {
            return "list";
        }
        if (value instanceof Map) {
            return "map";
        }
        if (value instanceof CelByteString) {
            return "bytes";
        }
        if (value instanceof UnsignedLong) {
            return "uint";
        }
        if (value instanceof Duration) {
            return "google.protobuf.Duration";
        }
        if (value instanceof Instant) {
            return "google.protobuf.Timestamp";
        }
        if (value instanceof TypeType) {
            return "type";
        }
        return switch (value.getClass().getSimpleName()) {
            case "Quantity" -> NumberFunctions.QUANTITY.name();
            case "SemanticVersion" -> NumberFunctions.SEMVER.name();
            case "NetworkAddress" -> NetworkFunctions.IP.name();
            case "NetworkPrefix" -> NetworkFunctions.CIDR.name();
            case "ParsedUrl" -> TextFunctions.URL.name();
            case "NamedFormat" -> TextFunctions.FORMAT.name();
            case "String" -> "string";
            case "Long" -> "int";
            case "Double" -> "double";
            case "Boolean" -> "bool";
            default -> "null_type";
        };
    }
}
