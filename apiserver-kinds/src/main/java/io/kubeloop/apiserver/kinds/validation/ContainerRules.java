package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.api.NameValidation;
import io.kubeloop.api.Quantity;
import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Validation of the containers of one pod spec, in upstream's order: the names of a list must differ from those of
 * the previous lists.
 *
 * <p>Confined to the thread that validates.
 */
public final class ContainerRules {

    private static final List<String> PULL_POLICIES = List.of("Always", "IfNotPresent", "Never");
    private static final List<String> HANDLERS = List.of("exec", "httpGet", "tcpSocket", "grpc");

    private final JsonObject spec;
    private final Set<String> volumes;
    private final FieldErrors errors;
    private final Set<String> names = new HashSet<>();

    ContainerRules(JsonObject spec, Set<String> volumes, FieldErrors errors) {
        this.spec = spec;
        this.volumes = Set.copyOf(volumes);
        this.errors = errors;
    }

    void validate(String path) {
        list(path, "containers");
        list(path, "initContainers");
        Set<String> others = Set.copyOf(names);
        list(path, EphemeralContainers.LIST);
        EphemeralContainers.validate(path + "." + EphemeralContainers.LIST, spec, others, errors);
    }

    /** Adds the errors that upstream reports for pods but not for templates. */
    public static void validateOfPod(JsonObject spec, FieldErrors errors) {
        for (String list : List.of("containers", "initContainers", EphemeralContainers.LIST)) {
            List<JsonObject> containers = spec.array(list).objects().toList();
            for (int i = 0; i < containers.size(); i++) {
                String image = containers.get(i).string("image");
                if (!image.equals(image.strip())) {
                    errors.invalid(
                            "spec." + list + "[" + i + "].image",
                            image,
                            "must not have leading or trailing whitespace");
                }
            }
        }
    }

    private void list(String path, String list) {
        List<JsonObject> containers = spec.array(list).objects().toList();
        for (int i = 0; i < containers.size(); i++) {
            JsonObject container = containers.get(i);
            String field = path + "." + list + "[" + i + "]";
            common(field, container);
            if (list.equals("initContainers")
                    && !container.string("restartPolicy").equals("Always")) {
                forbidProbes(field, container);
            } else if (!list.equals(EphemeralContainers.LIST)) {
                probes(field, container);
            }
        }
    }

    private void common(String path, JsonObject container) {
        String name = container.string("name");
        if (name.isEmpty()) {
            errors.required(path + ".name", "");
        } else if (!names.add(name)) {
            errors.duplicate(path + ".name", new JsonString(name));
        } else {
            errors.invalid(path + ".name", name, NameValidation.dns1123Label(name));
        }
        if (container.string("image").isEmpty()) {
            errors.required(path + ".image", "");
        }
        ports(path + ".ports", container.array("ports"));
        environment(path + ".env", container.array("env").objects().toList());
        mounts(path + ".volumeMounts", container.array("volumeMounts").objects().toList());
        errors.oneOf(path + ".imagePullPolicy", container.string("imagePullPolicy"), PULL_POLICIES);
        resources(path + ".resources", container.object("resources"));
    }

    private void ports(String path, JsonArray ports) {
        Set<String> portNames = new HashSet<>();
        List<JsonObject> list = ports.objects().toList();
        for (int i = 0; i < list.size(); i++) {
            JsonObject port = list.get(i);
            String field = path + "[" + i + "]";
            String name = port.string("name");
            if (!name.isEmpty()) {
                errors.invalid(field + ".name", name, NameValidation.portName(name));
                if (!portNames.add(name)) {
                    errors.duplicate(field + ".name", new JsonString(name));
                }
            }
            PortRules.number(
                    field + ".containerPort", isZero(port, "containerPort") ? null : port.get("containerPort"), errors);
            if (port.has("hostPort") && !isZero(port, "hostPort")) {
                PortRules.number(field + ".hostPort", port.get("hostPort"), errors);
            }
            PortRules.protocol(field + ".protocol", port.string("protocol"), errors);
        }
    }

    /** Upstream treats zero like an absent number. */
    private static boolean isZero(JsonObject port, String field) {
        Long number = port.number(field);
        return number != null && number == 0;
    }

    private void environment(String path, List<JsonObject> variables) {
        for (int i = 0; i < variables.size(); i++) {
            if (variables.get(i).string("name").isEmpty()) {
                errors.required(path + "[" + i + "].name", "");
            }
            errors.text(path + "[" + i + "].value", variables.get(i).get("value"));
        }
    }

    private void mounts(String path, List<JsonObject> mounts) {
        Set<String> places = new HashSet<>();
        for (int i = 0; i < mounts.size(); i++) {
            String field = path + "[" + i + "]";
            String name = mounts.get(i).string("name");
            String place = mounts.get(i).string("mountPath");
            if (name.isEmpty()) {
                errors.required(field + ".name", "");
            }
            if (!volumes.contains(name)) {
                errors.notFound(field + ".name", name);
            }
            if (place.isEmpty()) {
                errors.required(field + ".mountPath", "");
            }
            if (!places.add(place)) {
                errors.invalid(field + ".mountPath", place, "must be unique");
            }
        }
    }

    private void resources(String path, JsonObject resources) {
        for (String list : List.of("limits", "requests")) {
            for (Map.Entry<String, JsonValue> resource :
                    resources.object(list).members().entrySet()) {
                Quantity amount = Quantities.of(resource.getValue());
                if (amount.signum() < 0) {
                    errors.invalid(
                            path + "." + list + "[" + resource.getKey() + "]",
                            amount.toString(),
                            "must be greater than or equal to 0");
                }
                JsonValue limit = resources.get("limits", resource.getKey());
                if (list.equals("requests") && limit != null && amount.compareTo(Quantities.of(limit)) > 0) {
                    errors.invalid(
                            path + ".requests",
                            amount.toString(),
                            "must be less than or equal to " + resource.getKey() + " limit of " + Quantities.of(limit));
                }
            }
        }
    }

    private void probes(String path, JsonObject container) {
        for (String probe : PodSpecRules.PROBES) {
            if (container.get(probe) instanceof JsonObject handler) {
                List<String> handlers = HANDLERS.stream().filter(handler::has).toList();
                if (handlers.isEmpty()) {
                    errors.required(path + "." + probe, "must specify a handler type");
                }
                handlers.stream()
                        .skip(1)
                        .forEach(more -> errors.forbidden(
                                path + "." + probe + "." + more, "may not specify more than 1 handler type"));
            }
        }
    }

    private void forbidProbes(String path, JsonObject container) {
        for (String probe : PodSpecRules.PROBES) {
            if (container.has(probe)) {
                errors.forbidden(path + "." + probe, "may not be set for init containers without restartPolicy=Always");
            }
        }
    }
}
