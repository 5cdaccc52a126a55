/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import io.kubeloop.apiserver.cel.CostEstimate.Node;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The most that one call can cost without its arguments (upstream: {@code library/cost.go}, cel-go's {@code
 * functionCost}).
 *
 * @param result the size of the result; null if it is not known
 */
record CallCost(long cost, @Nullable Size result) {

    private static final double TRAVERSAL = 0.1;
    private static final double PER_REGEX_CHARACTER = 0.25;
    private static final int LIST = 10;

    private static final Size ADDRESS = new Size(4, 16);
    private static final long FORMAT_REGEX = 32;

    /** The cost of a question to the authorizer, of which an expression may ask two. */
    static final long ACCESS_CHECK = 350_000;

    private static CallCost of(long cost) {
        return new CallCost(cost, null);
    }

    /**
     * Returns the cost of a call.
     *
     * @param target the value in front of the function; null if there is none
     * @param schema the schema of {@code self}; null if it is not known
     */
    static CallCost of(
            String function,
            String overload,
            @Nullable Node target,
            List<Node> arguments,
            @Nullable JsonObject schema) {
        Size on = target == null ? Size.UNKNOWN : target.sizeOrUnknown();
        Size first = arguments.isEmpty() ? Size.UNKNOWN : arguments.get(0).sizeOrUnknown();
        return switch (function) {
            case "check" -> of(ACCESS_CHECK);
            case "fieldSelector", "labelSelector" -> of(ofSelector(first));
            case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf" -> traversal(target, on, schema);
            case "url" -> new CallCost(first.cost(TRAVERSAL), first);
            case "lowerAscii", "upperAscii", "substring", "trim" -> new CallCost(on.cost(TRAVERSAL), on);
            case "replace" -> new CallCost(on.cost(2 * TRAVERSAL), replaced(on, arguments));
            case "split" -> new CallCost(on.cost(2 * TRAVERSAL), new Size(0, pieces(on, arguments)));
            case "join" -> joined(target, on, arguments, schema);
            case "find", "findAll" ->
                new CallCost(
                        Size.product(on.plus(Size.of(1)).cost(TRAVERSAL), first.cost(PER_REGEX_CHARACTER)),
                        new Size(0, on.max()));
            case "cidr", "isIP", "isCIDR", "quantity", "isQuantity", "semver", "isSemver" -> of(first.cost(TRAVERSAL));
            case "ip" -> of(overload.equals("cidr_ip") ? 1 : first.cost(TRAVERSAL));
            case "ip.isCanonical" -> of(first.cost(2 * TRAVERSAL));
            case "containsIP" ->
                of(ADDRESS.plus(ADDRESS).cost(TRAVERSAL) + (overload.endsWith("string") ? first.cost(TRAVERSAL) : 0));
            case "containsCIDR" ->
                of(ADDRESS.plus(ADDRESS).cost(TRAVERSAL)
                        + ADDRESS.cost(TRAVERSAL)
                        + 1
                        + (overload.endsWith("string") ? first.cost(TRAVERSAL) : 0));
            case "sets.contains", "sets.intersects" -> of(pairs(arguments, 1));
            case "sets.equivalent" -> of(pairs(arguments, 2));
            case "validate" -> of(Size.product(first.cost(TRAVERSAL), FORMAT_REGEX));
            case "_==_" -> opaque(arguments);
            case "lists.range" -> allocating(1, Size.of(constant(arguments, 0, Long.MAX_VALUE)));
            case "slice" ->
                allocating(1, Size.of(Math.max(0, constant(arguments, 1, on.max()) - constant(arguments, 0, 0))));
            case "flatten" -> allocating(arguments.isEmpty() ? 1 : (double) constant(arguments, 0, Long.MAX_VALUE), on);
            case "reverse" -> allocating(1, on);
            case "distinct" -> allocating(2, on.times(on));
            case "sort" -> compared(target, on);
            case SortFunctions.BY_KEYS -> compared(arguments.isEmpty() ? null : arguments.get(0), first);
            default -> standard(overload, on, arguments);
        };
    }

    /** Returns the cost of a selector that is parsed: a list, the text, and each requirement of two characters. */
    static long ofSelector(Size text) {
        return Size.sum(LIST + text.cost(TRAVERSAL), Size.scaled(text.cost(0.5), 50));
    }

    private static long pairs(List<Node> lists, int factor) {
        Size pairs = lists.get(0).sizeOrUnknown().times(lists.get(1).sizeOrUnknown());
        return Size.sum(1, pairs.cost(factor));
    }

    /** A list that a function makes, and the steps for each of its elements. */
    private static CallCost allocating(double factor, Size size) {
        return new CallCost(Size.sum(size.cost(factor), 1 + LIST), size);
    }

    /** A function that may compare each element with each. */
    private static CallCost compared(@Nullable Node list, Size size) {
        CelKind kind = list == null || list.type().parameters().isEmpty()
                ? CelKind.DYN
                : list.type().parameters().get(0).kind();
        boolean text = kind == CelKind.STRING || kind == CelKind.BYTES;
        return allocating(text ? 2 + TRAVERSAL : 2, size.times(size));
    }

    /** Returns the value of an argument that is written as a number; otherwise the greatest that it can be. */
    private static long constant(List<Node> arguments, int index, long most) {
        CelExpr argument = arguments.get(index).expr();
        boolean isNumber = argument.exprKind().getKind() == Kind.CONSTANT
                && argument.constant().getKind() == CelConstant.Kind.INT64_VALUE;
        return isNumber && argument.constant().int64Value() >= 0
                ? argument.constant().int64Value()
                : most;
    }

    private static CallCost opaque(List<Node> arguments) {
        CelType type = arguments.get(0).type();
        boolean fixed = type.kind() == CelKind.OPAQUE
                && !type.name().equals("optional_type")
                && type.equals(arguments.get(1).type());
        return fixed ? of(1) : standard("equals", Size.UNKNOWN, arguments);
    }

    private static CallCost standard(String overload, Size on, List<Node> arguments) {
        List<Size> sizes = arguments.stream().map(Node::sizeOrUnknown).toList();
        return switch (overload) {
            case "string_format" -> of(on.cost(TRAVERSAL));
            case "string_to_bytes" ->
                new CallCost(
                        sizes.get(0).cost(TRAVERSAL),
                        new Size(sizes.get(0).min(), Size.product(sizes.get(0).max(), 4)));
            case "bytes_to_string" ->
                new CallCost(
                        sizes.get(0).cost(TRAVERSAL),
                        new Size(sizes.get(0).min() / 4, sizes.get(0).max()));
            case "strings_quote" ->
                new CallCost(
                        sizes.get(0).cost(TRAVERSAL),
                        sizes.get(0).times(new Size(1, 2)).plus(Size.of(2)));
            case "starts_with_string", "ends_with_string" -> of(sizes.get(0).cost(TRAVERSAL));
            case "in_list" -> of(sizes.get(1).max());
            case "matches_string" ->
                of(Size.product(
                        on.plus(Size.of(1)).cost(TRAVERSAL), sizes.get(0).cost(PER_REGEX_CHARACTER)));
            case "contains_string" ->
                of(Size.product(on.cost(TRAVERSAL), sizes.get(0).cost(TRAVERSAL)));
            case "add_list" -> new CallCost(1, sizes.get(0).plus(sizes.get(1)));
            case "add_string", "add_bytes" -> {
                Size both = sizes.get(0).plus(sizes.get(1));
                yield new CallCost(both.cost(TRAVERSAL), both);
            }
            case "less_string",
                    "greater_string",
                    "less_equals_string",
                    "greater_equals_string",
                    "less_bytes",
                    "greater_bytes",
                    "less_equals_bytes",
                    "greater_equals_bytes",
                    "equals",
                    "not_equals" ->
                of(Size.scaled(Math.min(sizes.get(0).max(), sizes.get(1).max()), TRAVERSAL));
            default -> of(1);
        };
    }

    /** Returns the node of the elements of a list; null if the target is not a list. */
    private static @Nullable Node elements(@Nullable Node list, @Nullable JsonObject schema) {
        if (list == null || list.type().parameters().isEmpty()) {
            return null;
        }
        List<String> path = new ArrayList<>(list.path());
        if (!path.isEmpty()) {
            path.add(SchemaSizes.ITEMS);
        }
        return new Node(list.expr(), path, list.type().parameters().get(0), SchemaSizes.of(schema, path));
    }

    private static CallCost traversal(@Nullable Node target, Size on, @Nullable JsonObject schema) {
        Node element = elements(target, schema);
        if (element == null) {
            return of(on.cost(TRAVERSAL));
        }
        CelKind kind = element.type().kind();
        boolean text = kind == CelKind.STRING || kind == CelKind.BYTES;
        long each = text ? Size.sum(1, element.sizeOrUnknown().cost(TRAVERSAL)) : 1;
        return of(Size.product(on.max(), each));
    }

    private static CallCost joined(@Nullable Node target, Size on, List<Node> arguments, @Nullable JsonObject schema) {
        Node element = elements(target, schema);
        Size size = element == null ? new Size(0, 0) : on.times(element.sizeOrUnknown());
        if (!arguments.isEmpty()) {
            Size separators = new Size(Math.max(0, on.min() - 1), Math.max(0, on.max() - 1));
            size = size.plus(arguments.get(0).sizeOrUnknown().times(separators));
        }
        return new CallCost(size.cost(TRAVERSAL), size);
    }

    private static long pieces(Size on, List<Node> arguments) {
        if (arguments.size() > 1) {
            CelExpr limit = arguments.get(1).expr();
            if (limit.exprKind().getKind() == Kind.CONSTANT
                    && limit.constant().getKind() == CelConstant.Kind.INT64_VALUE) {
                return limit.constant().int64Value();
            }
        }
        return on.max();
    }

    private static Size replaced(Size on, List<Node> arguments) {
        Size old = arguments.get(0).sizeOrUnknown();
        Size by = arguments.get(1).sizeOrUnknown();
        long most;
        long mostKept = 0;
        if (old.min() == 0) {
            most = Size.sum(on.max(), 1);
            mostKept = on.max();
        } else if (by.max() <= old.min()) {
            most = 0;
            mostKept = on.max();
        } else {
            most = (long) Math.ceil((double) on.max() / old.min());
        }
        long least;
        long leastKept = 0;
        if (old.max() == 0) {
            least = Size.sum(on.min(), 1);
            leastKept = on.min();
        } else if (old.max() <= by.min()) {
            least = 0;
            leastKept = on.min();
        } else {
            least = (long) Math.ceil((double) on.min() / old.max());
        }
        return new Size(least, most).times(by).plus(new Size(leastKept, mostKept));
    }
}
