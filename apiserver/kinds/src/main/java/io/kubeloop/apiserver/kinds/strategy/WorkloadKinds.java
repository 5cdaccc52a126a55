/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.strategy;

import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.CHANGE;
import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.METADATA;
import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.METADATA_CHANGE;
import static io.kubeloop.apiserver.rest.RestStrategy.UpdateStep.OBJECT;

import io.kubeloop.apiserver.fielderrors.Digits;
import io.kubeloop.apiserver.kinds.conversion.StorageForms;
import io.kubeloop.apiserver.kinds.validation.DeclaredFormats;
import io.kubeloop.apiserver.kinds.validation.workload.CronRules;
import io.kubeloop.apiserver.kinds.validation.workload.DisruptionRules;
import io.kubeloop.apiserver.kinds.validation.workload.JobRules;
import io.kubeloop.apiserver.kinds.validation.workload.ScalingRules;
import io.kubeloop.apiserver.kinds.validation.workload.WorkloadRules;
import io.kubeloop.apiserver.kinds.warnings.WorkloadWarnings;
import io.kubeloop.apiserver.objectmeta.Members;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.objectmeta.Names;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Map;

/**
 * The kinds of the groups apps, batch, autoscaling and policy (upstream: {@code pkg/registry/apps} and its neighbors).
 */
final class WorkloadKinds {

    private static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

    static final Map<String, KindStrategy.Entry> TABLE = Map.of(
            "deployments.apps",
            KindStrategy.of("apps.v1.Deployment")
                    .with(Trait.STATUS)
                    .generationOf("spec", "metadata.annotations") // the controller copies them to the ReplicaSets
                    .onUpdate(WorkloadKinds::withOldLabels)
                    .warnings(WorkloadWarnings.ofTemplate(true, "spec", "template")::warnings)
                    .check(WorkloadRules::deployment)
                    .checkUpdate(WorkloadRules::deploymentUpdate),
            "replicasets.apps",
            KindStrategy.of("apps.v1.ReplicaSet")
                    .with(Trait.STATUS)
                    .generation()
                    .warnings(WorkloadWarnings.ofTemplate(true, "spec", "template")::warnings)
                    .check(WorkloadRules::replicaSet)
                    .checkUpdate(WorkloadRules::replicaSetUpdate),
            "replicationcontrollers",
            KindStrategy.of("core.v1.ReplicationController")
                    .names(DeclaredFormats::objectName)
                    .storedAs("controllers")
                    .storedAs("controllers")
                    .with(Trait.STATUS)
                    .generation()
                    .selectable("status.replicas")
                    .with(Trait.ORPHANS_BY_DEFAULT) // for compatibility with clients from before garbage collection
                    .warnings(WorkloadWarnings.ofTemplate(true, "spec", "template")::warnings)
                    .check(WorkloadRules::replicationController)
                    .checkUpdate(WorkloadRules::replicaStatus),
            "daemonsets.apps",
            KindStrategy.of("apps.v1.DaemonSet")
                    .versionAnnotations(List.of(TEMPLATE_GENERATION))
                    .with(Trait.STATUS)
                    .generation()
                    .onCreate(set -> withTemplateGeneration(set, Math.max(1, templateGeneration(set))))
                    .onUpdate(WorkloadKinds::daemonSetUpdate)
                    .warnings(WorkloadWarnings.ofTemplate(false, "spec", "template")::warnings)
                    .checkCreate(WorkloadRules::daemonSet)
                    .checkUpdate(WorkloadRules::daemonSetUpdate),
            "statefulsets.apps",
            KindStrategy.of("apps.v1.StatefulSet")
                    .with(Trait.STATUS)
                    .generation()
                    .names(Names::dns1123Label)
                    .warnings(WorkloadWarnings::statefulSet)
                    .checkCreate(set -> WorkloadRules.statefulSet(set, true))
                    .checkUpdate(WorkloadRules::statefulSetUpdate),
            "controllerrevisions.apps",
            KindStrategy.of("apps.v1.ControllerRevision")
                    .updates(METADATA_CHANGE, METADATA, OBJECT, CHANGE)
                    .check(WorkloadRules::revision)
                    .checkCreate(WorkloadRules::newRevision)
                    .checkUpdate(WorkloadRules::revisionUpdate),
            "jobs.batch",
            KindStrategy.of("batch.v1.Job")
                    .updates(METADATA_CHANGE, CHANGE)
                    .with(Trait.STATUS)
                    .generation()
                    .selectable("status.successful", KindStrategy.text("batch.v1.Job", "status.succeeded"))
                    .with(Trait.ORPHANS_BY_DEFAULT) // for compatibility with clients from before garbage collection
                    .onCreate(WorkloadKinds::withGeneratedSelector)
                    .deletionWarning("child pods are preserved by default when jobs are deleted; set"
                            + " propagationPolicy=Background to remove them or set propagationPolicy=Orphan "
                            + "to suppress this warning")
                    .onRead(WorkloadKinds::withTemplateLabels)
                    .unsupportedField("field label \"%s\" not supported for Job")
                    .warnings(WorkloadWarnings::job)
                    .checkCreate(JobRules::create)
                    .checkUpdate(JobRules::update),
            "cronjobs.batch",
            KindStrategy.of("batch.v1.CronJob")
                    .with(Trait.STATUS)
                    .generation()
                    .warnings(WorkloadWarnings::cronJob)
                    .check(CronRules::cronJob)
                    .checkCreate(CronRules::newCronJob),
            "horizontalpodautoscalers.autoscaling",
            KindStrategy.of("autoscaling.v2.HorizontalPodAutoscaler")
                    .with(Trait.CHECKS_SENT)
                    .versionAnnotations(StorageForms.AUTOSCALER_ANNOTATIONS)
                    .with(Trait.STATUS)
                    .generation()
                    .checkCreate(ScalingRules::create)
                    .checkUpdate(ScalingRules::update),
            "poddisruptionbudgets.policy",
            KindStrategy.of("policy.v1.PodDisruptionBudget")
                    .updates(OBJECT, CHANGE)
                    .statusUpdates(CHANGE)
                    .with(Trait.STATUS)
                    .generation()
                    .with(Trait.REQUIRES_VERSION_ON_UPDATE)
                    .names(Names::pathSegment)
                    .with(Trait.PLAIN_FINALIZERS)
                    .check(DisruptionRules::budget)
                    .checkUpdate(DisruptionRules::update));

    private WorkloadKinds() {}

    /** An update of the status of a deployment keeps the labels. */
    private static JsonObject withOldLabels(JsonObject object, JsonObject old, Part part) {
        return part == Part.STATUS
                ? object.with("metadata", Members.take(Meta.of(object), "labels", Meta.of(old)))
                : object;
    }

    /** The number of a template survives from an old version of the API, as an annotation. */
    private static JsonObject daemonSetUpdate(JsonObject set, JsonObject old, Part part) {
        long generation = templateGeneration(old);
        boolean changed = part == Part.MAIN && !set.object("spec", "template").equals(old.object("spec", "template"));
        return withTemplateGeneration(set, changed ? generation + 1 : generation);
    }

    private static long templateGeneration(JsonObject set) {
        String text = set.string("metadata", "annotations", TEMPLATE_GENERATION);
        return Digits.are(text, 1, 18) ? Long.parseLong(text) : 0;
    }

    private static JsonObject withTemplateGeneration(JsonObject set, long generation) {
        JsonObject annotations = set.object("metadata", "annotations");
        return Meta.with(set, "annotations", annotations.with(TEMPLATE_GENERATION, Long.toString(generation)));
    }

    private static JsonObject withTemplateLabels(JsonObject job) {
        JsonObject labels = job.object("spec", "template", "metadata", "labels");
        return labels.isEmpty() || !job.object("metadata", "labels").isEmpty() ? job : Meta.with(job, "labels", labels);
    }

    /** A job selects its pods by its own UID, unless the client brings its own selector. */
    private static JsonObject withGeneratedSelector(JsonObject job) {
        if (job.bool("spec", "manualSelector")) {
            return job;
        }
        JsonObject own = job.object("spec", "template", "metadata", "labels");
        boolean isShared = !own.isEmpty() && job.get("metadata", "labels") == own;
        JsonObject labels = own;
        for (Map.Entry<String, String> label : JobRules.LABELS.entrySet()) {
            if (!labels.has(label.getKey())) {
                labels = labels.with(label.getKey(), Meta.text(job, label.getValue()));
            }
        }
        String uidLabel = "batch.kubernetes.io/controller-uid";
        JsonObject result = job.with(List.of("spec", "template", "metadata", "labels"), labels);
        result = isShared ? Meta.with(result, "labels", labels) : result;
        return job.object("spec", "selector", "matchLabels").has(uidLabel)
                ? result
                : result.with(List.of("spec", "selector", "matchLabels", uidLabel), Meta.uid(job));
    }
}
