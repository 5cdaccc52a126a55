package io.kubeloop.cache;

import java.util.Objects;

/**
 * Which objects of a resource an informer holds. Two requests for one resource and scope share an informer.
 *
 * @param namespace the one namespace; empty for all
 * @param labelSelector selector text that objects must match; empty for none
 * @param fieldSelector selector text that objects must match; empty for none
 */
public record InformerScope(String namespace, String labelSelector, String fieldSelector) {

    /** Everything. */
    public static final InformerScope ALL = new InformerScope("", "", "");

    /** Checks that nothing is null. */
    public InformerScope {
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(labelSelector, "labelSelector");
        Objects.requireNonNull(fieldSelector, "fieldSelector");
    }

    /** Returns a copy for one namespace; empty for all. */
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

    /** Returns what is told apart by it, such as {@code shop, app=web}; empty for everything. */
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
