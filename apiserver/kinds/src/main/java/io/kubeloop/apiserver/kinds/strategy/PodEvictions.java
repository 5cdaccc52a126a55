/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.strategy;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.kinds.validation.SelectorRules;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.registry.ApiHandler;
import io.kubeloop.apiserver.registry.IncomingObject;
import io.kubeloop.apiserver.registry.ObjectDeleter;
import io.kubeloop.apiserver.registry.ObjectUpdater;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.registry.request.DeleteParameters;
import io.kubeloop.apiserver.registry.request.Query;
import io.kubeloop.apiserver.registry.request.RequestInfo;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.RestStrategy;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.WriteOptions;
import io.kubeloop.apiserver.storage.Snapshot;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.apiserver.typed.TypedJson;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Evictions of pods, which a disruption budget may block (upstream: {@code pkg/registry/core/pod/storage/eviction.go}).
 * Thread-safe.
 */
public final class PodEvictions {

    private static final String BLOCKED = "Cannot evict pod as it would violate the pod's disruption budget.";
    private static final String VERSION = "policy/v1";
    private static final String ALLOWED = "DisruptionAllowed";
    private static final Set<String> OUTSIDE_BUDGETS = Set.of("Succeeded", "Failed", "Pending");
    private static final int MAX_DISRUPTED = 2000;
    private static final int RETRY_SECONDS = 10;

    private final ApiBackend backend;
    private final ObjectUpdater updater;
    private final ObjectDeleter deleter;

    /** Creates the evictions of a server. */
    public PodEvictions(ApiBackend backend) {
        this.backend = backend;
        updater = new ObjectUpdater(backend);
        deleter = new ObjectDeleter(backend);
    }

    /**
     * Evicts a pod: counts it in its disruption budget, sets its {@code DisruptionTarget} condition and deletes it.
     *
     * @throws StatusException 429 if a budget does not allow the disruption now
     */
    public ServerResponse evict(ResourceStore store, RequestInfo info, Query query, ApiRequest request) {
        JsonObject eviction = IncomingObject.read(
                VERSION, "Eviction", current(ApiHandler.json(request)), query.writeOptions("CreateOptions"));
        PodActions.requireName(info, eviction, "Eviction");
        DeleteParameters parameters = DeleteParameters.ofEviction(query, eviction.object("deleteOptions"));
        Snapshot now = backend.storage().snapshot();
        StoredObject seen =
                store.require(now.get(store.bucket(), store.key(info.namespace(), info.name())), info.name());
        JsonObject pod = seen.tree();
        if (!OUTSIDE_BUDGETS.contains(pod.string("status", "phase")) && !Meta.isDeleting(pod)) {
            List<JsonObject> budgets = budgets(now, pod);
            if (budgets.size() > 1) {
                return ServerResponse.Document.of(500, tooMany());
            }
            if (!budgets.isEmpty() && !isFree(budgets.get(0), pod)) {
                take(budgets.get(0), info.name(), parameters.dryRun());
            }
        }
        delete(store, info, seen, parameters);
        return PodActions.created();
    }

    /** Evictions of the version before, which are no longer in the discovery, are the same. */
    private static byte[] current(byte[] body) {
        try {
            return TypedJson.identity(body).apiVersion().equals("policy/v1beta1")
                    ? JsonObject.parse(body).with("apiVersion", VERSION).toBytes()
                    : body;
        } catch (DecodeException e) {
            return body; // whose reader reports the error
        }
    }

    private void delete(ResourceStore store, RequestInfo info, StoredObject seen, DeleteParameters wanted) {
        DeleteParameters parameters = wanted;
        if (!parameters.dryRun()) {
            parameters.check(store, seen);
            updater.update(
                    store,
                    info.namespace(),
                    info.name(),
                    RestStrategy.Part.STATUS,
                    pod -> evicted(pod),
                    WriteOptions.ofServer());
            parameters = parameters.afterFirstWrite();
        }
        deleter.delete(store, info.namespace(), info.name(), parameters);
    }

    private JsonObject evicted(JsonObject pod) {
        JsonObject disrupted = PodActions.trueCondition(
                        "DisruptionTarget", backend.now().toString())
                .with("reason", "EvictionByEvictionAPI")
                .with("message", "Eviction API: evicting");
        boolean isRecorded = pod.array("status", "conditions")
                .objects()
                .anyMatch(condition -> condition.string("reason").equals(disrupted.string("reason")));
        return isRecorded ? pod : pod.with("status", PodActions.withCondition(pod.object("status"), disrupted));
    }

    private static JsonObject tooMany() {
        return JsonObject.builder()
                .put("kind", "Status")
                .put("apiVersion", "v1")
                .put("metadata", JsonObject.EMPTY)
                .put("status", "Failure")
                .put(
                        "message",
                        "This pod has more than one PodDisruptionBudget, which the eviction subresource does not "
                                + "support.")
                .put("code", 500)
                .build();
    }

    private ResourceStore store() {
        return Objects.requireNonNull(backend.storeOfKind(VERSION, "PodDisruptionBudget"));
    }

    private List<JsonObject> budgets(Snapshot now, JsonObject pod) {
        List<JsonObject> budgets = new ArrayList<>();
        for (StoredObject budget : store().objects(now, Meta.namespace(pod))) {
            FieldCursor selector =
                    FieldCursor.of(budget.tree(), new FieldErrors()).at("spec", "selector");
            Selector read = SelectorRules.read(selector);
            if (read != null && read.matches(pod.object("metadata", "labels").strings())) {
                budgets.add(budget.tree());
            }
        }
        return budgets;
    }

    /** A pod that is not ready may go while the others fulfill the budget, or always if the budget states so. */
    private static boolean isFree(JsonObject budget, JsonObject pod) {
        boolean isReady = "True".equals(condition(pod, "Ready").string("status"));
        long wanted = count(budget, "desiredHealthy");
        return !isReady
                && (budget.string("spec", "unhealthyPodEvictionPolicy").equals("AlwaysAllow")
                        || (wanted > 0 && count(budget, "currentHealthy") >= wanted));
    }

    private static long count(JsonObject budget, String field) {
        Long count = budget.number("status", field);
        return count == null ? 0 : count;
    }

    private static JsonObject condition(JsonObject object, String type) {
        return object.array("status", "conditions")
                .objects()
                .filter(condition -> condition.string("type").equals(type))
                .findFirst()
                .orElse(JsonObject.EMPTY);
    }

    private void take(JsonObject budget, String pod, boolean dryRun) {
        updater.updateAs(
                store(),
                Meta.namespace(budget),
                Meta.name(budget),
                RestStrategy.Part.STATUS,
                current -> taken(current, pod),
                WriteOptions.ofServer().withDryRun(dryRun));
    }

    private JsonObject taken(JsonObject budget, String pod) {
        String name = Meta.name(budget);
        Long generation = Meta.of(budget).number("generation");
        if (count(budget, "observedGeneration") < (generation == null ? 0 : generation)) {
            throw blocked(RETRY_SECONDS, "The disruption budget " + name + " is still being processed by the server.");
        }
        long allowed = count(budget, "disruptionsAllowed");
        if (allowed < 0) {
            throw refused(name, "pdb disruptions allowed is negative", "pdb disruptions allowed is negative");
        }
        JsonObject disrupted = budget.object("status", "disruptedPods");
        if (disrupted.members().size() > MAX_DISRUPTED) {
            throw refused(
                    name,
                    "DisruptedPods map too big - too many evictions not confirmed by PDB controller",
                    "too many pending evictions not confirmed by PDB controller");
        }
        if (allowed == 0) {
            throw blocked(0, why(budget));
        }
        String now = backend.now().toString();
        JsonObject status = budget.object("status")
                .with("disruptionsAllowed", allowed - 1)
                .with("disruptedPods", disrupted.with(pod, now));
        return budget.with("status", allowed == 1 ? withoutAllowance(budget, status, now) : status);
    }

    private StatusException refused(String budget, String why, String shortly) {
        String message = "The disruption budget " + budget + " does not allow evicting pods currently: " + shortly;
        return StatusException.forbiddenFor(store().resource(), budget, why, cause(message));
    }

    private static StatusException blocked(int seconds, String why) {
        return StatusException.tooManyRequests(BLOCKED, seconds, cause(why));
    }

    private static JsonObject cause(String why) {
        return JsonObject.EMPTY.with("reason", "DisruptionBudget").with("message", why);
    }

    private static String why(JsonObject budget) {
        JsonObject condition = condition(budget, ALLOWED);
        String message = condition.string("status").equals("False") ? condition.string("message") : "";
        String reason = condition.string("reason");
        String prefix = "The disruption budget " + Meta.name(budget);
        if (!message.isEmpty() && reason.equals("SyncFailed")) {
            return prefix + " does not allow evicting pods currently because it failed sync: " + message;
        }
        if (count(budget, "currentHealthy") <= count(budget, "desiredHealthy")) {
            return prefix + " needs " + count(budget, "desiredHealthy") + " healthy pods and has "
                    + count(budget, "currentHealthy") + " currently";
        }
        return prefix + " does not allow evicting pods currently"
                + (message.isEmpty() ? "" : " (" + reason + "): " + message);
    }

    private static JsonObject withoutAllowance(JsonObject budget, JsonObject status, String now) {
        JsonObject before = condition(budget, ALLOWED);
        String since = before.string("status").equals("False") ? before.string("lastTransitionTime") : now;
        JsonObject condition = JsonObject.EMPTY
                .with("type", ALLOWED)
                .with("status", "False")
                .with("observedGeneration", count(budget, "observedGeneration"))
                .with("lastTransitionTime", since)
                .with("reason", "InsufficientPods")
                .with("message", "");
        List<JsonObject> conditions = new ArrayList<>(status.array("conditions")
                .objects()
                .filter(other -> !other.string("type").equals(ALLOWED))
                .toList());
        conditions.add(condition);
        return status.with("conditions", JsonArray.of(conditions));
    }
}
