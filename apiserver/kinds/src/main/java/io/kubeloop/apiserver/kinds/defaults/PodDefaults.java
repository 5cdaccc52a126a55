/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.defaults;

import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The defaults of the core group: pods with their containers, volumes and probes, and the simple kinds (upstream:
 * {@code pkg/apis/core/v1}).
 */
final class PodDefaults {

    static final String VALUES = """
            core.v1.PodSpec
             dnsPolicy "ClusterFirst"
             restartPolicy "Always"
             securityContext {}
             terminationGracePeriodSeconds 30
             schedulerName "default-scheduler"
            core.v1.Container
             terminationMessagePath "/dev/termination-log"
             terminationMessagePolicy "File"
            core.v1.EphemeralContainer
             terminationMessagePath "/dev/termination-log"
             terminationMessagePolicy "File"
            core.v1.Probe
             timeoutSeconds 1
             periodSeconds 10
             successThreshold 1
             failureThreshold 3
            core.v1.HTTPGetAction
             path "/"
             scheme "HTTP"
            core.v1.ObjectFieldSelector
             apiVersion "v1"
            core.v1.SecretVolumeSource
             defaultMode 420
            core.v1.ConfigMapVolumeSource
             defaultMode 420
            core.v1.DownwardAPIVolumeSource
             defaultMode 420
            core.v1.ProjectedVolumeSource
             defaultMode 420
            core.v1.HostPathVolumeSource
             type ""
            core.v1.ServiceAccountTokenProjection
             expirationSeconds 3600
            core.v1.Secret
             type "Opaque"
            core.v1.NamespaceStatus
             phase "Active"
            core.v1.PersistentVolumeClaimSpec
             volumeMode "Filesystem"
            core.v1.PersistentVolumeClaimStatus
             phase "Pending"
            core.v1.PersistentVolumeStatus
             phase "Pending"
            core.v1.EndpointPort
             protocol "TCP"
            """;

    static final Map<String, UnaryOperator<JsonObject>> FUNCTIONS = Map.of(
            "core.v1.Pod", PodDefaults::pod,
            "core.v1.PodSpec", PodDefaults::spec,
            "core.v1.PodStatus", PodDefaults::podStatus,
            "core.v1.Volume", PodDefaults::volume,
            "core.v1.Container", PodDefaults::container,
            "core.v1.EphemeralContainer", PodDefaults::container,
            "core.v1.Namespace", PodDefaults::namespace,
            "core.v1.NodeSpec", PodDefaults::nodeSpec,
            "core.v1.NodeStatus", PodDefaults::nodeStatus,
            "core.v1.Secret", PodDefaults::secret);

    private static final List<String> CONTAINERS = List.of("containers", "initContainers");

    private PodDefaults() {}

    private static JsonObject pod(JsonObject pod) {
        JsonObject spec = pod.object("spec");
        for (String list : CONTAINERS) {
            spec = each(spec, list, PodDefaults::requestLimits);
        }
        if (!spec.has("enableServiceLinks")) {
            spec = spec.with("enableServiceLinks", true);
        }
        Long period = spec.number("terminationGracePeriodSeconds");
        if (period != null && period < 0) {
            spec = spec.with("terminationGracePeriodSeconds", 1);
        }
        if (spec.bool("hostNetwork")) {
            for (String list : CONTAINERS) {
                spec = each(spec, list, container -> each(container, "ports", PodDefaults::onTheHost));
            }
        }
        return pod.with("spec", spec);
    }

    /** Sets each missing request to the limit of the same resource. */
    private static JsonObject requestLimits(JsonObject container) {
        JsonObject resources = container.object("resources");
        JsonObject requests = resources.object("requests").withMissing(resources.object("limits"));
        return requests.equals(resources.object("requests"))
                ? container
                : container.with("resources", resources.with("requests", requests));
    }

    /** Copies the service account to the deprecated field with another name, which upstream still returns. */
    private static JsonObject spec(JsonObject spec) {
        String name = spec.string("serviceAccountName");
        String account = name.isEmpty() ? spec.string("serviceAccount") : name;
        return account.isEmpty()
                ? spec
                : spec.with("serviceAccountName", account).with("serviceAccount", account);
    }

    /** In the network of the host, every port of a container is a port of the host. */
    private static JsonObject onTheHost(JsonObject port) {
        Long hostPort = port.number("hostPort");
        JsonValue containerPort = port.get("containerPort");
        return containerPort == null || (hostPort != null && hostPort != 0)
                ? port
                : port.with("hostPort", containerPort);
    }

    /** A volume without a source is an {@code emptyDir}. */
    private static JsonObject volume(JsonObject volume) {
        if (volume.without("name").isEmpty()) {
            return volume.with("emptyDir", JsonObject.EMPTY);
        }
        JsonObject image = volume.object("image");
        return volume.has("image") && image.string("pullPolicy").isEmpty()
                ? volume.with("image", image.with("pullPolicy", pullPolicy(image.string("reference"))))
                : volume;
    }

    private static JsonObject container(JsonObject container) {
        return container.has("imagePullPolicy")
                ? container
                : container.with("imagePullPolicy", pullPolicy(container.string("image")));
    }

    private static String pullPolicy(String image) {
        return ImageNames.isLatest(image) ? "Always" : "IfNotPresent";
    }

    private static JsonObject namespace(JsonObject namespace) {
        String name = Meta.name(namespace);
        return name.isEmpty()
                ? namespace
                : Meta.with(
                        namespace,
                        "labels",
                        namespace.object("metadata", "labels").with("kubernetes.io/metadata.name", name));
    }

    /**
     * Clients that know only {@code podIP} write only that field. It becomes the first of {@code podIPs}, and replaces
     * them all if they differ.
     */
    private static JsonObject podStatus(JsonObject status) {
        String one = status.string("podIP");
        List<JsonObject> all = status.array("podIPs").objects().toList();
        String first = all.isEmpty() ? "" : all.get(0).string("ip");
        if (one.isEmpty()) {
            return first.isEmpty() ? status : status.with("podIP", first);
        }
        return one.equals(first)
                ? status
                : status.with("podIPs", JsonArray.of(List.of(JsonObject.EMPTY.with("ip", one))));
    }

    /** Treats {@code podCIDR} and {@code podCIDRs} of a node in the same way. */
    private static JsonObject nodeSpec(JsonObject spec) {
        String one = spec.string("podCIDR");
        List<String> all = spec.array("podCIDRs").strings().toList();
        if (!one.isEmpty() && (all.isEmpty() || !all.get(0).equals(one))) {
            return spec.with("podCIDRs", JsonArray.ofStrings(List.of(one)));
        }
        return all.isEmpty() ? spec : spec.with("podCIDR", all.get(0));
    }

    private static JsonObject nodeStatus(JsonObject status) {
        return status.has("capacity") && !status.has("allocatable")
                ? status.with("allocatable", status.object("capacity"))
                : status;
    }

    /** Moves {@code stringData}, which is write-only, into {@code data}. */
    private static JsonObject secret(JsonObject secret) {
        JsonObject.Builder encoded = JsonObject.builder();
        secret.object("stringData").members().forEach((name, value) -> {
            if (value instanceof JsonString text) {
                byte[] bytes = text.value().getBytes(StandardCharsets.UTF_8);
                encoded.put(name, Base64.getEncoder().encodeToString(bytes));
            }
        });
        JsonObject data = secret.object("data").withAll(encoded.build());
        JsonObject result = secret.without("stringData");
        return data.isEmpty() ? result : result.with("data", data);
    }

    private static JsonObject each(JsonObject holder, String list, UnaryOperator<JsonObject> change) {
        if (!(holder.get(list) instanceof JsonArray elements)) {
            return holder;
        }
        List<JsonValue> changed = new ArrayList<>(elements.size());
        for (JsonValue element : elements) {
            changed.add(element instanceof JsonObject object ? change.apply(object) : element);
        }
        return holder.with(list, JsonArray.of(changed));
    }
}
