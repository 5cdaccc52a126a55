/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.apps;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;

/**
 * A recorded state of a StatefulSet or DaemonSet, to which a rollout can return (upstream: {@code
 * apps/v1.ControllerRevision}).
 *
 * <p>The data stays in {@code unknownFields}, because its form depends on the owner.
 *
 * @param metadata name, namespace, labels and the rest
 * @param revision the number of this state; the owner's latest state has the highest
 * @param unknownFields all other fields
 */
@WithMethods
public record ControllerRevision(
        ObjectMeta metadata, @JsonMember(omitZero = true) long revision, UnknownFields unknownFields)
        implements KubeObject, ControllerRevisionBuilder.With {

    /** Null means the zero value. */
    public ControllerRevision {
        metadata = metadata == null ? ObjectMeta.EMPTY : metadata;
        unknownFields = Values.orNone(unknownFields);
    }

    /** Returns an object with nothing beyond these parts. */
    public static ControllerRevision of(ObjectMeta metadata, long revision) {
        return new ControllerRevision(metadata, revision, UnknownFields.NONE);
    }

    /** Returns a copy with this metadata. */
    @Override
    public ControllerRevision withMetadata(ObjectMeta metadata) {
        return new ControllerRevision(metadata, revision, unknownFields);
    }
}
