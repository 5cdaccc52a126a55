/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.warnings;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.AddressRules;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Warnings about pods and about the kinds that create them (upstream: {@code WarningsOnCreate} and {@code
 * WarningsOnUpdate} of their strategies).
 */
public final class WorkloadWarnings {

    private static final String RECOMMENDED =
            ", which can result in surprising behavior; a DNS label is recommended: [";
    private static final long MANY_COMPLETIONS = 100_000;
    private static final long MUCH_PARALLELISM = 10_000;

    /** The warnings about a kind. */
    @FunctionalInterface
    public interface TemplateRule {
        /** Returns the warnings; the old object is null at creation. */
        List<String> warnings(FieldCursor object, @Nullable JsonObject old, Part part);
    }

    private WorkloadWarnings() {}

    /** Returns the warnings about a new pod, or about the addresses of its status. */
    public static List<String> pod(FieldCursor pod, @Nullable JsonObject old, Part part) {
        List<String> warnings = new ArrayList<>();
        if (old == null) {
            name(pod, "the Pod's hostname", warnings);
            new PodWarnings(pod, warnings, true).all();
        } else if (part == Part.STATUS) {
            for (String addresses : List.of("podIPs", "hostIPs")) {
                pod.at("status", addresses)
                        .each(item -> warnings.addAll(AddressRules.ipWarnings(
                                item.at("ip").path(), item.at("ip").text())));
            }
        }
        return warnings;
    }

    /**
     * Returns the function of the warnings about a kind whose objects create pods. An update warns if it changes the
     * generation.
     *
     * @param template the path of the pod template
     * @param named whether the names of the pods begin with the name of the object
     */
    public static TemplateRule ofTemplate(boolean named, String... template) {
        return (object, old, part) -> {
            List<String> warnings = new ArrayList<>();
            if (old == null && named) {
                name(object, "Pod names and hostnames", warnings);
            }
            if (hasChanged(object, old) && object.at(template).isSet()) {
                new PodWarnings(object.at(template), warnings, false).all();
            }
            return warnings;
        };
    }

    private static boolean hasChanged(FieldCursor object, @Nullable JsonObject old) {
        return old == null
                || !Objects.equals(object.at("metadata", "generation").value(), old.get("metadata", "generation"));
    }

    private static void name(FieldCursor object, String use, List<String> warnings) {
        List<String> problems =
                NameValidation.dns1123Label(object.at("metadata", "name").text());
        if (!problems.isEmpty()) {
            warnings.add("metadata.name: this is used in " + use + RECOMMENDED + String.join(" ", problems) + "]");
        }
    }

    /** Returns the warnings about a stateful set. */
    public static List<String> statefulSet(FieldCursor set, @Nullable JsonObject old, Part part) {
        List<String> warnings =
                new ArrayList<>(ofTemplate(false, "spec", "template").warnings(set, old, part));
        if (part != Part.MAIN) {
            return warnings;
        }
        set.at("spec", "volumeClaimTemplates")
                .each(claim -> PodWarnings.claim(
                        old == null
                                ? claim.at("spec")
                                : claim.at("Spec").holding(claim.at("spec").value()),
                        warnings));
        if (set.at("spec", "revisionHistoryLimit").number() < 0) {
            warnings.add("spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is"
                    + " recommended");
        }
        return warnings;
    }

    /** Returns the warnings about a job. */
    public static List<String> job(FieldCursor job, @Nullable JsonObject old, Part part) {
        return ofJob(job, old, part, job.at("spec"), "spec", "template");
    }

    /** Returns the warnings about a cron job. */
    public static List<String> cronJob(FieldCursor job, @Nullable JsonObject old, Part part) {
        List<String> warnings = new ArrayList<>(ofJob(
                job, old, part, job.at("spec", "jobTemplate", "spec"), "spec", "jobTemplate", "spec", "template"));
        if (old != null
                && part == Part.MAIN
                && job.at("spec", "schedule").text().contains("TZ")) {
            warnings.add("cannot use TZ or CRON_TZ in spec.schedule, use timeZone instead, see"
                    + " https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details");
        }
        return warnings;
    }

    private static List<String> ofJob(
            FieldCursor job, @Nullable JsonObject old, Part part, FieldCursor spec, String... template) {
        List<String> warnings = new ArrayList<>(ofTemplate(true, template).warnings(job, old, part));
        boolean isLarge = spec.at("completionMode").text().equals("Indexed")
                && spec.at("completions").number() > MANY_COMPLETIONS
                && spec.at("parallelism").number() > MUCH_PARALLELISM;
        if (hasChanged(job, old) && isLarge) {
            warnings.add(
                    spec.path() + ": In Indexed Jobs with a number of completions higher than 10^5 and a parallelism "
                            + "higher than 10^4, Kubernetes might not be able to track completedIndexes when a big "
                            + "number of indexes fail");
        }
        return warnings;
    }
}
