/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import io.kubeloop.api.value.Quantity;
import io.kubeloop.apiserver.cel.value.SemanticVersion;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The functions of quantities and versions (upstream: {@code library/quantity.go}, {@code semverlib.go}). Static
 * functions only.
 */
final class NumberFunctions {

    static final CelType QUANTITY = OpaqueType.create("kubernetes.Quantity");
    static final CelType SEMVER = OpaqueType.create("kubernetes.Semver");
    private static final CelType BOOL = SimpleType.BOOL;
    private static final CelType INT = SimpleType.INT;
    private static final BigDecimal MIN_LONG = BigDecimal.valueOf(Long.MIN_VALUE);
    private static final BigDecimal MAX_LONG = BigDecimal.valueOf(Long.MAX_VALUE);

    static final List<FunctionRow> ROWS = List.of(
            FunctionRow.global("quantity", "string_to_quantity", QUANTITY, a -> parse(a[0]), SimpleType.STRING),
            FunctionRow.global("isQuantity", "is_quantity_string", BOOL, a -> isQuantity(a[0]), SimpleType.STRING),
            FunctionRow.global("sign", "quantity_sign", INT, a -> (long) ((Quantity) a[0]).signum(), QUANTITY),
            quantities("isGreaterThan", "is_greater_than", BOOL, order -> order > 0),
            quantities("isLessThan", "is_less_than", BOOL, order -> order < 0),
            quantities("compareTo", "compare_to", INT, order -> (long) order),
            FunctionRow.member(
                    "asApproximateFloat",
                    "quantity_get_float",
                    SimpleType.DOUBLE,
                    a -> ((Quantity) a[0]).amount().doubleValue(),
                    QUANTITY),
            FunctionRow.member("asInteger", "quantity_get_int", INT, a -> asInteger((Quantity) a[0]), QUANTITY),
            FunctionRow.member("isInteger", "quantity_is_integer", BOOL, a -> isInteger((Quantity) a[0]), QUANTITY),
            FunctionRow.member("add", "quantity_add", QUANTITY, with(Quantity::plus), QUANTITY, QUANTITY),
            FunctionRow.member("add", "quantity_add_int", QUANTITY, withInt(Quantity::plus), QUANTITY, INT),
            FunctionRow.member("sub", "quantity_sub", QUANTITY, with(Quantity::minus), QUANTITY, QUANTITY),
            FunctionRow.member("sub", "quantity_sub_int", QUANTITY, withInt(Quantity::minus), QUANTITY, INT),
            semver("string_to_semver", SimpleType.STRING),
            semver("string_bool_to_semver", SimpleType.STRING, BOOL),
            isSemver("is_semver_string", SimpleType.STRING),
            isSemver("is_semver_string_bool", SimpleType.STRING, BOOL),
            versions("isGreaterThan", "is_greater_than", BOOL, order -> order > 0),
            versions("isLessThan", "is_less_than", BOOL, order -> order < 0),
            versions("compareTo", "compare_to", INT, order -> (long) order),
            part("major", SemanticVersion::major),
            part("minor", SemanticVersion::minor),
            part("patch", SemanticVersion::patch));

    private NumberFunctions() {}

    private static Quantity parse(Object text) {
        try {
            return Quantity.parse((String) text);
        } catch (IllegalArgumentException e) {
            throw new CelInvalidArgumentException(
                    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
        }
    }

    private static Object isQuantity(Object text) {
        try {
            var unused = Quantity.parse((String) text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static FunctionRow quantities(
            String name, String overload, CelType result, Function<Integer, Object> outcome) {
        return compared(name, "quantity_" + overload, result, QUANTITY, Quantity.class, outcome);
    }

    private static FunctionRow versions(
            String name, String overload, CelType result, Function<Integer, Object> outcome) {
        return compared(name, "semver_" + overload, result, SEMVER, SemanticVersion.class, outcome);
    }

    private static <T extends Comparable<T>> FunctionRow compared(
            String name,
            String overload,
            CelType result,
            CelType operands,
            Class<T> values,
            Function<Integer, Object> outcome) {
        return FunctionRow.member(
                name,
                overload,
                result,
                a -> outcome.apply(Integer.signum(values.cast(a[0]).compareTo(values.cast(a[1])))),
                operands,
                operands);
    }

    private static boolean isInteger(Quantity quantity) {
        BigDecimal amount = quantity.amount();
        boolean whole = amount.stripTrailingZeros().scale() <= 0;
        return whole && amount.compareTo(MIN_LONG) >= 0 && amount.compareTo(MAX_LONG) <= 0;
    }

    private static Object asInteger(Quantity quantity) {
        if (!isInteger(quantity)) {
            throw new CelInvalidArgumentException("cannot convert value to integer");
        }
        return quantity.amount().longValueExact();
    }

    private static FunctionRow.Body with(BiFunction<Quantity, Quantity, Quantity> operation) {
        return a -> operation.apply((Quantity) a[0], (Quantity) a[1]);
    }

    private static FunctionRow.Body withInt(BiFunction<Quantity, Quantity, Quantity> operation) {
        return a -> operation.apply((Quantity) a[0], Quantity.of((Long) a[1]));
    }

    private static SemanticVersion version(Object[] arguments) {
        boolean tolerant = arguments.length == 2 && (Boolean) arguments[1];
        return SemanticVersion.parse((String) arguments[0], tolerant);
    }

    private static FunctionRow semver(String overload, CelType... parameters) {
        return FunctionRow.global("semver", overload, SEMVER, NumberFunctions::version, parameters);
    }

    private static FunctionRow isSemver(String overload, CelType... parameters) {
        return FunctionRow.global("isSemver", overload, BOOL, NumberFunctions::isVersion, parameters);
    }

    private static Object isVersion(Object[] arguments) {
        try {
            var unused = version(arguments);
            return true;
        } catch (CelInvalidArgumentException e) {
            return false;
        }
    }

    private static FunctionRow part(String name, ToLongFunction<SemanticVersion> part) {
        return FunctionRow.member(name, "semver_" + name, INT, a -> part.applyAsLong((SemanticVersion) a[0]), SEMVER);
    }
}
