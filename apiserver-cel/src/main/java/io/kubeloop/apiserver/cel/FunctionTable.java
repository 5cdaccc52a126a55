package io.kubeloop.apiserver.cel;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.runtime.CelFunctionResolver;
import dev.cel.runtime.CelResolvedOverload;
import io.kubeloop.api.Quantity;
import io.kubeloop.apiserver.expressions.AccessCheck;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The functions that Kubernetes adds to CEL (upstream: {@code apiserver/pkg/cel/library}). An argument whose type is known at run time
 * only selects the first overload that accepts it, as upstream. Immutable; thread-safe.
 */
final class FunctionTable implements CelFunctionResolver {

    /** All functions. */
    static final FunctionTable ALL = new FunctionTable(Stream.of(
                    ListFunctions.ROWS,
                    TextFunctions.ROWS,
                    NumberFunctions.ROWS,
                    NetworkFunctions.ROWS,
                    AccessFunctions.ROWS)
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

    private final List<Row> rows;
    private final Map<String, Row> byOverload = new LinkedHashMap<>();

    /** Computes a function. */
    @FunctionalInterface
    interface Body {

        /** Returns the result for arguments of the declared types; throws a {@code CelRuntimeException} for other errors. */
        Object apply(Object[] arguments);
    }

    /**
     * One overload.
     *
     * @param name the name of the function
     * @param isMember whether the first argument is in front of the name
     * @param overload upstream's identifier of the overload
     */
    record Row(String name, boolean isMember, String overload, CelType result, List<CelType> parameters, Body body) {

        private boolean accepts(Object[] arguments) {
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

        private CelOverloadDecl declaration() {
            return isMember
                    ? CelOverloadDecl.newMemberOverload(overload, result, parameters)
                    : CelOverloadDecl.newGlobalOverload(overload, result, parameters);
        }

        @SuppressWarnings("Immutable") // the functions have no state
        private CelResolvedOverload resolved() {
            List<Class<?>> types = new ArrayList<>();
            parameters.forEach(parameter -> types.add(Object.class));
            return CelResolvedOverload.of(name, overload, body::apply, true, types);
        }
    }

    /** Returns the overload of a member function: {@code first.name(others)}. */
    static Row member(String name, String overload, CelType result, Body body, CelType... parameters) {
        return new Row(name, true, overload, result, List.of(parameters), body);
    }

    /** Returns the overload of a function: {@code name(arguments)}. */
    static Row global(String name, String overload, CelType result, Body body, CelType... parameters) {
        return new Row(name, false, overload, result, List.of(parameters), body);
    }

    private FunctionTable(List<Row> rows) {
        this.rows = rows;
        rows.forEach(row -> byOverload.put(row.overload(), row));
    }

    private static @Nullable Class<?> javaType(CelType type) {
        return switch (type.kind()) {
            case STRING -> String.class;
            case INT -> Long.class;
            case BOOL -> Boolean.class;
            case LIST -> List.class;
            case OPAQUE -> OPAQUE.getOrDefault(type.name(), AccessCheck.class);
            default -> null;
        };
    }

    List<CelFunctionDecl> declarations() {
        Map<String, List<CelOverloadDecl>> byName = new LinkedHashMap<>();
        rows.forEach(row ->
                byName.computeIfAbsent(row.name(), name -> new ArrayList<>()).add(row.declaration()));
        return byName.entrySet().stream()
                .map(entry -> CelFunctionDecl.newFunctionDeclaration(entry.getKey(), entry.getValue()))
                .toList();
    }

    @Override
    public Optional<CelResolvedOverload> findOverloadMatchingArgs(
            String functionName, Collection<String> overloadIds, Object[] args) {
        return overloadIds.stream()
                .map(byOverload::get)
                .filter(row -> row != null && row.accepts(args))
                .findFirst()
                .map(Row::resolved);
    }

    @Override
    public Optional<CelResolvedOverload> findOverloadMatchingArgs(String functionName, Object[] args) {
        return rows.stream()
                .filter(row -> row.name().equals(functionName) && row.accepts(args))
                .findFirst()
                .map(Row::resolved);
    }
}
