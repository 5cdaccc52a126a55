/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.ast.CelReference;
import dev.cel.common.values.CelByteString;
import dev.cel.runtime.CelEvaluationListener;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Counts the cost of one evaluation in cel-go's units and stops it at a limit (upstream: cel-go's {@code
 * interpreter/runtimecost.go}, {@code library/cost.go}). Confined to the thread of the evaluation.
 */
final class CostCounter implements CelEvaluationListener {

    private static final int LIST_COST = 10;
    private static final int MAP_COST = 30;
    private static final int OBJECT_COST = 40;
    private static final double TRAVERSAL = 0.1;
    private static final double PER_REGEX_CHARACTER = 0.25;

    private final CelAbstractSyntaxTree ast;
    private final long limit;
    private final Map<Long, Object> results = new HashMap<>();
    private long total;

    /** Ends an evaluation. It is an error because the operators of CEL handle exceptions. */
    static final class CostExceededError extends Error {

        private static final long serialVersionUID = 1L;

        CostExceededError() {
            super("operation cancelled: actual cost limit exceeded", null, false, false);
        }
    }

    CostCounter(CelAbstractSyntaxTree ast, long limit) {
        this.ast = ast;
        this.limit = limit;
    }

    long total() {
        return total;
    }

    @Override
    public void callback(CelExpr expr, Object result) {
        results.put(expr.id(), result);
        long cost = switch (expr.exprKind().getKind()) {
            case IDENT -> 1;
            case SELECT -> expr.select().testOnly() ? 0 : 1;
            case CALL -> call(expr, result);
            case LIST -> expr.list().elements().stream().allMatch(CostCounter::isConstant) ? 0 : LIST_COST;
            case MAP -> MAP_COST;
            case STRUCT -> OBJECT_COST;
            default -> 0;
        };
        total = Size.sum(total, cost);
        if (total > limit) {
            throw new CostExceededError();
        }
    }

    private static boolean isConstant(CelExpr expr) {
        return expr.exprKind().getKind() == Kind.CONSTANT;
    }

    private long call(CelExpr expr, Object result) {
        List<CelExpr> nodes = new ArrayList<>();
        expr.call().target().ifPresent(nodes::add);
        nodes.addAll(expr.call().args());
        String overload = ast.getReference(expr.id())
                .map(CelReference::overloadIds)
                .filter(ids -> !ids.isEmpty())
                .map(ids -> ids.get(0))
                .orElse("");
        Object[] arguments = nodes.stream().map(node -> results.get(node.id())).toArray();
        String function = expr.call().function();
        return switch (function) {
            case "_&&_", "_||_", "_?_:_" -> 0;
            case ChangeLiterals.FUNCTION -> OBJECT_COST - MAP_COST;
            case "check" -> CallCost.ACCESS_CHECK;
            case "fieldSelector", "labelSelector" -> CallCost.ofSelector(Size.of(size(arguments[1])));
            case "sets.contains", "sets.intersects" -> 1 + size(arguments[0]) * size(arguments[1]);
            case "sets.equivalent" -> 1 + 2 * size(arguments[0]) * size(arguments[1]);
            case "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_" ->
                traversal(Math.min(size(arguments[0]), size(arguments[1])));
            case "@in", "in", "_in_" -> overload.equals("in_list") ? size(arguments[1]) : 1;
            case "_+_" ->
                overload.equals("add_string") || overload.equals("add_bytes")
                        ? traversal(size(arguments[0]) + size(arguments[1]))
                        : 1;
            case "matches", "find", "findAll" -> traversal(1 + size(arguments[0])) * regex(arguments[1]);
            case "contains" -> traversal(size(arguments[0])) * traversal(size(arguments[1]));
            case "isSorted", "sum", "max", "min" -> deep(arguments[0]);
            case "indexOf", "lastIndexOf" -> deep(arguments[0]);
            case "startsWith",
                    "endsWith",
                    "url",
                    "lowerAscii",
                    "upperAscii",
                    "substring",
                    "trim",
                    "cidr",
                    "isIP",
                    "isCIDR",
                    "quantity",
                    "isQuantity",
                    "semver",
                    "isSemver",
                    "format",
                    "jsonpatch.escapeKey",
                    "strings.quote" -> traversal(size(arguments[0]));
            case "ip" -> overload.equals("cidr_ip") ? 1 : traversal(size(arguments[0]));
            case "replace", "split", "ip.isCanonical" -> traversal(2 * size(arguments[0]));
            case "join" -> traversal(2 * size(result));
            case "containsIP", "containsCIDR" -> 1 + traversal(3 * 16) + traversal(size(arguments[1]));
            case "validate" -> traversal(1 + size(arguments[1])) * 15;
            case "lists.range", "slice", "reverse" -> allocating(1, (double) size(result));
            case "flatten" ->
                allocating(arguments.length < 2 ? 1 : ((Long) arguments[1]).doubleValue(), (double) size(arguments[0]));
            case "distinct", "sort" -> compared(arguments[0]);
            case SortFunctions.BY_KEYS -> compared(arguments[1]);
            default -> 1;
        };
    }

    private static long allocating(double factor, double size) {
        return 1 + LIST_COST + (long) (size * (factor < 0 ? 1 : factor));
    }

    private static long compared(Object list) {
        Object first = list instanceof List<?> elements && !elements.isEmpty() ? elements.get(0) : null;
        boolean text = first instanceof String || first instanceof CelByteString;
        double size = (double) size(list);
        return allocating(text ? 2 + TRAVERSAL : 2, size * size);
    }

    private static long traversal(long size) {
        return (long) Math.ceil(size * TRAVERSAL);
    }

    private static long regex(Object expression) {
        return (long) Math.ceil(size(expression) * PER_REGEX_CHARACTER);
    }

    private static long size(Object value) {
        if (value instanceof String text) {
            return text.codePointCount(0, text.length());
        }
        if (value instanceof Collection<?> elements) {
            return elements.size();
        }
        if (value instanceof Map<?, ?> map) {
            return map.size();
        }
        if (value instanceof Optional<?> optional && optional.isPresent()) {
            return size(optional.get());
        }
        return value instanceof CelByteString bytes ? bytes.size() : 1;
    }

    private static long deep(Object value) {
        if (value instanceof String || value instanceof CelByteString) {
            return traversal(size(value));
        }
        return value instanceof Collection<?> elements
                ? elements.stream().mapToLong(CostCounter::deep).sum()
                : 1;
    }
}
