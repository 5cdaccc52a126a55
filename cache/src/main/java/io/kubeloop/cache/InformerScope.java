package io.kubeloop.cache;

import java.util.Objects;

/**
 * The part of a resource that an informer holds. Requests for the same resource and scope share one informer.
 * Immutable.
 *
 * @param namespace the only namespace; empty for all namespaces
 * @param labelSelector label selector that objects must match; empty for none
 * @param fieldSelector field selector that objects must match; empty for none
 */
public record InformerScope(String namespace, String labelSelector, String fieldSelector) {

    /** All objects. */
    public static final InformerScope ALL = new InformerScope("", "", "");

    /** Rejects null. */
    public InformerScope {
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(labelSelector, "labelSelector");
        Objects.requireNonNull(fieldSelector, "fieldSelector");
    }

    /** Returns a copy for one namespace; empty for all namespaces. */
    public InformerScope withNamespace(String namespace) {
        return new InformerScope(namespace, labelSelector, fieldSelector);
    }

    /** Returns a copy with this label selector; empty for none. */
    public InformerScope withLabelSelector(String labelSelector) {
        return new InformerScope(namespace, labelSelector, fieldSelector);
    }

    /** Returns a copy with this field selector; empty for none. */
    public InformerScope withFieldSelector(String fieldSelector) {
        return new InformerScope(namespace, labelSelector, fieldSelector);
    }

    /** Returns the parts that are set, such as {@code shop, app=web}; empty for all objects. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(namespace);
        for (String selector : new String[] {labelSelector, fieldSelector}) {
            if (!selector.isEmpty()) {
                text.append(text.isEmpty() ? "" : ", ").append(selector);
            }
        }
        return text.toString();
    }
}
