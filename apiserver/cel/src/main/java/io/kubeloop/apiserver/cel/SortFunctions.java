/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import dev.cel.common.CelIssue;
import dev.cel.common.Operator;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.TypeParamType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.cel.parser.CelMacro;
import dev.cel.parser.CelMacroExprFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The order of lists (upstream: cel-go's {@code ext/lists.go}). Static functions only. */
final class SortFunctions {

    /** The function that {@code sortBy} calls on a list with the keys of its elements. */
    static final String BY_KEYS = "@sortByAssociatedKeys";

    /** Gives the list a name, so that it is evaluated once. */
    private static final String INPUT = "@__sortBy_input__";

    private static final CelType ELEMENT = TypeParamType.create("T");

    /** {@code list.sortBy(x, key)}. */
    static final CelMacro SORT_BY =
            CelMacro.newReceiverMacro("sortBy", 2, (factory, target, arguments) -> expand(factory, target, arguments));

    static final List<FunctionRow> ROWS = rows();

    private SortFunctions() {}

    private static List<FunctionRow> rows() {
        List<FunctionRow> rows = new ArrayList<>();
        ListType any = ListType.create(ELEMENT);
        ListFunctions.COMPARABLE.forEach((name, type) -> {
            ListType list = ListType.create(type);
            rows.add(FunctionRow.member(
                    "sort", "list_" + name + "_sort", list, a -> sorted((List<?>) a[0], (List<?>) a[0]), list));
            rows.add(FunctionRow.member(
                    BY_KEYS,
                    "list_" + name + "_sortByAssociatedKeys",
                    any,
                    a -> sorted((List<?>) a[0], (List<?>) a[1]),
                    any,
                    list));
        });
        rows.add(FunctionRow.member(
                "unwrapOpt",
                "optional_unwrapOpt",
                any,
                a -> ((List<?>) a[0])
                        .stream()
                                .flatMap(value -> ((Optional<?>) value).stream())
                                .toList(),
                ListType.create(OptionalType.create(ELEMENT))));
        return List.copyOf(rows);
    }

    private static List<?> sorted(List<?> list, List<?> keys) {
        Object first = keys.isEmpty() ? "" : keys.get(0);
        if (keys.stream()
                .anyMatch(key ->
                        !(key instanceof Comparable || key instanceof CelByteString) || key == NullValue.NULL_VALUE)) {
            throw new CelInvalidArgumentException("list elements must be comparable");
        }
        if (keys.stream().anyMatch(key -> key.getClass() != first.getClass())) {
            throw new CelInvalidArgumentException("list elements must have the same type");
        }
        Comparator<Integer> order = (one, other) -> ListFunctions.compare(keys.get(one), keys.get(other));
        return IntStream.range(0, list.size())
                .boxed()
                .sorted(order)
                .map(list::get)
                .map(Object.class::cast)
                .toList();
    }

    private static Optional<CelExpr> expand(CelMacroExprFactory factory, CelExpr list, List<CelExpr> arguments) {
        CelExpr variable = arguments.get(0);
        if (variable.exprKind().getKind() != CelExpr.ExprKind.Kind.IDENT) {
            return Optional.of(factory.reportError(
                    CelIssue.formatError(factory.getSourceLocation(variable), "argument is not an identifier")));
        }
        String collected = factory.getAccumulatorVarName();
        CelExpr keys = factory.fold(
                variable.ident().name(),
                factory.newIdentifier(INPUT),
                collected,
                factory.newList(),
                factory.newBoolLiteral(true),
                factory.newGlobalCall(
                        Operator.ADD.getFunction(),
                        factory.newIdentifier(collected),
                        factory.newList(arguments.get(1))),
                factory.newIdentifier(collected));
        return Optional.of(factory.fold(
                "#unused",
                factory.newList(),
                INPUT,
                list,
                factory.newBoolLiteral(false),
                factory.newIdentifier(INPUT),
                factory.newReceiverCall(BY_KEYS, factory.newIdentifier(INPUT), keys)));
    }
}
