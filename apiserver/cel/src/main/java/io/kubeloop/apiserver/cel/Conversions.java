/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import com.google.common.primitives.UnsignedLong;
import com.google.re2j.Pattern;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import io.kubeloop.api.value.GoDuration;
import io.kubeloop.apiserver.cel.value.GoTimes;
import io.kubeloop.apiserver.expressions.GoPattern;
import io.kubeloop.json.gotext.GoNumbers;
import io.kubeloop.json.gotext.GoText;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The conversions of values, which read texts as Go does (upstream: cel-go's {@code common/types}). Static functions
 * only.
 */
final class Conversions {

    private static final CelType INT = SimpleType.INT;
    private static final CelType UINT = SimpleType.UINT;
    private static final CelType DOUBLE = SimpleType.DOUBLE;
    private static final CelType STRING = SimpleType.STRING;
    private static final CelType BOOL = SimpleType.BOOL;
    private static final CelType DURATION = SimpleType.DURATION;
    private static final CelType TIMESTAMP = SimpleType.TIMESTAMP;

    private static final String DIGITS = "[0-9](?:_?[0-9])*";
    private static final String DECIMAL =
            "[+-]?(?:" + DIGITS + "\\.?(?:" + DIGITS + ")?|\\." + DIGITS + ")(?:[eE][+-]?[0-9]+)?";
    private static final String HEXADECIMAL =
            "[+-]?0[xX](?:[0-9a-fA-F]+\\.?[0-9a-fA-F]*|\\.[0-9a-fA-F]+)[pP][+-]?[0-9]+";
    private static final Pattern NUMBER = Pattern.compile(DECIMAL + "|" + HEXADECIMAL);
    private static final Pattern INFINITE = Pattern.compile("[+-]?(?i:inf|infinity)");
    private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]+");
    private static final Pattern UNSIGNED = Pattern.compile("[0-9]+");

    /** The functions whose second argument is a pattern. */
    private static final Set<String> PATTERNS = Set.of("matches", "find", "findAll");

    /** The bounds of whole numbers as a double: the lower one is a number, the upper one is not. */
    private static final double LEAST = Long.MIN_VALUE;

    private static final double UNSIGNED_END = 0x1p64;

    /** The overload that only cel-go has. */
    static final FunctionRow DURATION_TO_INT =
            row("int", "duration_to_int64", INT, DURATION, value -> ((Duration) value).toNanos());

    static final List<FunctionRow> ROWS = List.of(
            row("int", "int64_to_int64", INT, INT, value -> value),
            row("int", "uint64_to_int64", INT, UINT, value -> whole(((UnsignedLong) value).bigIntegerValue())),
            row("int", "double_to_int64", INT, DOUBLE, value -> whole((Double) value)),
            row("int", "string_to_int64", INT, STRING, value -> integer((String) value)),
            row("int", "timestamp_to_int64", INT, TIMESTAMP, value -> ((Instant) value).getEpochSecond()),
            row("uint", "uint64_to_uint64", UINT, UINT, value -> value),
            row("uint", "int64_to_uint64", UINT, INT, value -> unsigned(BigInteger.valueOf((Long) value))),
            row("uint", "double_to_uint64", UINT, DOUBLE, value -> unsigned((Double) value)),
            row("uint", "string_to_uint64", UINT, STRING, value -> unsigned((String) value)),
            row("double", "double_to_double", DOUBLE, DOUBLE, value -> value),
            row("double", "int64_to_double", DOUBLE, INT, value -> ((Number) value).doubleValue()),
            row("double", "uint64_to_double", DOUBLE, UINT, value -> ((Number) value).doubleValue()),
            row("double", "string_to_double", DOUBLE, STRING, value -> real((String) value)),
            row("string", "string_to_string", STRING, STRING, value -> value),
            row("string", "int64_to_string", STRING, INT, Conversions::text),
            row("string", "uint64_to_string", STRING, UINT, Conversions::text),
            row("string", "double_to_string", STRING, DOUBLE, Conversions::text),
            row("string", "bool_to_string", STRING, BOOL, Conversions::text),
            row("string", "bytes_to_string", STRING, SimpleType.BYTES, Conversions::text),
            row("string", "timestamp_to_string", STRING, TIMESTAMP, Conversions::text),
            row("string", "duration_to_string", STRING, DURATION, Conversions::text),
            row("bool", "bool_to_bool", BOOL, BOOL, value -> value),
            row("bool", "string_to_bool", BOOL, STRING, value -> bool((String) value)),
            row("duration", "duration_to_duration", DURATION, DURATION, value -> value),
            row("duration", "string_to_duration", DURATION, STRING, value -> duration((String) value)),
            row("timestamp", "timestamp_to_timestamp", TIMESTAMP, TIMESTAMP, value -> value),
            row("timestamp", "int64_to_timestamp", TIMESTAMP, INT, value -> {
                Instant instant = GoTimes.ofSeconds((Long) value);
                return instant == null ? overflow("timestamp") : instant;
            }),
            row("timestamp", "string_to_timestamp", TIMESTAMP, STRING, value -> {
                Instant instant = GoTimes.timestamp((String) value);
                return instant == null ? fail("google.protobuf.Timestamp") : instant;
            }));

    private Conversions() {}

    private static FunctionRow row(
            String name, String overload, CelType result, CelType parameter, Function<Object, Object> body) {
        return FunctionRow.global(name, overload, result, arguments -> body.apply(arguments[0]), parameter);
    }

    private static Object fail(String type) {
        throw new CelInvalidArgumentException("type conversion error from 'string' to '" + type + "'");
    }

    private static Object overflow(String kind) {
        throw new CelInvalidArgumentException(kind + " overflow");
    }

    private static Object whole(BigInteger number) {
        return number.bitLength() < Long.SIZE ? (Object) number.longValue() : overflow("integer");
    }

    private static Object whole(double number) {
        return number > LEAST && number < -LEAST ? (Object) (long) number : overflow("integer");
    }

    private static Object unsigned(BigInteger number) {
        boolean fits = number.signum() >= 0 && number.bitLength() <= Long.SIZE;
        return fits ? UnsignedLong.valueOf(number) : overflow("unsigned integer");
    }

    private static Object unsigned(double number) {
        boolean fits = number >= 0 && number < UNSIGNED_END;
        return fits ? UnsignedLong.valueOf(new BigDecimal(number).toBigInteger()) : overflow("unsigned integer");
    }

    private static Object integer(String text) {
        if (!WHOLE.matches(text)) {
            return fail("int");
        }
        BigInteger number = new BigInteger(text);
        return number.bitLength() < Long.SIZE ? (Object) number.longValue() : fail("int");
    }

    private static Object unsigned(String text) {
        if (!UNSIGNED.matches(text)) {
            return fail("uint");
        }
        BigInteger number = new BigInteger(text);
        return number.bitLength() <= Long.SIZE ? UnsignedLong.valueOf(number) : fail("uint");
    }

    private static Object real(String text) {
        if (INFINITE.matches(text)) {
            return text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        if (text.equalsIgnoreCase("nan")) {
            return Double.NaN;
        }
        boolean isNumber = NUMBER.matches(text);
        double number = isNumber ? Double.parseDouble(text.replace("_", "")) : Double.NaN;
        return Double.isNaN(number) || Double.isInfinite(number) ? fail("double") : (Object) number;
    }

    private static Object bool(String text) {
        Boolean value = GoText.bool(text);
        return value == null ? fail("bool") : value;
    }

    private static Object duration(String text) {
        boolean isDuration = GoDuration.problem(text) == null;
        return isDuration ? GoDuration.parse(text) : fail("google.protobuf.Duration");
    }

    /** Returns the text of a simple value. */
    static String text(Object value) {
        if (value instanceof Double number) {
            return GoNumbers.text(number);
        }
        if (value instanceof Duration duration) {
            return GoTimes.text(duration);
        }
        if (value instanceof Instant instant) {
            return GoTimes.text(instant);
        }
        if (value instanceof CelByteString bytes) {
            try {
                return StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes.toByteArray()))
                        .toString();
            } catch (CharacterCodingException e) {
                throw new CelInvalidArgumentException("invalid UTF-8 in bytes, cannot convert to string");
            }
        }
        return value.toString();
    }

    /**
     * Returns why conversions of constants, which upstream makes before it evaluates an expression, or their patterns
     * fail; null if they do not.
     */
    static @Nullable String problem(CelAbstractSyntaxTree ast) {
        return CelNavigableAst.fromAst(ast)
                .getRoot()
                .allNodes()
                .map(node -> problem(node.expr()))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Returns why one conversion of a constant or its pattern fails; null if it does not. */
    static @Nullable String problem(CelExpr expression) {
        try {
            constant(expression);
        } catch (CelInvalidArgumentException e) {
            return e.getMessage();
        }
        boolean hasPattern = expression.getKind() == Kind.CALL
                && PATTERNS.contains(expression.call().function());
        if (!hasPattern) {
            return null;
        }
        int index = expression.call().target().isPresent() ? 0 : 1;
        return constant(expression.call().args().get(index)) instanceof String pattern
                ? new GoPattern(pattern).error()
                : null;
    }

    /** Returns the value of a constant, or of a conversion of one; null for other expressions. */
    private static @Nullable Object constant(CelExpr expression) {
        if (expression.getKind() == Kind.CONSTANT) {
            return value(expression.constant());
        }
        if (expression.getKind() != Kind.CALL || expression.call().args().size() != 1) {
            return null;
        }
        String function = expression.call().function();
        Object argument = expression.call().target().isPresent()
                ? null
                : constant(expression.call().args().get(0));
        if (argument == null || function.equals("dyn")) {
            return argument;
        }
        if (ROWS.stream().noneMatch(row -> row.name().equals(function))) {
            return null;
        }
        return FunctionTable.ALL
                .row(function, new Object[] {argument})
                .orElseThrow(() -> new CelInvalidArgumentException(
                        "no such overload: " + function + "(" + ErrorTexts.typeName(argument) + ")"))
                .body()
                .apply(new Object[] {argument});
    }

    private static Object value(CelConstant constant) {
        return switch (constant.getKind()) {
            case BOOLEAN_VALUE -> constant.booleanValue();
            case INT64_VALUE -> constant.int64Value();
            case UINT64_VALUE -> constant.uint64Value();
            case DOUBLE_VALUE -> constant.doubleValue();
            case STRING_VALUE -> constant.stringValue();
            case BYTES_VALUE -> constant.bytesValue();
            default -> NullValue.NULL_VALUE;
        };
    }
}
