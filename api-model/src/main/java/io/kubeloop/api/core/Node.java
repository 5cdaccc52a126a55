/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;

/**
 * A machine that runs pods (upstream: {@code core/v1.Node}).
 *
 * @param metadata name, namespace, labels and the rest
 * @param spec the desired state: address range and taints
 * @param status the state that the kubelet last reported
 * @param unknownFields all other fields
 */
@WithMethods
public record Node(ObjectMeta metadata, NodeSpec spec, NodeStatus status, UnknownFields unknownFields)
        implements KubeObject, NodeBuilder.With {

    /** Null means the zero value. */
    public Node {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        spec = spec == null ? NodeSpec.EMPTY : spec;
        status = status == null ? NodeStatus.EMPTY : status;
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns an object with nothing beyond these parts. */
    public static Node of(ObjectMeta metadata, NodeSpec spec, NodeStatus status) {
        return new Node(metadata, spec, status, UnknownFields.NONE);
    }

    /** Returns a copy with this metadata. */
    @Override
    public Node withMetadata(ObjectMeta metadata) {
        return new Node(metadata, spec, status, unknownFields);
    }
}
