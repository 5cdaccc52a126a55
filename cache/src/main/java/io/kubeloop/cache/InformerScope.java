/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import io.kubeloop.api.WithMethods;
import io.kubeloop.api.selector.ShardSelector;
import java.util.Objects;

/**
 * The part of a resource that an informer holds. Requests for the same resource and scope share one informer.
 * Immutable.
 *
 * @param namespace the only namespace; empty for all namespaces
 * @param labelSelector label selector that objects must match; empty for none
 * @param fieldSelector field selector that objects must match; empty for none
 * @param shardSelector text of the {@link io.kubeloop.api.selector.ShardSelector} that objects must match; empty for
 *     none
 */
@WithMethods
public record InformerScope(String namespace, String labelSelector, String fieldSelector, String shardSelector)
        implements InformerScopeBuilder.With {

    /** All objects. */
    public static final InformerScope ALL = new InformerScope("", "", "", "");

    /** Rejects null. */
    public InformerScope {
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(labelSelector, "labelSelector");
        Objects.requireNonNull(fieldSelector, "fieldSelector");
        Objects.requireNonNull(shardSelector, "shardSelector");
    }

    /**
     * Returns a copy for one shard. The requests carry the selector. A server that supports it sends only the objects
     * of the shard; the objects of other shards are dropped in any case.
     */
    public InformerScope withShard(ShardSelector shard) {
        return new InformerScope(namespace, labelSelector, fieldSelector, shard.toString());
    }

    /* Methods of its own, as in ObjectName. */

    @Override
    public boolean equals(Object other) {
        if (other == this) {
            return true;
        }
        return other instanceof InformerScope scope
                && namespace.equals(scope.namespace)
                && labelSelector.equals(scope.labelSelector)
                && fieldSelector.equals(scope.fieldSelector)
                && shardSelector.equals(scope.shardSelector);
    }

    @Override
    public int hashCode() {
        int selectors = 31 * labelSelector.hashCode() + fieldSelector.hashCode();
        return 31 * (31 * namespace.hashCode() + selectors) + shardSelector.hashCode();
    }

    /** Returns the parts that are set, such as {@code shop, app=web}; empty for all objects. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(namespace);
        for (String selector : new String[] {labelSelector, fieldSelector, shardSelector}) {
            if (!selector.isEmpty()) {
                text.append(text.isEmpty() ? "" : ", ").append(selector);
            }
        }
        return text.toString();
    }
}
