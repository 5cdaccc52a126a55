/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.TypeSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A set of fields of an object, as a tree of path elements (upstream: {@code fieldpath.Set}).
 *
 * <p>A field can be a member without its parent, and a parent without its fields. Immutable; a result shares the parts
 * that are equal with the operands, and is the left operand itself if it equals it. An operation costs O(the nodes that
 * both operands have, and their neighbors).
 */
public final class FieldSet {

    /** The set without fields. */
    public static final FieldSet EMPTY = new FieldSet(List.of());

    // Sorted by element, without duplicates. Every node is a member or has nodes below it.
    private final List<Node> nodes;

    /**
     * One path element of a set.
     *
     * @param element the last step of the path
     * @param isMember whether the field itself belongs to the set
     * @param below the members below the field
     */
    record Node(PathElement element, boolean isMember, FieldSet below) {

        private @Nullable Node with(boolean member, FieldSet other) {
            if (member == isMember && other == below) {
                return this;
            }
            return member || !other.isEmpty() ? new Node(element, member, other) : null;
        }
    }

    private FieldSet(List<Node> nodes) {
        this.nodes = nodes;
    }

    /** Returns the set of these fields. */
    public static FieldSet of(FieldPath... paths) {
        return of(Arrays.asList(paths));
    }

    /** Returns the set of these fields. A path without elements is ignored. */
    public static FieldSet of(Iterable<FieldPath> paths) {
        FieldSet result = EMPTY;
        for (FieldPath path : paths) {
            FieldSet single = EMPTY;
            boolean isMember = true;
            for (int i = path.elements().size() - 1; i >= 0; i--) {
                single = new FieldSet(List.of(new Node(path.elements().get(i), isMember, single)));
                isMember = false;
            }
            result = result.union(single);
        }
        return result;
    }

    /** Returns the set of these nodes, in any order. Nodes of the same element are united; empty nodes are left out. */
    static FieldSet ofNodes(List<Node> nodes) {
        List<Node> kept = new ArrayList<>(nodes.size());
        boolean sorted = true;
        for (Node node : nodes) {
            if (node.isMember || !node.below.isEmpty()) {
                sorted = sorted
                        && (kept.isEmpty() || kept.get(kept.size() - 1).element.compareTo(node.element) < 0);
                kept.add(node);
            }
        }
        if (!sorted) {
            kept.sort(Comparator.comparing(Node::element));
            kept = united(kept);
        }
        return wrap(kept);
    }

    private static List<Node> united(List<Node> sorted) {
        List<Node> result = new ArrayList<>(sorted.size());
        for (Node node : sorted) {
            int last = result.size() - 1;
            if (last >= 0 && result.get(last).element.compareTo(node.element) == 0) {
                Node previous = result.get(last);
                result.set(
                        last,
                        new Node(node.element, previous.isMember || node.isMember, previous.below.union(node.below)));
            } else {
                result.add(node);
            }
        }
        return result;
    }

    private static FieldSet wrap(List<Node> nodes) {
        return nodes.isEmpty() ? EMPTY : new FieldSet(Collections.unmodifiableList(nodes));
    }

    /** Returns the nodes of the first level, in order; unmodifiable. */
    List<Node> nodes() {
        return nodes;
    }

    /** Returns whether the set has no members. O(1). */
    public boolean isEmpty() {
        return nodes.isEmpty();
    }

    /** Returns the number of members. O(n). */
    public int size() {
        int size = 0;
        for (Node node : nodes) {
            size += (node.isMember ? 1 : 0) + node.below.size();
        }
        return size;
    }

    /** Returns whether the field is a member. */
    public boolean has(FieldPath path) {
        FieldSet set = this;
        for (int i = 0; i < path.elements().size(); i++) {
            Node node = set.node(path.elements().get(i));
            if (node == null) {
                return false;
            }
            if (i == path.elements().size() - 1) {
                return node.isMember;
            }
            set = node.below;
        }
        return false;
    }

    /** Returns whether a field of the first level is a member. */
    boolean has(PathElement element) {
        Node node = node(element);
        return node != null && node.isMember;
    }

    /** Returns the members below a field of the first level. */
    FieldSet below(PathElement element) {
        Node node = node(element);
        return node == null ? EMPTY : node.below;
    }

    private @Nullable Node node(PathElement element) {
        int low = 0;
        int high = nodes.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = nodes.get(middle).element.compareTo(element);
            if (order == 0) {
                return nodes.get(middle);
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return null;
    }

    /** Returns the members in order: the fields of a level first, then those below each of them. O(n). */
    public List<FieldPath> paths() {
        List<FieldPath> paths = new ArrayList<>();
        collect(new ArrayList<>(), paths);
        return paths;
    }

    private void collect(List<PathElement> prefix, List<FieldPath> paths) {
        for (Node node : nodes) {
            if (node.isMember) {
                prefix.add(node.element);
                paths.add(new FieldPath(prefix));
                prefix.remove(prefix.size() - 1);
            }
        }
        for (Node node : nodes) {
            prefix.add(node.element);
            node.below.collect(prefix, paths);
            prefix.remove(prefix.size() - 1);
        }
    }

    /** What becomes of two nodes of the same element. */
    @FunctionalInterface
    private interface Combination {

        /** Returns the node of the result, or null for none. At most one of the operands is null. */
        @Nullable
        Node of(@Nullable Node mine, @Nullable Node theirs);
    }

    private FieldSet combine(FieldSet other, Combination combination) {
        List<Node> result = new ArrayList<>(nodes.size());
        boolean same = true;
        int mine = 0;
        int theirs = 0;
        while (mine < nodes.size() || theirs < other.nodes.size()) {
            int order = mine == nodes.size()
                    ? 1
                    : theirs == other.nodes.size()
                            ? -1
                            : nodes.get(mine).element.compareTo(other.nodes.get(theirs).element);
            Node left = order <= 0 ? nodes.get(mine++) : null;
            Node right = order >= 0 ? other.nodes.get(theirs++) : null;
            Node combined = combination.of(left, right);
            same = same && combined == left;
            if (combined != null) {
                result.add(combined);
            }
        }
        return same ? this : wrap(result);
    }

    /** Returns the fields that are in at least one of the sets. */
    public FieldSet union(FieldSet other) {
        if (other.isEmpty() || other == this) {
            return this;
        }
        if (isEmpty()) {
            return other;
        }
        return combine(other, (mine, theirs) -> {
            if (mine == null || theirs == null) {
                return mine == null ? theirs : mine;
            }
            return mine.with(mine.isMember || theirs.isMember, mine.below.union(theirs.below));
        });
    }

    /** Returns the fields that are in both sets. */
    public FieldSet intersection(FieldSet other) {
        if (isEmpty() || other.isEmpty()) {
            return EMPTY;
        }
        return combine(other, (mine, theirs) -> {
            if (mine == null || theirs == null) {
                return null;
            }
            return mine.with(mine.isMember && theirs.isMember, mine.below.intersection(theirs.below));
        });
    }

    /** Returns the fields of this set that are not in the other one. Fields below a member of the other set remain. */
    public FieldSet difference(FieldSet other) {
        if (isEmpty() || other.isEmpty()) {
            return this;
        }
        return combine(other, (mine, theirs) -> {
            if (mine == null || theirs == null) {
                return mine;
            }
            return mine.with(mine.isMember && !theirs.isMember, mine.below.difference(theirs.below));
        });
    }

    /** Returns the fields of this set that are neither in the other one nor below a member of it. */
    public FieldSet recursiveDifference(FieldSet other) {
        if (isEmpty() || other.isEmpty()) {
            return this;
        }
        return combine(other, (mine, theirs) -> {
            if (mine == null || theirs == null) {
                return mine;
            }
            return theirs.isMember ? null : mine.with(mine.isMember, mine.below.recursiveDifference(theirs.below));
        });
    }

    /**
     * Returns the set with the parents of members that are fields of a struct. Such parents are usually not members,
     * because a struct always has its fields.
     *
     * @param type the type of the object; null if it is unknown
     */
    FieldSet withDeclaredParents(@Nullable TypeSchema type) {
        List<Node> result = new ArrayList<>(nodes.size());
        boolean same = true;
        for (Node node : nodes) {
            if (node.below.isEmpty()) {
                result.add(node);
                continue;
            }
            boolean declared = node.element instanceof PathElement.Field field
                    && type instanceof StructSchema struct
                    && struct.field(field.name()) != null;
            Node changed = node.with(
                    node.isMember || declared, node.below.withDeclaredParents(Types.below(type, node.element)));
            same = same && changed == node;
            result.add(changed == null ? node : changed);
        }
        return same ? this : wrap(result);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FieldSet that && nodes.equals(that.nodes);
    }

    @Override
    public int hashCode() {
        return nodes.hashCode();
    }

    /** Returns the members, one per line. */
    @Override
    public String toString() {
        return String.join("\n", paths().stream().map(FieldPath::toString).toList());
    }
}
