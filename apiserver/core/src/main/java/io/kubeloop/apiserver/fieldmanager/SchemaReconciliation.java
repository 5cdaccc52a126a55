/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.TypeSchema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adapts a stored field set to a type that has become atomic since: the owner of a part then owns the whole (upstream:
 * {@code typed/reconcile_schema.go}). Thread-safe: stateless.
 */
final class SchemaReconciliation {

    private SchemaReconciliation() {}

    /** Returns the set in terms of the type; the same instance if nothing changes. O(n). */
    @SuppressWarnings("ReferenceEquality") // unchanged parts are the same instances
    static FieldSet reconcile(FieldSet set, @Nullable TypeSchema type) {
        if (type == null || type instanceof TypeSchema.Scalar || isUntyped(type)) {
            return set;
        }
        List<FieldSet.Node> nodes = null;
        for (int i = 0; i < set.nodes().size(); i++) {
            FieldSet.Node node = set.nodes().get(i);
            if (node.below().isEmpty()) {
                continue;
            }
            TypeSchema below = Types.below(type, node.element());
            boolean isWhole = below != null && Types.isAtomic(below);
            FieldSet reconciled = isWhole ? FieldSet.EMPTY : reconcile(node.below(), below);
            if (reconciled != node.below()) {
                nodes = nodes == null ? new ArrayList<>(set.nodes()) : nodes;
                nodes.set(i, new FieldSet.Node(node.element(), isWhole || node.isMember(), reconciled));
            }
        }
        return nodes == null ? set : FieldSet.ofNodes(nodes);
    }

    private static boolean isUntyped(TypeSchema type) {
        if (type instanceof StructSchema struct) {
            return struct.others() instanceof TypeSchema.Any && struct.fields().isEmpty();
        }
        return type instanceof TypeSchema.Any
                || (type instanceof TypeSchema.MapOf map && map.values() instanceof TypeSchema.Any);
    }
}
