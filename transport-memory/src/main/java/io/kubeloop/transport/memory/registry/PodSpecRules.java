package io.kubeloop.transport.memory.registry;

import io.kubeloop.api.NameValidation;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Defaults and validation of a pod's spec, wherever it stands: in a pod or in a template (upstream: {@code
 * pkg/apis/core/v1/defaults.go}, {@code pkg/apis/core/validation}). Of the many rules, those that decide whether a
 * controller's pod can exist.
 */
final class PodSpecRules {

    private static final String SPEC_DEFAULTS = """
            restartPolicy = "Always"
            dnsPolicy = "ClusterFirst"
            terminationGracePeriodSeconds = 30
            securityContext = {}
            schedulerName = "default-scheduler"
            volumes[].secret.defaultMode = 420
            volumes[].configMap.defaultMode = 420
            volumes[].hostPath.type = ""
            volumes[].downwardAPI.items[].fieldRef.apiVersion = "v1"
            volumes[].downwardAPI.defaultMode = 420
            volumes[].projected.sources[].serviceAccountToken.expirationSeconds = 3600
            volumes[].projected.sources[].downwardAPI.items[].fieldRef.apiVersion = "v1"
            volumes[].projected.defaultMode = 420
            """;

    private static final String CONTAINER_DEFAULTS = """
            resources = {}
            terminationMessagePath = "/dev/termination-log"
            terminationMessagePolicy = "File"
            ports[].protocol = "TCP"
            env[].valueFrom.fieldRef.apiVersion = "v1"
            lifecycle.postStart.httpGet.path = "/"
            lifecycle.postStart.httpGet.scheme = "HTTP"
            lifecycle.preStop.httpGet.path = "/"
            lifecycle.preStop.httpGet.scheme = "HTTP"
            """;

    private static final List<String> PROBES = List.of("livenessProbe", "readinessProbe", "startupProbe");

    private static final String PROBE_DEFAULTS = """
            timeoutSeconds = 1
            periodSeconds = 10
            successThreshold = 1
            failureThreshold = 3
            httpGet.path = "/"
            httpGet.scheme = "HTTP"
            """;

    private static final List<String> CONTAINER_LISTS = List.of("initContainers", "containers");
    private static final List<String> RESTART_POLICIES = List.of("Always", "OnFailure", "Never");

    private static final Defaults DEFAULTS = Defaults.parse(SPEC_DEFAULTS);
    private static final Defaults CONTAINERS = Defaults.parse(containerTable());

    private static final String DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";
    private static final Pattern INTEGER = Pattern.compile("-[0-9]+|0|[1-9][0-9]*");

    private PodSpecRules() {}

    private static String containerTable() {
        StringBuilder table = new StringBuilder(CONTAINER_DEFAULTS);
        for (String probe : PROBES) {
            PROBE_DEFAULTS
                    .lines()
                    .forEach(
                            line -> table.append(probe).append('.').append(line).append('\n'));
        }
        return table.toString();
    }

    static JsonObject defaults(JsonObject spec) {
        JsonObject result = withServiceAccount(DEFAULTS.apply(spec));
        result = each(result, "volumes", PodSpecRules::volume);
        boolean hostNetwork = result.bool("hostNetwork");
        for (String list : CONTAINER_LISTS) {
            result = each(result, list, PodSpecRules::container);
            if (hostNetwork) {
                result = each(result, list, container -> each(container, "ports", PodSpecRules::onTheHost));
            }
        }
        return result;
    }

    /** Asks for what is the limit where nothing was asked for; of pods only, as a template is nothing that runs. */
    static JsonObject requestLimits(JsonObject spec) {
        JsonObject result = spec;
        for (String list : CONTAINER_LISTS) {
            result = each(result, list, PodSpecRules::requestLimit);
        }
        return result;
    }

    private static JsonObject requestLimit(JsonObject container) {
        JsonObject requests = container.object("resources", "requests");
        JsonObject completed = requests;
        for (Map.Entry<String, JsonValue> limit :
                container.object("resources", "limits").members().entrySet()) {
            completed = completed.has(limit.getKey()) ? completed : completed.with(limit.getKey(), limit.getValue());
        }
        return completed.equals(requests)
                ? container
                : container.with("resources", container.object("resources").with("requests", completed));
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

    /** The field had another name once, which is still read and shown. */
    private static JsonObject withServiceAccount(JsonObject spec) {
        String name = spec.string("serviceAccountName");
        String account = name.isEmpty() ? spec.string("serviceAccount") : name;
        return account.isEmpty()
                ? spec
                : spec.with("serviceAccountName", account).with("serviceAccount", account);
    }

    /** A volume that does not say what it holds is empty. */
    private static JsonObject volume(JsonObject volume) {
        return volume.without("name").isEmpty() ? volume.with("emptyDir", JsonObject.EMPTY) : volume;
    }

    private static JsonObject onTheHost(JsonObject port) {
        JsonValue containerPort = port.get("containerPort");
        return containerPort == null || port.has("hostPort") ? port : port.with("hostPort", containerPort);
    }

    private static JsonObject container(JsonObject container) {
        JsonObject result = CONTAINERS.apply(container);
        return result.string("imagePullPolicy").isEmpty()
                ? result.with("imagePullPolicy", pullPolicy(result.string("image")))
                : result;
    }

    /** An image without tag is the latest, and the latest may change. */
    private static String pullPolicy(String image) {
        if (image.contains("@")) {
            return "IfNotPresent";
        }
        int colon = image.indexOf(':', image.lastIndexOf('/') + 1);
        return colon < 0 || image.substring(colon + 1).equals("latest") ? "Always" : "IfNotPresent";
    }

    static void validate(String path, JsonObject spec, FieldErrors errors) {
        if (spec.array("containers").isEmpty()) {
            errors.required(path + ".containers", "");
        }
        Set<String> names = new HashSet<>();
        for (String list : CONTAINER_LISTS) {
            List<JsonObject> containers = spec.array(list).objects().toList();
            for (int i = 0; i < containers.size(); i++) {
                container(path + "." + list + "[" + i + "]", containers.get(i), names, errors);
            }
        }
        String restartPolicy = spec.string("restartPolicy");
        if (!RESTART_POLICIES.contains(restartPolicy)) {
            errors.notSupported(path + ".restartPolicy", restartPolicy, RESTART_POLICIES);
        }
        Long grace = spec.number("terminationGracePeriodSeconds");
        if (grace == null) {
            errors.invalid(
                    path + ".terminationGracePeriodSeconds",
                    String.valueOf(spec.get("terminationGracePeriodSeconds")),
                    "must be a whole number");
        }
        String nodeName = spec.string("nodeName");
        if (!nodeName.isEmpty()) {
            errors.invalid(path + ".nodeName", nodeName, NameValidation.dns1123Subdomain(nodeName));
        }
        MetaValidation.labels(path + ".nodeSelector", spec.object("nodeSelector"), errors);
    }

    private static void container(String path, JsonObject container, Set<String> names, FieldErrors errors) {
        String name = container.string("name");
        if (name.isEmpty()) {
            errors.required(path + ".name", "");
        } else if (!names.add(name)) {
            errors.duplicate(path + ".name", new JsonString(name));
        } else {
            errors.invalid(path + ".name", name, NameValidation.dns1123Label(name));
        }
        if (container.string("image").isBlank()) {
            errors.required(path + ".image", "");
        }
        ports(path + ".ports", container.array("ports"), errors);
        List<JsonObject> variables = container.array("env").objects().toList();
        for (int i = 0; i < variables.size(); i++) {
            errors.text(path + ".env[" + i + "].value", variables.get(i).get("value"));
        }
    }

    private static void ports(String path, JsonArray ports, FieldErrors errors) {
        Set<String> names = new HashSet<>();
        List<JsonObject> list = ports.objects().toList();
        for (int i = 0; i < list.size(); i++) {
            JsonObject port = list.get(i);
            String field = path + "[" + i + "]";
            String name = port.string("name");
            if (!name.isEmpty()) {
                errors.invalid(field + ".name", name, NameValidation.portName(name));
                if (!names.add(name)) {
                    errors.duplicate(field + ".name", new JsonString(name));
                }
            }
            Ports.number(field + ".containerPort", port.get("containerPort"), errors);
            Ports.protocol(field + ".protocol", port.string("protocol"), errors);
        }
    }

    /** What ReplicaSets compare pods by when they delete some: a whole number without plus and leading zeros. */
    static void deletionCost(String field, JsonObject annotations, FieldErrors errors) {
        String cost = annotations.string(DELETION_COST);
        if (annotations.has(DELETION_COST) && !isInt32(cost)) {
            errors.invalid(field + "[" + DELETION_COST + "]", cost, "must be a 32bit integer");
        }
    }

    private static boolean isInt32(String text) {
        if (!INTEGER.matcher(text).matches()) {
            return false;
        }
        try {
            Integer.parseInt(text);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
