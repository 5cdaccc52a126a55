/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.warnings;

import io.kubeloop.api.value.Quantity;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.AddressRules;
import io.kubeloop.apiserver.kinds.validation.node.NodeLabels;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects the warnings about a pod or a pod template (upstream: {@code pkg/api/pod/warnings.go}). */
final class PodWarnings {

    /** Annotations without effect, with the warning. */
    private static final List<List<String>> OLD_ANNOTATIONS = List.of(
            List.of(
                    "scheduler.alpha.kubernetes.io/critical-pod",
                    "non-functional in v1.16+; use the \"priorityClassName\" field instead"),
            List.of(
                    "security.alpha.kubernetes.io/sysctls",
                    "non-functional in v1.11+; use the \"sysctls\" field instead"),
            List.of(
                    "security.alpha.kubernetes.io/unsafe-sysctls",
                    "non-functional in v1.11+; use the \"sysctls\" field instead"));

    /** Volume sources that are deprecated, with the warning. */
    private static final List<List<String>> OLD_VOLUMES = List.of(
            List.of("photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"),
            List.of("gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"),
            List.of("scaleIO", "deprecated in v1.16, non-functional in v1.22+"),
            List.of("flocker", "deprecated in v1.22, non-functional in v1.25+"),
            List.of("storageos", "deprecated in v1.22, non-functional in v1.25+"),
            List.of("quobyte", "deprecated in v1.22, non-functional in v1.25+"),
            List.of("glusterfs", "deprecated in v1.25, non-functional in v1.26+"),
            List.of("ephemeral", ""),
            List.of("cephfs", "deprecated in v1.28, non-functional in v1.31+"),
            List.of("rbd", "deprecated in v1.28, non-functional in v1.31+"));

    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
    private static final List<String> FRACTIONS = List.of("memory", "ephemeral-storage");
    private static final String NO_SELECTOR = "a null labelSelector results in matching no pod";

    private final FieldCursor spec;
    private final FieldCursor annotations;
    private final List<String> warnings;
    private final boolean isPod;

    /** The pod or the template is at the cursor, which is the root for a pod. */
    PodWarnings(FieldCursor template, List<String> warnings, boolean isPod) {
        spec = template.at("spec");
        annotations = template.at("metadata", "annotations");
        this.warnings = warnings;
        this.isPod = isPod;
    }

    void all() {
        nodes();
        OLD_ANNOTATIONS.forEach(old -> ifSet(annotations.entry(old.get(0)), old.get(1)));
        spec.at("volumes").each(this::volume);
        OverlapWarnings.add(spec.at("volumes"), warnings);
        names();
        FRACTIONS.forEach(name -> whole(spec.at("overhead").entry(name), warnings));
        if (!spec.at("securityContext", "seccompProfile").isSet()) {
            ifSet(
                    annotations.entry("seccomp.security.alpha.kubernetes.io/pod"),
                    "non-functional in v1.27+; use the \"seccompProfile\" field instead");
        }
        containers().forEach(this::container);
        ports();
        FieldCursor period = spec.at("terminationGracePeriodSeconds");
        if (period.number() < 0) {
            warn(period, "must be >= 0; negative values are invalid and will be treated as 1");
        }
        for (String affinity : List.of("podAffinity", "podAntiAffinity")) {
            FieldCursor terms = spec.at("affinity", affinity);
            terms.at(REQUIRED).each(term -> selector(term.at("labelSelector")));
            terms.at(PREFERRED).each(term -> selector(term.at("podAffinityTerm", "labelSelector")));
        }
        spec.at("dnsConfig", "nameservers").each(this::address);
        spec.at("hostAliases").each(alias -> address(alias.at("ip")));
    }

    private void address(FieldCursor address) {
        warnings.addAll(AddressRules.ipWarnings(address.path(), address.text()));
    }

    private void warn(FieldCursor field, String text) {
        warnings.add(field.path() + ": " + text);
    }

    private void ifSet(FieldCursor field, String text) {
        if (field.isSet()) {
            warn(field, text);
        }
    }

    private void selector(FieldCursor selector) {
        if (!selector.isSet()) {
            warn(selector, NO_SELECTOR);
        }
    }

    private void nodes() {
        spec.at("nodeSelector").entries().forEach(label -> {
            String key = label.path()
                    .substring(label.path().lastIndexOf('[') + 1, label.path().length() - 1);
            String deprecation = NodeLabels.deprecation(key);
            if (deprecation != null) {
                warn(label, deprecation);
            }
        });
        FieldCursor affinity = spec.at("affinity", "nodeAffinity");
        affinity.at(REQUIRED, "nodeSelectorTerms")
                .each(term -> warnings.addAll(NodeLabels.expressionWarnings(term, false)));
        affinity.at(PREFERRED)
                .each(term -> warnings.addAll(NodeLabels.expressionWarnings(term.at("preference"), true)));
        spec.at("topologySpreadConstraints").each(constraint -> {
            oldLabel(constraint.at("topologyKey"));
            selector(constraint.at("labelSelector"));
        });
    }

    private void oldLabel(FieldCursor key) {
        String deprecation = NodeLabels.deprecation(key.text());
        if (deprecation != null) {
            warn(key, key.text() + " is " + deprecation);
        }
    }

    private void volume(FieldCursor volume) {
        for (List<String> old : OLD_VOLUMES) {
            FieldCursor source = volume.at(old.get(0));
            if (old.get(0).equals("ephemeral")) {
                claim(source.at("volumeClaimTemplate", "spec"), warnings);
            } else if (source.isSet()) {
                String name = old.get(0).equals("storageos") ? "storageOS" : old.get(0);
                warn(volume.at(name), old.get(1));
            }
        }
    }

    /** Adds the warnings about the spec of a claim. */
    static void claim(FieldCursor spec, List<String> warnings) {
        whole(spec.at("resources", "requests").entry("storage"), warnings);
        whole(spec.at("resources", "limits").entry("storage"), warnings);
    }

    private static void whole(FieldCursor amount, List<String> warnings) {
        if (amount.isSet()
                && Quantity.parse(amount.text())
                                .amount()
                                .remainder(BigDecimal.ONE)
                                .signum()
                        != 0) {
            warnings.add(
                    amount.path() + ": fractional byte value " + quoted(amount) + " is invalid, must be an integer");
        }
    }

    private static String quoted(FieldCursor text) {
        return "\"" + text.text() + "\"";
    }

    private void names() {
        unique(spec.at("hostAliases"), "ip");
        unique(spec.at("imagePullSecrets"), "name");
        spec.at("imagePullSecrets").each(secret -> {
            if (secret.at("name").isEmpty()) {
                warn(secret.at("name"), "invalid empty name \"\"");
            }
        });
    }

    private void unique(FieldCursor list, String member) {
        Set<String> seen = new HashSet<>();
        list.each(item -> {
            if (!seen.add(item.at(member).text())) {
                warn(item.at(member), "duplicate " + member + " " + quoted(item.at(member)));
            }
        });
    }

    private List<FieldCursor> containers() {
        List<FieldCursor> containers = new ArrayList<>(spec.at("initContainers").items());
        containers.addAll(spec.at("containers").items());
        containers.addAll(spec.at("ephemeralContainers").items());
        return containers;
    }

    private void container(FieldCursor container) {
        String name = container.at("name").text();
        if (!container.at("securityContext", "seccompProfile").isSet()) {
            ifSet(
                    annotations.entry("container.seccomp.security.alpha.kubernetes.io/" + name),
                    "non-functional in v1.27+; use the \"seccompProfile\" field instead");
        }
        if (!isPod
                && !container.at("securityContext", "appArmorProfile").isSet()
                && !spec.at("securityContext", "appArmorProfile").isSet()) {
            ifSet(
                    annotations.entry("container.apparmor.security.beta.kubernetes.io/" + name),
                    "deprecated since v1.30; use the \"appArmorProfile\" field instead");
        }
        for (String resource : FRACTIONS) {
            whole(container.at("resources", "limits").entry(resource), warnings);
            whole(container.at("resources", "requests").entry(resource), warnings);
        }
        Set<String> variables = new HashSet<>();
        container.at("env").each(variable -> {
            String value = variable.at("value").text();
            String reference = "$(" + variable.at("name").text() + ")";
            boolean extendsIt =
                    !variable.at("valueFrom").isSet() && !value.equals(reference) && value.contains(reference);
            if (!variables.add(variable.at("name").text()) && !extendsIt) {
                warn(
                        variable,
                        "hides previous definition of " + quoted(variable.at("name"))
                                + ", which may be dropped when using apply");
            }
        });
    }

    private void ports() {
        Map<String, List<FieldCursor>> byNumber = new HashMap<>();
        for (FieldCursor container : containers()) {
            container.at("ports").each(port -> {
                if (!port.at("hostIP").isEmpty() && port.at("hostPort").number() == 0) {
                    warn(port, "hostIP set without hostPort: " + shown(port));
                }
                String key = port.at("containerPort").number() + "/"
                        + port.at("protocol").text();
                List<FieldCursor> others = byNumber.computeIfAbsent(key, unused -> new ArrayList<>());
                others.forEach(other -> twice(port, other));
                others.add(port);
            });
        }
        Map<String, String> byName = new HashMap<>();
        for (FieldCursor container : containers()) {
            container.at("ports").each(port -> {
                String name = port.at("name").text();
                String other = name.isEmpty() ? null : byName.putIfAbsent(name, port.path());
                if (other != null) {
                    warn(
                            port,
                            "duplicate port name \"" + name + "\" with " + other
                                    + ", services and probes that select ports by name will use " + other);
                }
            });
        }
    }

    private static String shown(FieldCursor port) {
        return "{Name:" + port.at("name").text() + " HostPort:"
                + port.at("hostPort").number() + " ContainerPort:"
                + port.at("containerPort").number() + " Protocol:"
                + port.at("protocol").text() + " HostIP:" + port.at("hostIP").text() + "}";
    }

    private void twice(FieldCursor port, FieldCursor other) {
        String address = port.at("hostIP").text();
        String otherAddress = other.at("hostIP").text();
        long host = port.at("hostPort").number();
        long otherHost = other.at("hostPort").number();
        if (address.equals(otherAddress) && host == otherHost) {
            warn(port, "duplicate port definition with " + other.path());
        } else if (host == 0 || otherHost == 0) {
            warn(port, "overlapping port definition with " + other.path());
        } else if (host == otherHost && address.isEmpty() != otherAddress.isEmpty()) {
            warn(port, "dangerously ambiguous port definition with " + other.path());
        }
    }
}
