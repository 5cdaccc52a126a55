/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.resourceclaim;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.ChildWrites;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Creates the claims of a pod from their templates, writes their names into the pod's status, and reserves allocated
 * claims for a pod that already has a node. Thread-safe; one thread at a time syncs a pod. {@link #sync} blocks for its
 * requests.
 *
 * @param claims the cached claims
 * @param templates the cached templates
 * @param owned returns the cached claims whose controller has a UID
 * @param written writes claims
 * @param barrier follows the cache of pods
 * @param client writes claims and the status of pods
 * @param events records failures
 * @param metrics counts created claims
 */
record PodClaimSync(
        Lister<GenericObject> claims,
        Lister<GenericObject> templates,
        Function<String, List<GenericObject>> owned,
        ChildWrites<GenericObject> written,
        WriteBarrier barrier,
        KubeClient client,
        EventRecorder events,
        ClaimMetrics metrics) {

    private static final String MANAGER = "ResourceClaimController";

    /**
     * The longest generated prefix without its last hyphen: the server adds a hyphen and five characters to reach 63.
     */
    private static final int BASE = 57;

    /** The largest number of reservations that the API allows. */
    private static final int RESERVATIONS = 256;

    /** Syncs a pod that is neither deleted nor finished. */
    void sync(Pod pod) {
        Map<String, String> names = new LinkedHashMap<>();
        ClaimReading.statuses(pod)
                .filter(status -> !status.string("resourceClaimName").isEmpty())
                .forEach(status -> names.put(status.string("name"), status.string("resourceClaimName")));
        Map<String, String> before = Map.copyOf(names);
        String uid = pod.metadata().uid();
        List<GenericObject> existing =
                written.latest(pod.objectName(), owned.apply(uid), claim -> ClaimReading.isOwner(pod, claim));
        for (JsonObject entry : ClaimReading.entries(pod)) {
            JsonObject status = ClaimReading.status(pod, entry);
            boolean isUnneeded =
                    status != null && status.string("resourceClaimName").isEmpty();
            if (entry.string("resourceClaimTemplateName").isEmpty() || isUnneeded) {
                continue;
            }
            try {
                names.put(
                        entry.string("name"),
                        ensure(pod, entry, existing).metadata().name());
            } catch (RuntimeException e) {
                events.event(
                        ResourceTypes.PODS,
                        pod,
                        EventType.WARNING,
                        "FailedResourceClaimCreation",
                        "PodResourceClaim " + entry.string("name") + ": " + Errors.text(e));
                throw e;
            }
        }
        if (!names.equals(before)) {
            writeNames(pod, names);
        }
        if (!pod.spec().nodeName().isEmpty()) {
            reserve(pod, names);
        }
    }

    /** Returns the claim of an entry, which is created if the pod has none. */
    private GenericObject ensure(Pod pod, JsonObject entry, List<GenericObject> existing) {
        GenericObject present = present(pod, entry, existing);
        if (present == null) {
            present = live(pod, entry);
        }
        return present != null ? present : create(pod, entry);
    }

    /** Returns the claim that the status names, which another manager may have created just now. */
    private @Nullable GenericObject live(Pod pod, JsonObject entry) {
        JsonObject status = ClaimReading.status(pod, entry);
        String named = status == null ? "" : status.string("resourceClaimName");
        if (named.isEmpty()) {
            return null;
        }
        try {
            GenericObject claim = client.resource(ClaimReading.CLAIMS)
                    .get(new ObjectName(pod.metadata().namespace(), named));
            return ClaimReading.isOwner(pod, claim) ? claim : null;
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return null;
            }
            throw e;
        }
    }

    /** The claim that the status names goes before others that the pod owns. */
    private @Nullable GenericObject present(Pod pod, JsonObject entry, List<GenericObject> existing) {
        JsonObject status = ClaimReading.status(pod, entry);
        String named = status == null ? "" : status.string("resourceClaimName");
        GenericObject claim = claims.get(new ObjectName(pod.metadata().namespace(), named));
        if (claim != null && ClaimReading.isOwner(pod, claim)) {
            return claim;
        }
        return existing.stream()
                .filter(each -> ClaimReading.entryName(each).equals(entry.string("name")))
                .findFirst()
                .orElse(null);
    }

    private GenericObject create(Pod pod, JsonObject entry) {
        String name = entry.string("resourceClaimTemplateName");
        GenericObject template = templates.get(new ObjectName(pod.metadata().namespace(), name));
        if (template == null) {
            throw new IllegalStateException("resource claim template \"" + name
                    + "\": resourceclaimtemplate.resource.k8s.io \"" + name + "\" not found");
        }
        JsonObject content = JsonObject.of(template.unknownFields()).object("spec");
        Map<String, String> annotations =
                new HashMap<>(content.object("metadata", "annotations").strings());
        annotations.put(ClaimReading.POD_CLAIM_NAME, entry.string("name"));
        // Upstream's reference does not block the deletion of the pod.
        OwnerReference owner = new OwnerReference(
                ResourceTypes.PODS.apiVersion(),
                ResourceTypes.PODS.kind(),
                pod.metadata().name(),
                pod.metadata().uid(),
                true,
                null,
                UnknownFields.NONE);
        ObjectMeta metadata = ObjectMetaBuilder.builder()
                .generateName(prefix(pod.metadata().name(), entry.string("name")))
                .namespace(pod.metadata().namespace())
                .labels(content.object("metadata", "labels").strings())
                .annotations(annotations)
                .ownerReferences(List.of(owner))
                .build();
        GenericObject claim = new GenericObject(
                ClaimReading.CLAIMS.apiVersion(),
                ClaimReading.CLAIMS.kind(),
                metadata,
                JsonObject.of("spec", content.object("spec")).toUnknownFields());
        return metrics.create(claim, () -> written.create(pod.objectName(), claim));
    }

    /** Returns the generated prefix; both names are cut in proportion to their length if they are too long. */
    static String prefix(String pod, String entry) {
        String whole = pod + "-" + entry + "-";
        int length = whole.length();
        return length <= BASE
                ? whole
                : pod.substring(0, pod.length() * BASE / length) + "-"
                        + entry.substring(0, entry.length() * BASE / length);
    }

    /** Applies all names: an apply without a name that was applied before would remove it. */
    private void writeNames(Pod pod, Map<String, String> names) {
        List<JsonObject> statuses = new ArrayList<>();
        names.forEach((entry, claim) ->
                statuses.add(JsonObject.EMPTY.with("name", entry).with("resourceClaimName", claim)));
        JsonObject metadata = JsonObject.EMPTY
                .with("name", pod.metadata().name())
                .with("namespace", pod.metadata().namespace())
                .with("uid", pod.metadata().uid());
        JsonObject applied = JsonObject.EMPTY
                .with("apiVersion", ResourceTypes.PODS.apiVersion())
                .with("kind", ResourceTypes.PODS.kind())
                .with("metadata", metadata)
                .with("status", JsonObject.of("resourceClaimStatuses", JsonArray.of(statuses)));
        Pod written = client.resource(ResourceTypes.PODS)
                .patch(pod.objectName(), Patch.apply(applied.toString(), MANAGER, true), "status");
        barrier.wrote(pod.objectName(), ResourceTypes.PODS, written);
    }

    /** The scheduler reserves claims before it binds a pod; a pod that was created with its node needs this instead. */
    private void reserve(Pod pod, Map<String, String> names) {
        for (JsonObject entry : ClaimReading.entries(pod)) {
            String direct = entry.string("resourceClaimName");
            String name = direct.isEmpty() ? names.getOrDefault(entry.string("name"), "") : direct;
            GenericObject claim = claims.get(new ObjectName(pod.metadata().namespace(), name));
            if (claim == null || (direct.isEmpty() && !ClaimReading.isOwner(pod, claim))) {
                continue;
            }
            List<JsonObject> reservations = ClaimReading.reservations(claim);
            boolean isReserved = reservations.stream()
                    .anyMatch(each -> each.string("uid").equals(pod.metadata().uid()));
            if (isReserved
                    || reservations.size() >= RESERVATIONS
                    || !ClaimReading.status(claim).has("allocation")) {
                continue;
            }
            List<JsonObject> extended = new ArrayList<>(reservations);
            extended.add(JsonObject.EMPTY
                    .with("resource", "pods")
                    .with("name", pod.metadata().name())
                    .with("uid", pod.metadata().uid()));
            JsonObject status = ClaimReading.status(claim).with("reservedFor", JsonArray.of(extended));
            written.write(
                    pod.objectName(),
                    claim,
                    () -> client.resource(ClaimReading.CLAIMS).updateStatus(ClaimReading.withStatus(claim, status)));
        }
    }
}
