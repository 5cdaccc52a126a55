package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.machinery.Defaults;
import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.apiserver.machinery.MetaValidation;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNumber;
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
 * Defaults and validation of a pod spec, in a pod or in a template (upstream: {@code pkg/apis/core/v1/defaults.go},
 * {@code pkg/apis/core/validation}). It covers the rules that decide whether a controller's pod can be created, not
 * all of upstream's rules.
 */
public final class PodSpecRules {

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

    static final List<String> PROBES = List.of("livenessProbe", "readinessProbe", "startupProbe");

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
    private static final List<String> DNS_POLICIES =
            List.of("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None");

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

    /** Sets the defaults of a spec. */
    public static JsonObject defaults(JsonObject spec) {
        JsonObject result = withServiceAccount(DEFAULTS.apply(spec));
        result = each(result, "volumes", PodSpecRules::volume);
        result = each(result, EphemeralContainers.LIST, PodSpecRules::container);
        boolean hostNetwork = result.bool("hostNetwork");
        for (String list : CONTAINER_LISTS) {
            result = each(result, list, PodSpecRules::container);
            if (hostNetwork) {
                result = each(result, list, container -> each(container, "ports", PodSpecRules::onTheHost));
            }
        }
        return result;
    }

    /** Sets each missing request to the limit of the same resource; for pods only, not for templates. */
    public static JsonObject requestLimits(JsonObject spec) {
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

    /** Copies the service account to the deprecated field with another name, which upstream still returns. */
    private static JsonObject withServiceAccount(JsonObject spec) {
        String name = spec.string("serviceAccountName");
        String account = name.isEmpty() ? spec.string("serviceAccount") : name;
        return account.isEmpty()
                ? spec
                : spec.with("serviceAccountName", account).with("serviceAccount", account);
    }

    /** A volume without a source is an {@code emptyDir}. */
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

    /** An image without a tag has the tag latest, which may change and is pulled always. */
    private static String pullPolicy(String image) {
        if (image.contains("@")) {
            return "IfNotPresent";
        }
        int colon = image.indexOf(':', image.lastIndexOf('/') + 1);
        return colon < 0 || image.substring(colon + 1).equals("latest") ? "Always" : "IfNotPresent";
    }

    /** Validates a spec of a pod or of a template. */
    public static void validate(String path, JsonObject spec, FieldErrors errors) {
        Set<String> volumes = volumes(path + ".volumes", spec, errors);
        if (spec.array("containers").isEmpty()) {
            errors.required(path + ".containers", "");
        }
        new ContainerRules(spec, volumes, errors).validate(path);
        errors.oneOf(path + ".restartPolicy", spec.string("restartPolicy"), RESTART_POLICIES);
        errors.oneOf(path + ".dnsPolicy", spec.string("dnsPolicy"), DNS_POLICIES);
        Long grace = spec.number("terminationGracePeriodSeconds");
        if (grace == null) {
            errors.invalid(
                    path + ".terminationGracePeriodSeconds",
                    String.valueOf(spec.get("terminationGracePeriodSeconds")),
                    "must be a whole number");
        }
        MetaValidation.labels(path + ".nodeSelector", spec.object("nodeSelector"), errors);
        names(path, spec, errors);
        Long deadline = spec.number("activeDeadlineSeconds");
        if (deadline != null && (deadline < 1 || deadline > Integer.MAX_VALUE)) {
            errors.invalid(
                    path + ".activeDeadlineSeconds",
                    JsonNumber.of(deadline),
                    "must be between 1 and 2147483647, inclusive");
        }
        tolerations(path + ".tolerations", spec, errors);
    }

    private static void names(String path, JsonObject spec, FieldErrors errors) {
        for (String field : List.of("serviceAccountName", "nodeName")) {
            String name = spec.string(field);
            if (!name.isEmpty()) {
                errors.invalid(path + "." + field, name, NameValidation.dns1123Subdomain(name));
            }
        }
        for (String field : List.of("hostname", "subdomain")) {
            String name = spec.string(field);
            if (!name.isEmpty()) {
                errors.invalid(path + "." + field, name, NameValidation.dns1123Label(name));
            }
        }
    }

    /** Validates the names of the volumes and returns them. */
    private static Set<String> volumes(String path, JsonObject spec, FieldErrors errors) {
        Set<String> names = new HashSet<>();
        List<JsonObject> volumes = spec.array("volumes").objects().toList();
        for (int i = 0; i < volumes.size(); i++) {
            String field = path + "[" + i + "].name";
            String name = volumes.get(i).string("name");
            if (name.isEmpty()) {
                errors.required(field, "");
                continue;
            }
            errors.invalid(field, name, NameValidation.dns1123Label(name));
            if (!names.add(name)) {
                errors.duplicate(field, new JsonString(name));
            }
        }
        return names;
    }

    private static void tolerations(String path, JsonObject spec, FieldErrors errors) {
        List<JsonObject> tolerations = spec.array("tolerations").objects().toList();
        for (int i = 0; i < tolerations.size(); i++) {
            toleration(path + "[" + i + "]", tolerations.get(i), errors);
        }
    }

    private static void toleration(String path, JsonObject toleration, FieldErrors errors) {
        String key = toleration.string("key");
        String operator = toleration.string("operator");
        String effect = toleration.string("effect");
        if (!key.isEmpty()) {
            errors.invalid(path + ".key", key, NameValidation.qualifiedName(key));
        } else if (!operator.equals("Exists")) {
            errors.invalid(
                    path + ".operator",
                    operator,
                    "operator must be Exists when `key` is empty, which means \"match all values and all keys\"");
        }
        if (toleration.has("tolerationSeconds") && !effect.equals("NoExecute")) {
            errors.invalid(path + ".effect", effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
        }
        if (operator.equals("Exists") && !toleration.string("value").isEmpty()) {
            errors.invalid(
                    path + ".operator", toleration.string("value"), "value must be empty when `operator` is 'Exists'");
        }
        if (!operator.isEmpty()) {
            errors.oneOf(path + ".operator", operator, List.of("Equal", "Exists"));
        }
        if (!effect.isEmpty()) {
            errors.oneOf(path + ".effect", effect, List.of("NoSchedule", "PreferNoSchedule", "NoExecute"));
        }
    }

    /**
     * Validates the annotation by which ReplicaSets rank pods for deletion: an integer without plus sign and
     * leading zeros.
     */
    public static void deletionCost(String field, JsonObject annotations, FieldErrors errors) {
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
