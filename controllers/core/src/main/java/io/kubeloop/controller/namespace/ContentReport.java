/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.namespace;

import io.kubeloop.api.Condition;
import io.kubeloop.api.ConditionBuilder;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.Time;
import io.kubeloop.controller.Errors;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one sync of a namespace's content, and its five conditions (upstream: {@code
 * namespaceConditionUpdater}). Confined to the thread of the sync.
 */
final class ContentReport {

    /** A condition, with the reason and the message when there is no problem. */
    private enum Kind {
        DISCOVERY_FAILURE(
                "NamespaceDeletionDiscoveryFailure", "ResourcesDiscovered", "All resources successfully discovered"),
        PARSING_FAILURE(
                "NamespaceDeletionGroupVersionParsingFailure",
                "ParsedGroupVersions",
                "All legacy kube types successfully parsed"),
        CONTENT_FAILURE(
                "NamespaceDeletionContentFailure",
                "ContentDeleted",
                "All content successfully deleted, may be waiting on finalization"),
        CONTENT_REMAINING("NamespaceContentRemaining", "ContentRemoved", "All content successfully removed"),
        FINALIZERS_REMAINING(
                "NamespaceFinalizersRemaining", "ContentHasNoFinalizers", "All content-preserving finalizers finished");

        private final String type;
        private final String reason;
        private final String message;

        Kind(String type, String reason, String message) {
            this.type = type;
            this.reason = reason;
            this.message = message;
        }
    }

    private record ConditionDetail(String reason, String message) {}

    private final List<RuntimeException> failures = new ArrayList<>();
    private final List<String> contentFailures = new ArrayList<>();
    private final Map<String, Integer> resources = new TreeMap<>();
    private final Map<String, Integer> finalizers = new TreeMap<>();
    private final Map<Kind, ConditionDetail> problems = new LinkedHashMap<>();
    private Duration estimate = Duration.ZERO;

    void discoveryFailed(RuntimeException failure, String message) {
        failures.add(failure);
        problems.put(Kind.DISCOVERY_FAILURE, new ConditionDetail("DiscoveryFailed", message));
    }

    /** Adds the failed deletion of one resource, with its text in the condition. */
    void failed(RuntimeException failure, String text) {
        failures.add(failure);
        contentFailures.add(text);
    }

    /** Adds the remaining objects of one resource. */
    void remains(ResourceType<?> type, NamespaceContent.Remaining remaining) {
        if (remaining.estimate().compareTo(estimate) > 0) {
            estimate = remaining.estimate();
        }
        if (remaining.count() > 0) {
            // With a dot after a resource of the core group too, as upstream.
            resources.put(type.plural() + "." + type.group(), remaining.count());
        }
        for (PartialObjectMetadata object : remaining.objects()) {
            object.metadata().finalizers().forEach(finalizer -> finalizers.merge(finalizer, 1, Integer::sum));
        }
    }

    /**
     * Describes the remaining objects in the conditions. Upstream does so only when it has gone through all resources.
     */
    void listRemaining() {
        if (!resources.isEmpty()) {
            problems.put(
                    Kind.CONTENT_REMAINING,
                    new ConditionDetail(
                            "SomeResourcesRemain", "Some resources are remaining: " + counts(resources, " has ")));
        }
        if (!finalizers.isEmpty()) {
            problems.put(
                    Kind.FINALIZERS_REMAINING,
                    new ConditionDetail(
                            "SomeFinalizersRemain",
                            "Some content in the namespace has finalizers remaining: " + counts(finalizers, " in ")));
        }
    }

    private static String counts(Map<String, Integer> counts, String verb) {
        return counts.entrySet().stream()
                .map(entry -> entry.getKey() + verb + entry.getValue() + " resource instances")
                .sorted()
                .collect(Collectors.joining(", "));
    }

    /** Returns the time after which the content may be gone; zero if nothing is left. */
    Duration estimate() {
        return estimate;
    }

    /** Throws the failures, if there are any. */
    void throwFailures() {
        if (!failures.isEmpty()) {
            throw Errors.aggregate(failures);
        }
    }

    /** Returns the conditions, with those of other controllers, in the order in which they are stored. */
    List<Condition> conditions(List<Condition> before, Instant now) {
        if (!contentFailures.isEmpty()) {
            problems.put(
                    Kind.CONTENT_FAILURE,
                    new ConditionDetail(
                            "ContentDeletionFailed",
                            "Failed to delete all resource types, " + contentFailures.size() + " remaining: "
                                    + contentFailures.stream().sorted().collect(Collectors.joining(", "))));
        }
        Map<String, Condition> all = new LinkedHashMap<>();
        before.forEach(condition -> all.put(condition.type(), condition));
        for (Kind kind : Kind.values()) {
            all.put(kind.type, condition(kind, all.get(kind.type), now));
        }
        return List.copyOf(all.values());
    }

    private Condition condition(Kind kind, @Nullable Condition before, Instant now) {
        ConditionDetail problem = problems.get(kind);
        String status = problem == null ? "False" : "True";
        Condition condition = ConditionBuilder.builder()
                .type(kind.type)
                .status(status)
                .reason(problem == null ? kind.reason : problem.reason())
                .message(problem == null ? kind.message : problem.message())
                .lastTransitionTime(new Time(now))
                .build();
        return before == null || !before.status().equals(status)
                ? condition
                : ConditionBuilder.builder(condition)
                        .lastTransitionTime(before.lastTransitionTime())
                        .unknownFields(before.unknownFields())
                        .build();
    }
}
