/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.CelMap;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.ast.CelReference;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the most that an expression can cost (upstream: cel-go's {@code checker/cost.go}). Used for one expression.
 */
final class CostEstimate {

    private static final int LIST_COST = 10;
    private static final int MAP_COST = 30;
    private static final int OBJECT_COST = 40;
    private static final String ACCUMULATOR = "@result";
    private static final Size NONE = new Size(Long.MAX_VALUE, 0);

    private final CelAbstractSyntaxTree ast;
    private final @Nullable JsonObject schema;
    private final Map<Long, List<String>> paths = new HashMap<>();
    private final Map<Long, Size> sizes = new HashMap<>();
    private final Map<Long, Entries> entries = new HashMap<>();
    private final Map<String, Deque<Local>> locals = new HashMap<>();

    /** The sizes of the keys and of the values of a list or a map. */
    private record Entries(boolean isList, Size keys, Size values) {

        @Nullable
        Entries or(@Nullable Entries other) {
            return other == null ? null : new Entries(isList, keys.or(other.keys), values.or(other.values));
        }
    }

    /** A variable of a comprehension. */
    private record Local(
            List<String> path,
            @Nullable Size size,
            @Nullable Entries entries) {}

    /**
     * An argument.
     *
     * @param path the path of the value from a variable; empty if there is none
     * @param size the size of the value; null if it is not known
     */
    record Node(
            CelExpr expr,
            List<String> path,
            CelType type,
            @Nullable Size size) {

        Size sizeOrUnknown() {
            return size == null ? Size.UNKNOWN : size;
        }
    }

    /**
     * Creates an estimate.
     *
     * @param schema the schema of the only variable, or of {@code self}; null if it is not known
     */
    CostEstimate(CelAbstractSyntaxTree ast, @Nullable JsonObject schema) {
        this.ast = ast;
        this.schema = schema;
    }

    /** Returns the most that the expression can cost. */
    long most() {
        return cost(ast.getExpr());
    }

    private long cost(CelExpr expr) {
        return switch (expr.exprKind().getKind()) {
            case IDENT -> ident(expr);
            case SELECT -> select(expr);
            case CALL -> call(expr);
            case LIST -> list(expr);
            case MAP -> map(expr);
            case STRUCT ->
                Size.sum(
                        OBJECT_COST,
                        expr.struct().entries().stream()
                                .mapToLong(entry -> cost(entry.value()))
                                .sum());
            case COMPREHENSION -> isBinding(expr.comprehension()) ? binding(expr) : comprehension(expr);
            default -> 0;
        };
    }

    private long ident(CelExpr expr) {
        Local local = local(expr.ident().name());
        paths.put(expr.id(), local == null ? List.of(expr.ident().name()) : local.path());
        return 1;
    }

    private long select(CelExpr expr) {
        CelExpr operand = expr.select().operand();
        long cost = cost(operand);
        if (expr.select().testOnly()) {
            return cost;
        }
        paths.put(expr.id(), step(path(operand), expr.select().field()));
        CelKind kind = type(operand).kind();
        return kind == CelKind.MAP || kind == CelKind.STRUCT || kind == CelKind.TYPE_PARAM ? Size.sum(cost, 1) : cost;
    }

    private static List<String> step(List<String> path, String name) {
        List<String> longer = new ArrayList<>(path);
        longer.add(name);
        return longer;
    }

    private long call(CelExpr expr) {
        CelCall call = expr.call();
        List<Node> arguments = new ArrayList<>();
        List<Long> costs = new ArrayList<>();
        for (CelExpr argument : call.args()) {
            costs.add(cost(argument));
            arguments.add(node(argument));
        }
        if (call.function().equals("dyn")) {
            copySizes(expr, call.args().get(0));
            return Size.sum(1, costs.get(0));
        }
        long targetCost = call.target().map(this::cost).orElse(0L);
        Node target = call.target().map(this::node).orElse(null);
        long most = 0;
        Size result = null;
        for (String overload :
                ast.getReference(expr.id()).map(CelReference::overloadIds).orElseThrow()) {
            CallCost each = overloadCost(expr, overload, target, arguments, costs);
            most = Math.max(most, each.cost());
            if (each.result() != null) {
                result = result == null ? each.result() : result.or(each.result());
            }
            if (overload.equals("index_list") || overload.equals("index_map")) {
                CelExpr container = call.args().get(0);
                Entries inside = entries(container);
                result = inside == null ? null : inside.values();
                String step = overload.equals("index_list") ? SchemaSizes.ITEMS : SchemaSizes.VALUES;
                paths.put(expr.id(), step(path(container), step));
            }
            result = result == null ? size(expr) : result;
        }
        if (result != null) {
            sizes.put(expr.id(), result);
        }
        return Size.sum(targetCost, most);
    }

    private CallCost overloadCost(
            CelExpr expr, String overload, @Nullable Node target, List<Node> arguments, List<Long> costs) {
        long all = costs.stream().reduce(0L, Size::sum);
        switch (overload) {
            case "logical_and", "logical_or" -> {
                return new CallCost(all, null);
            }
            case "conditional" -> {
                Entries then = entries(arguments.get(1).expr());
                Entries either =
                        then == null ? null : then.or(entries(arguments.get(2).expr()));
                if (either != null) {
                    entries.put(expr.id(), either);
                }
                Size size = arguments.get(1).sizeOrUnknown().or(arguments.get(2).sizeOrUnknown());
                return new CallCost(Size.sum(costs.get(0), Math.max(costs.get(1), costs.get(2))), size);
            }
            case "add_string", "add_bytes", "add_list" -> {
                Entries left = entries(arguments.get(0).expr());
                Entries both =
                        left == null ? null : left.or(entries(arguments.get(1).expr()));
                if (both != null) {
                    entries.put(expr.id(), both);
                }
            }
            default -> {}
        }
        CallCost own = CallCost.of(expr.call().function(), overload, target, arguments, schema);
        return new CallCost(Size.sum(own.cost(), all), own.result());
    }

    private long list(CelExpr expr) {
        long cost = LIST_COST;
        Size items = expr.list().elements().isEmpty() ? new Size(0, 0) : NONE;
        for (CelExpr element : expr.list().elements()) {
            cost = Size.sum(cost, cost(element));
            items = items.or(sizeOrUnknown(element));
        }
        entries.put(expr.id(), new Entries(true, Size.of(1), items));
        return cost;
    }

    private long map(CelExpr expr) {
        long cost = MAP_COST;
        Size keys = expr.map().entries().isEmpty() ? new Size(0, 0) : NONE;
        Size values = keys;
        for (CelMap.Entry entry : expr.map().entries()) {
            cost = Size.sum(cost, Size.sum(cost(entry.key()), cost(entry.value())));
            keys = keys.or(sizeOrUnknown(entry.key()));
            values = values.or(sizeOrUnknown(entry.value()));
        }
        entries.put(expr.id(), new Entries(false, keys, values));
        return cost;
    }

    private static boolean isBinding(CelComprehension fold) {
        return fold.iterRange().exprKind().getKind() == Kind.LIST
                && fold.iterRange().list().elements().isEmpty()
                && fold.loopCondition().exprKind().getKind() == Kind.CONSTANT
                && fold.loopCondition().constant().getKind() == CelConstant.Kind.BOOLEAN_VALUE
                && !fold.loopCondition().constant().booleanValue();
    }

    private long binding(CelExpr expr) {
        CelComprehension fold = expr.comprehension();
        long cost = Size.sum(cost(fold.iterRange()), cost(fold.accuInit()));
        push(fold.accuVar(), new Local(path(fold.accuInit()), size(fold.accuInit()), entries(fold.accuInit())));
        cost = Size.sum(cost, cost(fold.result()));
        pop(fold.accuVar());
        copySizes(expr, fold.result());
        return cost;
    }

    private long comprehension(CelExpr expr) {
        CelComprehension fold = expr.comprehension();
        CelExpr range = fold.iterRange();
        long cost = Size.sum(cost(range), cost(fold.accuInit()));
        push(fold.accuVar(), new Local(path(fold.accuInit()), size(fold.accuInit()), entries(fold.accuInit())));
        Entries inside = entries(range);
        boolean isList = inside == null ? type(range).kind() == CelKind.LIST : inside.isList();
        Local keys = new Local(
                step(path(range), isList ? "@indices" : SchemaSizes.KEYS), inside == null ? null : inside.keys(), null);
        Local values = new Local(
                step(path(range), isList ? SchemaSizes.ITEMS : SchemaSizes.VALUES),
                inside == null ? null : inside.values(),
                null);
        boolean two = !fold.iterVar2().isEmpty();
        push(fold.iterVar(), two || !isList ? keys : values);
        if (two) {
            push(fold.iterVar2(), values);
        }
        long perElement = Size.sum(cost(fold.loopCondition()), cost(fold.loopStep()));
        pop(fold.iterVar());
        if (two) {
            pop(fold.iterVar2());
        }
        cost = Size.sum(cost, cost(fold.result()));
        pop(fold.accuVar());
        Size count = sizeOrUnknown(range);
        cost = Size.sum(cost, Size.product(count.max(), perElement));
        switch (fold.accuInit().exprKind().getKind()) {
            case CONSTANT -> sizes.put(expr.id(), sizeOrUnknown(fold.accuInit()));
            case LIST, MAP -> {
                sizes.put(expr.id(), count);
                Entries produced = entries(fold.loopStep());
                if (produced != null) {
                    entries.put(expr.id(), produced);
                }
            }
            default -> {}
        }
        return cost;
    }

    private void push(String name, Local local) {
        locals.computeIfAbsent(name, key -> new ArrayDeque<>()).push(local);
    }

    private void pop(String name) {
        Objects.requireNonNull(locals.get(name)).pop();
    }

    private @Nullable Local local(String name) {
        Deque<Local> stack = locals.get(name);
        return stack == null ? null : stack.peek();
    }

    private CelType type(CelExpr expr) {
        return ast.getType(expr.id()).orElse(SimpleType.DYN);
    }

    private List<String> path(CelExpr expr) {
        if (expr.exprKind().getKind() == Kind.IDENT) {
            Local local = local(expr.ident().name());
            if (local != null) {
                return local.path();
            }
        }
        return paths.getOrDefault(expr.id(), List.of());
    }

    private Node node(CelExpr expr) {
        List<String> path = path(expr);
        boolean accumulator = !path.isEmpty() && path.get(0).equals(ACCUMULATOR);
        return new Node(expr, accumulator ? List.of() : path, type(expr), size(expr));
    }

    private void copySizes(CelExpr to, CelExpr from) {
        Size size = size(from);
        if (size != null) {
            sizes.put(to.id(), size);
        }
        Entries inside = entries(from);
        if (inside != null) {
            entries.put(to.id(), inside);
        }
    }

    private Size sizeOrUnknown(CelExpr expr) {
        Size size = size(expr);
        return size == null ? Size.UNKNOWN : size;
    }

    private @Nullable Size size(CelExpr expr) {
        Size known = sizes.get(expr.id());
        known = known == null ? literal(expr) : known;
        known = known == null ? SchemaSizes.of(schema, path(expr)) : known;
        if (known == null && isScalar(type(expr))) {
            return Size.of(1);
        }
        if (known == null && expr.exprKind().getKind() == Kind.IDENT) {
            Local local = local(expr.ident().name());
            return local == null ? null : local.size();
        }
        return known;
    }

    private static @Nullable Size literal(CelExpr expr) {
        return switch (expr.exprKind().getKind()) {
            case CONSTANT ->
                switch (expr.constant().getKind()) {
                    case STRING_VALUE -> {
                        String text = expr.constant().stringValue();
                        yield Size.of(text.codePointCount(0, text.length()));
                    }
                    case BYTES_VALUE -> Size.of(expr.constant().bytesValue().size());
                    default -> Size.of(1);
                };
            case LIST -> Size.of(expr.list().elements().size());
            case MAP -> Size.of(expr.map().entries().size());
            default -> null;
        };
    }

    private static boolean isScalar(CelType type) {
        return switch (type.kind()) {
            case BOOL, DOUBLE, DURATION, INT, TIMESTAMP, UINT -> true;
            case OPAQUE ->
                type.name().equals("optional_type")
                        && isScalar(type.parameters().get(0));
            default -> false;
        };
    }

    private @Nullable Entries entries(CelExpr expr) {
        Entries known = entries.get(expr.id());
        if (known == null && expr.exprKind().getKind() == Kind.IDENT) {
            Local local = local(expr.ident().name());
            return local == null ? null : local.entries();
        }
        return known;
    }
}
