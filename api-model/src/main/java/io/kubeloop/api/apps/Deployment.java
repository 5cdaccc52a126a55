/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.apps;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;

/**
 * Rolls out changes of a pod template by means of ReplicaSets (upstream: {@code apps/v1.Deployment}).
 *
 * @param metadata name, namespace, labels and the rest
 * @param spec the desired pods, and how to replace old ones
 * @param status the state that the controller last observed
 * @param unknownFields all other fields
 */
@WithMethods
public record Deployment(ObjectMeta metadata, DeploymentSpec spec, DeploymentStatus status, UnknownFields unknownFields)
        implements KubeObject, DeploymentBuilder.With {

    /** Null means the zero value. */
    public Deployment {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        spec = spec == null ? DeploymentSpec.EMPTY : spec;
        status = status == null ? DeploymentStatus.EMPTY : status;
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns an object with nothing beyond these parts. */
    public static Deployment of(ObjectMeta metadata, DeploymentSpec spec, DeploymentStatus status) {
        return new Deployment(metadata, spec, status, UnknownFields.NONE);
    }

    /** Returns a copy with this metadata. */
    @Override
    public Deployment withMetadata(ObjectMeta metadata) {
        return new Deployment(metadata, spec, status, unknownFields);
    }
}
