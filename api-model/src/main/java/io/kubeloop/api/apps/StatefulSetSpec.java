/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.apps;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;
import io.kubeloop.api.core.PodTemplateSpec;
import io.kubeloop.api.selector.LabelSelector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The desired state of a StatefulSet (upstream: {@code apps/v1.StatefulSetSpec}).
 *
 * @param replicas the number of pods; null means 1
 * @param selector the pods that count; required in stored objects
 * @param template the form of new pods; a change of it starts a rollout
 * @param volumeClaimTemplates the claims that each pod gets
 * @param serviceName the headless service that gives the pods their domain names
 * @param podManagementPolicy {@code OrderedReady} or {@code Parallel}; empty before defaulting, which sets {@code
 *     OrderedReady}
 * @param updateStrategy how old pods are replaced by new ones
 * @param revisionHistoryLimit the number of unused revisions to keep for a rollback; null means 10
 * @param minReadySeconds the time for which a pod must be ready before it counts as available, in seconds
 * @param persistentVolumeClaimRetentionPolicy what happens to the claims of removed pods; null means that all are kept
 * @param ordinals the numbers of the pods; null means from 0
 * @param unknownFields all other fields
 */
@WithMethods
public record StatefulSetSpec(
        @Nullable Integer replicas,
        @Nullable LabelSelector selector,
        PodTemplateSpec template,
        List<VolumeClaimTemplate> volumeClaimTemplates,
        String serviceName,
        String podManagementPolicy,
        StatefulSetUpdateStrategy updateStrategy,
        @Nullable Integer revisionHistoryLimit,
        @JsonMember(omitZero = true) int minReadySeconds,
        @Nullable ClaimRetentionPolicy persistentVolumeClaimRetentionPolicy,
        @Nullable StatefulSetOrdinals ordinals,
        UnknownFields unknownFields)
        implements StatefulSetSpecBuilder.With {

    /** Policy: all pods are created and deleted at once. */
    public static final String PARALLEL = "Parallel";

    /** Every field absent. */
    public static final StatefulSetSpec EMPTY = StatefulSetSpecBuilder.builder().build();

    /** Copies the collections; null means the zero value. */
    public StatefulSetSpec {
        template = template == null ? PodTemplateSpec.EMPTY : template;
        volumeClaimTemplates = Values.orEmpty(volumeClaimTemplates);
        serviceName = Values.orEmpty(serviceName);
        podManagementPolicy = Values.orEmpty(podManagementPolicy);
        updateStrategy = updateStrategy == null ? StatefulSetUpdateStrategy.EMPTY : updateStrategy;
        unknownFields = Values.orNone(unknownFields);
    }
}
