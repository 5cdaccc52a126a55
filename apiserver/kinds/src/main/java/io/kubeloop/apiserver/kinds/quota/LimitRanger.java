/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.quota;

import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.ServedResource;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.quota.Amounts;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Sets the default requests and limits of new pods from the limit ranges of their namespace, and rejects pods and
 * volume claims that violate a limit range (upstream: the admission plugin {@code LimitRanger}). Thread-safe.
 */
public final class LimitRanger implements AdmissionPlugin {

    private static final String ANNOTATION = "kubernetes.io/limit-ranger";

    private final ResourceStore limitRanges;

    /** Creates a plugin that reads limit ranges from the given store. */
    public LimitRanger(ResourceStore limitRanges) {
        this.limitRanges = limitRanges;
    }

    @Override
    public JsonObject mutate(AdmissionRequest request, JsonObject object) {
        return isPod(request) ? applyDefaults(limitRanges(request), object) : object;
    }

    @Override
    public void validate(AdmissionRequest request, JsonObject object) {
        boolean ofClaim = request.isMain() && resource(request).equals("persistentvolumeclaims");
        JsonObject old = request.old();
        if ((ofClaim && (old == null || !Meta.isDeleting(old))) || isPod(request)) {
            check(limitRanges(request), request.store().resource(), object);
        }
    }

    private static String resource(AdmissionRequest request) {
        return request.store().resource().toString();
    }

    /** After the creation of a pod only a resize changes its requests and limits. */
    private static boolean isPod(AdmissionRequest request) {
        boolean isNew = request.operation() == AdmissionRequest.Operation.CREATE && request.isMain();
        return (isNew || QuotaLedger.isResize(request)) && resource(request).equals("pods");
    }

    /** Returns the limit ranges of the namespace, by name. */
    private List<JsonObject> limitRanges(AdmissionRequest request) {
        List<JsonObject> found = new ArrayList<>();
        limitRanges.objects(request.now(), request.namespace()).forEach(stored -> found.add(stored.tree()));
        return found;
    }

    /**
     * Sets the missing requests and limits of a pod and records them in an annotation. With several limit ranges,
     * the annotation of the last one stays.
     */
    private static JsonObject applyDefaults(List<JsonObject> limitRanges, JsonObject pod) {
        JsonObject filled = pod;
        for (JsonObject limitRange : limitRanges) {
            Amounts limits = defaults(limitRange, "default");
            Amounts requests = defaults(limitRange, "defaultRequest");
            List<String> notes = new ArrayList<>();
            JsonObject spec = filled.object("spec");
            spec = each(spec, "containers", "container", requests, limits, notes);
            spec = each(spec, "initContainers", "init container", requests, limits, notes);
            if (!notes.isEmpty()) {
                filled = filled.with("spec", spec)
                        .with(
                                List.of("metadata", "annotations", ANNOTATION),
                                "LimitRanger plugin set: " + String.join("; ", notes));
            }
        }
        return filled;
    }

    private static Amounts defaults(JsonObject limitRange, String which) {
        Stream<JsonObject> items = limitRange.array("spec", "limits").objects();
        return items.filter(item -> item.string("type").equals("Container"))
                .map(item -> Amounts.read(item.object(which)))
                .reduce(Amounts.NONE, Amounts::orElse);
    }

    private static JsonObject each(
            JsonObject spec, String list, String what, Amounts requests, Amounts limits, List<String> notes) {
        if (spec.array(list).isEmpty()) {
            return spec;
        }
        List<JsonObject> filled = new ArrayList<>();
        spec.array(list).objects().forEach(container -> {
            String suffix = " for " + what + " " + container.string("name");
            JsonObject asking = add(container, "requests", requests, " request" + suffix, notes);
            filled.add(add(asking, "limits", limits, " limit" + suffix, notes));
        });
        return spec.with(list, JsonArray.of(filled));
    }

    private static JsonObject add(
            JsonObject container, String which, Amounts defaults, String suffix, List<String> notes) {
        JsonObject specified = container.object("resources", which);
        Amounts added = defaults.only(name -> !specified.has(name));
        if (added.isEmpty()) {
            return container;
        }
        notes.add(String.join(", ", added.names()) + suffix);
        JsonObject.Builder all = specified.toBuilder();
        added.json().members().forEach(all::put);
        return container.with(List.of("resources", which), all.build());
    }

    /**
     * Checks a pod whose defaults are set, or a volume claim.
     *
     * @throws StatusException 403 with all violations of the first limit range that is violated
     */
    private static void check(List<JsonObject> limitRanges, ServedResource resource, JsonObject object) {
        for (JsonObject limitRange : limitRanges) {
            String complaint = LimitCheck.complaint(limitRange, resource.toString(), object.object("spec"));
            if (!complaint.isEmpty()) {
                throw StatusException.forbidden(resource, Meta.name(object), complaint);
            }
        }
    }
}
