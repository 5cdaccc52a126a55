/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.values.CelByteString;
import dev.cel.runtime.CelFunctionResolver;
import dev.cel.runtime.CelResolvedOverload;
import io.kubeloop.api.value.Quantity;
import io.kubeloop.apiserver.cel.value.NetworkAddress;
import io.kubeloop.apiserver.cel.value.NetworkPrefix;
import io.kubeloop.apiserver.cel.value.ParsedUrl;
import io.kubeloop.apiserver.cel.value.SemanticVersion;
import io.kubeloop.apiserver.expressions.AccessCheck;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The functions that Kubernetes adds to CEL (upstream: {@code apiserver/pkg/cel/library}). An argument whose type is
 * known at run time only selects the first overload that accepts it, as upstream. Immutable; thread-safe.
 */
final class FunctionTable implements CelFunctionResolver {

    /** All functions. */
    static final FunctionTable ALL = new FunctionTable(Stream.of(
                    ListFunctions.ROWS,
                    SortFunctions.ROWS,
                    TextFunctions.ROWS,
                    NumberFunctions.ROWS,
                    NetworkFunctions.ROWS,
                    AccessFunctions.ROWS,
                    List.of(Conversions.DURATION_TO_INT),
                    BoundedFunctions.ROWS,
                    StringFunctions.ROWS,
                    TimeFunctions.ROWS,
                    Conversions.ROWS,
                    List.of(ChangeLiterals.ROW))
            .flatMap(List::stream)
            .toList());

    /** The types of the values that only these functions have. */
    private static final Map<String, Class<?>> OPAQUE = Map.of(
            NumberFunctions.QUANTITY.name(), Quantity.class,
            NumberFunctions.SEMVER.name(), SemanticVersion.class,
            NetworkFunctions.IP.name(), NetworkAddress.class,
            NetworkFunctions.CIDR.name(), NetworkPrefix.class,
            TextFunctions.URL.name(), ParsedUrl.class,
            TextFunctions.FORMAT.name(), NamedFormat.class,
            AccessFunctions.DECISION.name(), AccessCheck.Decision.class);

    /** The functions that only expressions of changes have. */
    private static final Set<String> OF_CHANGES = Set.of(TextFunctions.ESCAPE_KEY, ChangeLiterals.FUNCTION);

    /** The functions that the library declares. */
    private static final Set<FunctionRow> OF_LIBRARY = Stream.of(
                    BoundedFunctions.ROWS, StringFunctions.ROWS, TimeFunctions.ROWS, Conversions.ROWS)
            .flatMap(List::stream)
            .collect(Collectors.toSet());

    private final List<FunctionRow> rows;
    private final Map<String, FunctionRow> byOverload = new LinkedHashMap<>();

    private FunctionTable(List<FunctionRow> rows) {
        this.rows = rows;
        rows.forEach(row -> byOverload.put(row.overload(), row));
    }

    private static boolean accepts(FunctionRow row, Object[] arguments) {
        List<CelType> parameters = row.parameters();
        if (arguments.length != parameters.size()) {
            return false;
        }
        for (int i = 0; i < arguments.length; i++) {
            Class<?> required = javaType(parameters.get(i));
            if (required != null && !required.isInstance(arguments[i])) {
                return false;
            }
        }
        return true;
    }

    private static @Nullable Class<?> javaType(CelType type) {
        return switch (type.kind()) {
            case STRING -> String.class;
            case INT -> Long.class;
            case UINT -> UnsignedLong.class;
            case DOUBLE -> Double.class;
            case BOOL -> Boolean.class;
            case BYTES -> CelByteString.class;
            case DURATION -> Duration.class;
            case TIMESTAMP -> Instant.class;
            case LIST -> List.class;
            case OPAQUE -> OPAQUE.getOrDefault(type.name(), AccessCheck.class);
            default -> null;
        };
    }

    /** Returns the functions of all expressions, or those that only expressions of changes have. */
    List<CelFunctionDecl> declarations(boolean ofChanges) {
        Map<String, List<CelOverloadDecl>> byName = new LinkedHashMap<>();
        for (FunctionRow row : rows) {
            if (OF_CHANGES.contains(row.name()) == ofChanges && !OF_LIBRARY.contains(row)) {
                byName.computeIfAbsent(row.name(), name -> new ArrayList<>()).add(row.declaration());
            }
        }
        return byName.entrySet().stream()
                .map(entry -> CelFunctionDecl.newFunctionDeclaration(entry.getKey(), entry.getValue()))
                .toList();
    }

    @Override
    public Optional<CelResolvedOverload> findOverloadMatchingArgs(
            String functionName, Collection<String> overloadIds, Object[] args) {
        return overloadIds.stream()
                .map(byOverload::get)
                .filter(row -> row != null && accepts(row, args))
                .findFirst()
                .map(FunctionRow::resolved);
    }

    @Override
    public Optional<CelResolvedOverload> findOverloadMatchingArgs(String functionName, Object[] args) {
        return row(functionName, args).map(FunctionRow::resolved);
    }

    /** Returns the first overload of a function that accepts values. */
    Optional<FunctionRow> row(String name, Object[] arguments) {
        return rows.stream()
                .filter(row -> row.name().equals(name) && accepts(row, arguments))
                .findFirst();
    }
}
