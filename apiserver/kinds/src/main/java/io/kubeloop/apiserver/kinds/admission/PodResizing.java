/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.admission;

import io.kubeloop.api.value.Quantity;
import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.quota.Amounts;
import io.kubeloop.quota.PodAmounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;

/** Checks that the node of a pod allows a resize of the pod. A resize that changes nothing is allowed. Thread-safe. */
abstract class PodResizing implements AdmissionPlugin {

    private final ResourceStore nodes;

    PodResizing(ResourceStore nodes) {
        this.nodes = nodes;
    }

    @Override
    public final void validate(AdmissionRequest request, JsonObject object) {
        JsonObject old = request.old();
        JsonObject spec = object.object("spec");
        String name = spec.string("nodeName");
        boolean concerns = request.store().resource().toString().equals("pods")
                && request.subresource().equals("resize")
                && !name.isEmpty();
        if (!concerns || old == null || spec.equals(old.object("spec")) || !needsNode(spec, old.object("spec"))) {
            return;
        }
        StoredObject node = request.now().get(nodes.bucket(), name);
        if (node == null) {
            throw request.forbidden("node \"" + name + "\" not found");
        }
        check(request, spec, node.tree());
    }

    /** Returns whether the change of a pod's spec depends on its node. */
    abstract boolean needsNode(JsonObject spec, JsonObject old);

    /** Throws a refusal unless the node allows the change to this spec. */
    abstract void check(AdmissionRequest request, JsonObject spec, JsonObject node);

    /** Requires the features that a resize needs of the kubelet (upstream: {@code NodeDeclaredFeatureValidator}). */
    static final class Features extends PodResizing {

        Features(ResourceStore nodes) {
            super(nodes);
        }

        private static List<String> required(JsonObject spec, JsonObject old) {
            List<String> required = new ArrayList<>();
            if (!spec.object("resources").equals(old.object("resources"))) {
                required.add("InPlacePodLevelResourcesVerticalScaling");
            }
            if (!resourcesOfInitContainers(spec).equals(resourcesOfInitContainers(old))) {
                required.add("InPlacePodVerticalScalingInitContainers");
            }
            return required;
        }

        private static List<JsonObject> resourcesOfInitContainers(JsonObject spec) {
            return spec.array("initContainers")
                    .objects()
                    .filter(container -> !container.string("restartPolicy").equals("Always"))
                    .map(container -> container.object("resources"))
                    .toList();
        }

        @Override
        boolean needsNode(JsonObject spec, JsonObject old) {
            return !required(spec, old).isEmpty();
        }

        @Override
        void check(AdmissionRequest request, JsonObject spec, JsonObject node) {
            List<String> missing =
                    required(spec, Objects.requireNonNull(request.old()).object("spec"));
            missing.removeAll(node.array("status", "declaredFeatures").strings().toList());
            if (!missing.isEmpty()) {
                throw request.forbidden("pod update requires features " + String.join(", ", missing)
                        + " which are not available on node \"" + Meta.name(node) + "\"");
            }
        }
    }

    /** Requires a node with Linux that has the requested amounts at all (upstream: {@code PodResizeValidator}). */
    static final class Allocatable extends PodResizing {

        private static final String SYSTEM = "kubernetes.io/os";

        Allocatable(ResourceStore nodes) {
            super(nodes);
        }

        @Override
        boolean needsNode(JsonObject spec, JsonObject old) {
            return true;
        }

        @Override
        void check(AdmissionRequest request, JsonObject spec, JsonObject node) {
            JsonValue system = node.get("metadata", "labels", SYSTEM);
            if (system != null && !system.equals(new JsonString("linux"))) {
                throw refusal(
                        request,
                        "UnsupportedPlatform",
                        "pod resize is only supported on linux nodes, node \"" + Meta.name(node) + "\" is " + system);
            }
            Amounts requested = PodAmounts.effective(spec, "requests").plus(Amounts.read(spec.object("overhead")));
            Amounts allocatable = Amounts.read(node.object("status", "allocatable"));
            List<String> lacking = new ArrayList<>();
            compare("cpu", requested, allocatable, Quantity::milliValue, lacking);
            compare("memory", requested, allocatable, Quantity::value, lacking);
            if (!lacking.isEmpty()) {
                throw refusal(
                        request,
                        "NodeCapacity",
                        "node didn't have enough allocatable resources: " + String.join("; ", lacking));
            }
        }

        private static void compare(
                String resource,
                Amounts requested,
                Amounts allocatable,
                ToLongFunction<Quantity> unit,
                List<String> lacking) {
            long wanted = unit.applyAsLong(requested.byName().getOrDefault(resource, Quantity.ZERO));
            long most = unit.applyAsLong(allocatable.byName().getOrDefault(resource, Quantity.ZERO));
            if (wanted > most) {
                lacking.add(resource + ", requested: " + wanted + ", allocatable: " + most);
            }
        }

        private static StatusException refusal(AdmissionRequest request, String reason, String why) {
            JsonObject cause = JsonObject.of("reason", new JsonString(reason));
            return StatusException.forbiddenFor(request.store().resource(), request.name(), why, cause);
        }
    }
}
