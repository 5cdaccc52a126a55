/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.admission;

import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.admission.AdmissionRequest.Operation;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.storage.Snapshot;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the priority class of new pods into a number and a preemption policy, and keeps priority classes from having
 * two defaults (upstream: the plug-in {@code Priority}). Thread-safe.
 */
final class PodPriority implements AdmissionPlugin {

    private static final String PRIORITY = "priority";
    private static final String POLICY = "preemptionPolicy";
    private static final String CLASS = "priorityClassName";

    /** The class of pods without a class, while no class is the default. */
    private static final JsonObject NO_CLASS = JsonObject.EMPTY.with("value", 0).with(POLICY, "PreemptLowerPriority");

    private final ResourceStore classes;

    PodPriority(ResourceStore classes) {
        this.classes = classes;
    }

    @Override
    public JsonObject mutate(AdmissionRequest request, JsonObject object) {
        if (!Targets.writes(request, "pods")) {
            return object;
        }
        return object.with(
                "spec",
                request.operation() == Operation.CREATE
                        ? resolved(request, object.object("spec"))
                        : kept(request.old(), object.object("spec")));
    }

    /** Clients may omit the fields that this plug-in has set at creation. */
    private static JsonObject kept(@Nullable JsonObject old, JsonObject spec) {
        JsonObject kept = spec;
        for (String field : new String[] {PRIORITY, POLICY}) {
            JsonValue before = old == null ? null : old.get("spec", field);
            kept = before == null || kept.has(field) ? kept : kept.with(field, before);
        }
        return kept;
    }

    private JsonObject resolved(AdmissionRequest request, JsonObject spec) {
        String name = spec.string(CLASS);
        JsonObject found = name.isEmpty() ? globalDefault(request.now()) : named(request, name);
        long priority = value(found);
        Long given = spec.number(PRIORITY);
        if (given != null && given != priority) {
            throw request.forbidden("the integer value of priority (" + given
                    + ") must not be provided in pod spec; priority admission controller computed " + priority
                    + " from the given PriorityClass name");
        }
        JsonObject resolved = spec.with(PRIORITY, priority);
        if (name.isEmpty() && found != NO_CLASS) {
            resolved = resolved.with(CLASS, Meta.name(found));
        }
        String policy = found.string(POLICY);
        if (policy.isEmpty()) {
            return resolved;
        }
        String givenPolicy = spec.string(POLICY);
        if (spec.has(POLICY) && !givenPolicy.equals(policy)) {
            throw request.forbidden("the string value of PreemptionPolicy (" + givenPolicy
                    + ") must not be provided in pod spec; priority admission controller computed " + policy
                    + " from the given PriorityClass name");
        }
        return resolved.with(POLICY, policy);
    }

    private JsonObject named(AdmissionRequest request, String name) {
        StoredObject found = request.now().get(classes.bucket(), name);
        if (found == null) {
            throw request.forbidden("no PriorityClass with name " + name + " was found");
        }
        return found.tree();
    }

    /** Two writers at the same time can create two defaults; the lower value counts then. */
    private JsonObject globalDefault(Snapshot now) {
        JsonObject lowest = NO_CLASS;
        for (StoredObject stored : classes.objects(now, "")) {
            JsonObject candidate = stored.tree();
            if (candidate.bool("globalDefault") && (lowest == NO_CLASS || value(candidate) < value(lowest))) {
                lowest = candidate;
            }
        }
        return lowest;
    }

    private static long value(JsonObject priorityClass) {
        Long value = priorityClass.number("value");
        return value == null ? 0 : value;
    }

    @Override
    public void validate(AdmissionRequest request, JsonObject object) {
        if (!Targets.writes(request, "priorityclasses.scheduling.k8s.io") || !object.bool("globalDefault")) {
            return;
        }
        JsonObject present = globalDefault(request.now());
        if (present != NO_CLASS
                && (request.operation() == Operation.CREATE
                        || !Meta.name(present).equals(Meta.name(object)))) {
            throw request.forbidden("PriorityClass " + Meta.name(present)
                    + " is already marked as default. Only one default can exist");
        }
    }
}
