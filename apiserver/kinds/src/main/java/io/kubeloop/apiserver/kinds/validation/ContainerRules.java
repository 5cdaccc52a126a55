/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Validation of the containers of one pod spec, in upstream's order. The names of a list must differ from those of the
 * previous lists. Confined to the thread that validates.
 */
final class ContainerRules {

    static final List<String> PULL_POLICIES = List.of("Always", "IfNotPresent", "Never");

    private static final List<String> PROBES = List.of("lifecycle", "livenessProbe", "readinessProbe", "startupProbe");
    private static final List<String> RESTART_POLICIES = List.of("Always", "Never", "OnFailure");
    private static final List<String> RESTART_ACTIONS = List.of("Restart", "RestartAllContainers");
    private static final String NO_SIDECAR = "may not be set for init containers without restartPolicy=Always";
    private static final String NO_POLICY = "must specify restartPolicy when restart rules are used";
    private static final int MAX_RULES = 20;
    private static final int MAX_EXIT_CODES = 255;

    private final FieldCursor spec;
    private final Map<String, JsonObject> volumes;
    private final Set<String> claims;
    private final Set<String> names = new HashSet<>();

    ContainerRules(FieldCursor spec, Map<String, JsonObject> volumes) {
        this.spec = spec;
        this.volumes = Map.copyOf(volumes);
        claims = AmountRules.claimNames(spec.at("resourceClaims"));
    }

    void validate() {
        regular(spec.at("containers"));
        initial(spec.at("initContainers"));
        ephemeral(spec.at(EphemeralContainers.LIST));
    }

    private void regular(FieldCursor containers) {
        if (!containers.require()) {
            return;
        }
        Set<String> hostPorts = new HashSet<>();
        for (FieldCursor container : containers.items()) {
            common(container);
            unique(container.at("name"));
            HandlerRules.all(container, spec.at("terminationGracePeriodSeconds"));
            restart(container);
        }
        containers.each(container -> hostPorts(container.at("ports"), hostPorts));
    }

    private void initial(FieldCursor containers) {
        for (FieldCursor container : containers.items()) {
            common(container);
            if (container.at("restartPolicy").isSet()) {
                restart(container);
            } else if (!container.at("restartPolicyRules").isEmpty()) {
                container.at("restartPolicy").required(NO_POLICY);
            }
            unique(container.at("name"));
            hostPorts(container.at("ports").named(containers.path() + "[0].ports"), new HashSet<>());
            boolean sidecar = container.at("restartPolicy").text().equals("Always");
            if (sidecar) {
                HandlerRules.all(container, spec.at("terminationGracePeriodSeconds"));
                continue;
            }
            PROBES.forEach(probe -> container.at(probe).mustBeAbsent(NO_SIDECAR));
            container.at("resizePolicy").each(policy -> {
                if (policy.at("restartPolicy").text().equals("RestartContainer")) {
                    policy.at("restartPolicy")
                            .invalid("must not be set to 'RestartContainer' for non-sidecar initContainers");
                }
            });
        }
    }

    private void ephemeral(FieldCursor containers) {
        Set<String> others = Set.copyOf(names);
        for (FieldCursor container : containers.items()) {
            common(container);
            imageOfPod(container);
            unique(container.at("name"));
            EphemeralContainers.validate(container, others);
        }
    }

    private void unique(FieldCursor name) {
        if (!name.isEmpty() && !names.add(name.text())) {
            name.duplicate();
        }
    }

    /** Adds the error that upstream reports for pods but not for templates. */
    static void imageOfPod(FieldCursor container) {
        FieldCursor image = container.at("image");
        if (!image.text().equals(image.text().strip())) {
            image.invalid("must not have leading or trailing whitespace");
        }
    }

    private void common(FieldCursor container) {
        if (container.at("name").require()) {
            container.at("name").follows(NameValidation::dns1123Label);
        }
        container.at("image").require();
        container.at("terminationMessagePolicy").requireOneOf(List.of("File", "FallbackToLogsOnError"));
        ports(container.at("ports"));
        container.at("env").each(EnvironmentRules::variable);
        container.at("envFrom").each(source -> EnvironmentRules.source(container.at("envFrom"), source));
        mounts(container);
        devices(container);
        if (!container.at("volumeDevices").isEmpty() && isolatesUsers()) {
            container.at("volumeDevices").forbidden("when `hostUsers` is false");
        }
        container.at("imagePullPolicy").requireOneOf(PULL_POLICIES);
        AmountRules.ofContainer(container.at("resources"), claims);
        resizing(container.at("resizePolicy"));
        SecurityRules.container(container.at("securityContext"), !isolatesUsers());
    }

    private boolean isolatesUsers() {
        return spec.at("hostUsers").isSet() && !spec.at("hostUsers").isTrue();
    }

    private static void ports(FieldCursor ports) {
        Set<String> portNames = new HashSet<>();
        for (FieldCursor port : ports.items()) {
            FieldCursor name = port.at("name");
            List<String> problems = name.isEmpty() ? List.of() : NameValidation.portName(name.text());
            name.invalid(problems);
            if (problems.isEmpty() && !name.isEmpty() && !portNames.add(name.text())) {
                name.duplicate();
            }
            if (port.at("containerPort").number() == 0) {
                port.at("containerPort").required("");
            } else {
                port.at("containerPort").between(1, 65535);
            }
            if (port.at("hostPort").number() != 0) {
                port.at("hostPort").between(1, 65535);
            }
            port.at("protocol").requireOneOf(PortRules.PROTOCOLS);
        }
    }

    private static void hostPorts(FieldCursor ports, Set<String> taken) {
        for (FieldCursor port : ports.items()) {
            long number = port.at("hostPort").number();
            String identity =
                    port.at("protocol").text() + "/" + port.at("hostIP").text() + "/" + number;
            if (number != 0 && !taken.add(identity)) {
                port.errors().duplicate(port.at("hostPort").path(), new JsonString(identity));
            }
        }
    }

    private void mounts(FieldCursor container) {
        Map<String, String> devices = pathsByName(container.at("volumeDevices"), "devicePath");
        Set<String> places = new HashSet<>();
        FieldCursor mounts = container.at("volumeMounts");
        for (FieldCursor mount : mounts.items()) {
            FieldCursor name = mount.at("name");
            FieldCursor path = mount.at("mountPath");
            name.require();
            if (!volumes.containsKey(name.text())) {
                name.errors().notFound(name.path(), name.text());
            }
            path.require();
            if (!places.add(path.text())) {
                path.invalid("must be unique");
            }
            if (devices.containsKey(name.text())) {
                name.invalid("must not already exist in volumeDevices");
            }
            if (devices.containsValue(path.text())) {
                path.invalid("must not already exist as a path in volumeDevices");
            }
            subPaths(mounts, mount);
            propagation(
                    mounts, mount, container.at("securityContext", "privileged").isTrue());
        }
    }

    private static void subPaths(FieldCursor mounts, FieldCursor mount) {
        FieldCursor path = mount.at("subPath");
        FieldCursor expression = mount.at("subPathExpr");
        if (!path.isEmpty()) {
            VolumeRules.descendingPath(path.named(mounts.path() + ".subPath"));
        }
        if (!expression.isEmpty()) {
            if (!path.isEmpty()) {
                expression.invalid("subPathExpr and subPath are mutually exclusive");
            }
            VolumeRules.descendingPath(expression.named(mounts.path() + ".subPathExpr"));
        }
    }

    private static void propagation(FieldCursor mounts, FieldCursor mount, boolean privileged) {
        FieldCursor propagation = mount.at("mountPropagation").named(mounts.path() + ".mountPropagation");
        propagation.oneOfIfSet(List.of("Bidirectional", "HostToContainer", "None"));
        if (propagation.text().equals("Bidirectional") && !privileged) {
            propagation.forbidden("Bidirectional mount propagation is available only to privileged containers");
        }
        FieldCursor recursive = mount.at("recursiveReadOnly").named(mounts.path() + ".recursiveReadOnly");
        recursive.oneOfIfSet(List.of("Disabled", "Enabled", "IfPossible"));
        if (List.of("Enabled", "IfPossible").contains(recursive.text())) {
            if (!mount.at("readOnly").isTrue()) {
                recursive.forbidden("may only be specified when readOnly is true");
            }
            if (propagation.isSet() && !propagation.text().equals("None")) {
                recursive.forbidden("may only be specified when mountPropagation is None or not specified");
            }
        }
    }

    private static Map<String, String> pathsByName(FieldCursor list, String path) {
        Map<String, String> paths = new HashMap<>();
        list.each(item -> paths.put(item.at("name").text(), item.at(path).text()));
        return paths;
    }

    private void devices(FieldCursor container) {
        Map<String, String> mounts = pathsByName(container.at("volumeMounts"), "mountPath");
        Set<String> deviceNames = new HashSet<>();
        Set<String> places = new HashSet<>();
        for (FieldCursor device : container.at("volumeDevices").items()) {
            FieldCursor name = device.at("name");
            FieldCursor path = device.at("devicePath");
            name.require();
            if (deviceNames.contains(name.text())) {
                name.invalid("must be unique");
            }
            JsonObject volume = volumes.get(name.text());
            if (volume == null) {
                name.errors().notFound(name.path(), name.text());
            } else if (!volume.has("persistentVolumeClaim") && !volume.has("ephemeral")) {
                name.invalid("can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
            }
            path.require();
            if (places.contains(path.text())) {
                path.invalid("must be unique");
            }
            if (List.of(path.text().split("/", -1)).contains("..")) {
                path.invalid("can not contain backsteps ('..')");
            } else {
                places.add(path.text());
            }
            if (mounts.containsKey(name.text())) {
                name.invalid("must not already exist in volumeMounts");
            }
            if (mounts.containsValue(path.text())) {
                path.invalid("must not already exist as a path in volumeMounts");
            }
            if (!name.isEmpty()) {
                deviceNames.add(name.text());
            }
        }
    }

    private void resizing(FieldCursor policies) {
        Set<String> seen = new HashSet<>();
        for (FieldCursor policy : policies.items()) {
            FieldCursor resource = policy.at("resourceName");
            FieldCursor restart = policy.at("restartPolicy").named(policies.path());
            if (!seen.add(resource.text())) {
                resource.named(policy.path()).duplicate();
            }
            resource.named(policies.path()).requireOneOf(List.of("cpu", "memory"));
            restart.requireOneOf(List.of("NotRequired", "RestartContainer"));
            if (spec.at("restartPolicy").text().equals("Never")
                    && !restart.text().equals("NotRequired")) {
                restart.invalid("must be 'NotRequired' when pod `restartPolicy` is 'Never'");
            }
        }
    }

    private static void restart(FieldCursor container) {
        FieldCursor policy = container.at("restartPolicy");
        FieldCursor rules = container.at("restartPolicyRules");
        if (policy.isSet()) {
            policy.oneOf(RESTART_POLICIES);
        } else if (!rules.isEmpty()) {
            policy.required(NO_POLICY);
        }
        rules.atMost(MAX_RULES);
        rules.each(rule -> {
            rule.at("action").oneOf(RESTART_ACTIONS);
            FieldCursor codes = rule.at("exitCodes");
            if (codes.isSet()) {
                codes.at("operator").oneOf(List.of("In", "NotIn"));
                codes.at("values").atMost(MAX_EXIT_CODES);
            } else {
                codes.required("must be specified");
            }
        });
    }
}
