/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.api.Finalizers;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.batch.Job;
import io.kubeloop.api.core.Container;
import io.kubeloop.api.core.ContainerBuilder;
import io.kubeloop.api.core.EnvVar;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodSpec;
import io.kubeloop.api.core.PodSpecBuilder;
import io.kubeloop.controller.ControllerRefs;
import io.kubeloop.controller.pods.PodTemplates;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the pods of a job. Stateless. */
final class JobPodTemplates {

    /** The server completes a generated name with 5 characters; a label has at most 63. */
    private static final int LONGEST_PREFIX = 58;

    private static final EnvVar INDEX_VARIABLE = new EnvVar(
            "JOB_COMPLETION_INDEX",
            UnknownFields.ofMembers(
                    "\"valueFrom\":{\"fieldRef\":{\"fieldPath\":\"metadata.labels['" + PodIndexes.INDEX + "']\"}}"));

    private JobPodTemplates() {}

    /** Returns a pod of the job's template with the finalizer of jobs. */
    static Pod pod(Job job) {
        Pod pod = PodTemplates.podFromTemplate(
                job.spec().template(),
                job.metadata().namespace(),
                ControllerRefs.newControllerRef(ResourceTypes.JOBS, job));
        return Finalizers.add(pod, Jobs.FINALIZER);
    }

    /**
     * Returns the pod of an index, with the index as annotation, label, host name and environment variable.
     *
     * @param replaced the failed pod that it replaces; null if there is none
     */
    static Pod pod(Job job, int index, @Nullable Pod replaced) {
        Pod pod = pod(job);
        ObjectMeta metadata = pod.metadata();
        Map<String, String> labels = new LinkedHashMap<>(metadata.labels());
        labels.put(PodIndexes.INDEX, Integer.toString(index));
        Map<String, String> annotations = new LinkedHashMap<>(metadata.annotations());
        annotations.put(PodIndexes.INDEX, Integer.toString(index));
        if (Jobs.hasLimitPerIndex(job)) {
            addFailures(annotations, job, replaced);
        }
        PodSpec spec = pod.spec();
        return pod.withMetadata(ObjectMetaBuilder.builder(metadata)
                        .generateName(prefix(job.metadata().name(), index))
                        .labels(labels)
                        .annotations(annotations)
                        .build())
                .withSpec(PodSpecBuilder.builder(spec)
                        .hostname(job.metadata().name() + "-" + index)
                        .initContainers(withIndexVariable(spec.initContainers()))
                        .containers(withIndexVariable(spec.containers()))
                        .build());
    }

    private static void addFailures(Map<String, String> annotations, Job job, @Nullable Pod replaced) {
        int failures = replaced == null ? 0 : PodIndexes.failures(replaced);
        int ignored = replaced == null ? 0 : PodIndexes.ignoredFailures(replaced);
        if (replaced != null) {
            boolean counts = PodFailureRules.outcome(job.spec().podFailurePolicy(), replaced)
                    .counts();
            failures += counts ? 1 : 0;
            ignored += counts ? 0 : 1;
        }
        annotations.put(PodIndexes.FAILURES, Integer.toString(failures));
        if (ignored > 0) {
            annotations.put(PodIndexes.IGNORED_FAILURES, Integer.toString(ignored));
        }
    }

    /** Returns the beginning of the names of an index's pods. */
    static String prefix(String job, int index) {
        String end = "-" + index + "-";
        return job.substring(0, Math.min(job.length(), LONGEST_PREFIX - end.length())) + end;
    }

    private static List<Container> withIndexVariable(List<Container> containers) {
        return containers.stream().map(JobPodTemplates::withIndexVariable).toList();
    }

    private static Container withIndexVariable(Container container) {
        if (container.env().stream().anyMatch(variable -> variable.name().equals(INDEX_VARIABLE.name()))) {
            return container;
        }
        List<EnvVar> variables = new ArrayList<>(container.env());
        variables.add(INDEX_VARIABLE);
        return ContainerBuilder.builder(container).env(variables).build();
    }
}
