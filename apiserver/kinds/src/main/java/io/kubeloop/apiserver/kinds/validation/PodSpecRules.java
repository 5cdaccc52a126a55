/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import com.google.re2j.Pattern;
import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.objectmeta.MetaValidation;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Validation of a pod spec, in a pod or in a template (upstream: {@code ValidatePodSpec} in {@code
 * pkg/apis/core/validation}).
 */
public final class PodSpecRules {

    private static final List<String> RESTART_POLICIES = List.of("Always", "OnFailure", "Never");
    private static final List<String> DNS_POLICIES =
            List.of("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None");
    private static final int MAX_NAMESERVERS = 3;
    private static final int MAX_SEARCHES = 32;
    private static final int MAX_SEARCH_CHARACTERS = 2048;
    private static final int MAX_HOSTNAME = 64;
    private static final int MAX_SUBDOMAIN = 253;

    private static final String DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";
    private static final String MIRROR = "kubernetes.io/config.mirror";
    private static final Pattern INTEGER = Pattern.compile("-[0-9]+|0|[1-9][0-9]*");
    private static final Pattern UNDERSCORED =
            Pattern.compile("_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*");
    private static final String NO_SEARCH = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric"
            + " characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com',"
            + " regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')";

    private PodSpecRules() {}

    /** Validates a template of pods. */
    public static void template(FieldCursor template) {
        SelectorRules.labels(template.at("metadata", "labels").named(template.path() + ".labels"));
        FieldCursor annotations = template.at("metadata", "annotations").named(template.path() + ".annotations");
        MetaValidation.annotations(annotations.path(), annotations.object(), annotations.errors());
        annotations(annotations, template.at("spec"));
        spec(template.at("spec"), "");
        template.at("spec", EphemeralContainers.LIST).mustBeEmpty("ephemeral containers not allowed in pod template");
    }

    /** Validates the annotations of a pod that have a meaning for the server. */
    static void annotations(FieldCursor annotations, FieldCursor spec) {
        FieldCursor mirror = annotations.entry(MIRROR);
        if (mirror.isSet() && spec.at("nodeName").isEmpty()) {
            mirror.invalid("must set spec.nodeName if mirror pod annotation is set");
        }
        FieldCursor cost = annotations.entry(DELETION_COST);
        if (cost.isSet() && !isInt32(cost.text())) {
            cost.invalid("must be a 32bit integer");
        }
    }

    /** ReplicaSets rank pods for deletion by an integer without plus sign and leading zeros. */
    private static boolean isInt32(String text) {
        if (!INTEGER.matcher(text).matches() || text.length() > 11) {
            return false;
        }
        long number = Long.parseLong(text);
        return number == (int) number;
    }

    /**
     * Validates a spec.
     *
     * @param pod the name of the pod; empty for a template
     */
    static void spec(FieldCursor spec, String pod) {
        Map<String, JsonObject> volumes = VolumeRules.check(spec.at("volumes"), pod);
        resourceClaims(spec.at("resourceClaims"));
        new ContainerRules(spec, volumes).validate();
        AmountRules.ofPod(spec, spec.at("resources"));
        hostPorts(spec, !pod.isEmpty());
        spec.at("restartPolicy").requireOneOf(RESTART_POLICIES);
        spec.at("dnsPolicy").requireOneOf(DNS_POLICIES);
        SelectorRules.labels(spec.at("nodeSelector"));
        SecurityRules.pod(spec);
        SchedulingRules.affinity(spec.at("affinity"));
        dns(spec.at("dnsConfig"), spec.at("dnsPolicy").text());
        spec.at("readinessGates").each(gate -> gate.at("conditionType").follows(NameValidation::qualifiedName));
        schedulingGates(spec.at("schedulingGates"));
        SchedulingRules.spreading(spec.at("topologySpreadConstraints"));
        WindowsRules.hostProcess(spec);
        hostUsers(spec);
        hostnameOverride(spec);
        names(spec);
        spec.at("tolerations").each(SchedulingRules::toleration);
        spec.at("hostAliases").each(PodSpecRules::hostAlias);
        spec.at("priorityClassName").followsIfSet(NameValidation::dns1123Subdomain);
        spec.at("runtimeClassName").ifSet(name -> name.follows(NameValidation::dns1123Subdomain));
        spec.at("preemptionPolicy").ifSet(policy -> policy.requireOneOf(List.of("PreemptLowerPriority", "Never")));
        spec.at("overhead")
                .ifSet(overhead -> AmountRules.ofContainer(
                        overhead.holding(JsonObject.of("limits", overhead.object())), Set.of()));
        OsRules.check(spec);
        EnvironmentRules.files(spec);
    }

    private static void resourceClaims(FieldCursor claims) {
        Set<String> seen = new HashSet<>();
        claims.each(claim -> {
            FieldCursor name = claim.at("name");
            if (name.require()) {
                if (seen.add(name.text())) {
                    name.follows(NameValidation::dns1123Label);
                } else {
                    name.duplicate();
                }
            }
            FieldCursor direct = claim.at("resourceClaimName");
            FieldCursor template = claim.at("resourceClaimTemplateName");
            FieldCursor shown = claim.holding(internalClaim(claim.object()));
            if (direct.isSet() && template.isSet()) {
                shown.invalid("at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified");
            }
            if (!direct.isSet() && !template.isSet()) {
                shown.invalid("must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
            }
            direct.ifSet(some -> some.follows(NameValidation::dns1123Subdomain));
            template.ifSet(some -> some.follows(NameValidation::dns1123Subdomain));
        });
    }

    private static JsonObject internalClaim(JsonObject claim) {
        JsonValue direct = claim.get("resourceClaimName");
        JsonValue template = claim.get("resourceClaimTemplateName");
        return JsonObject.builder()
                .put("Name", claim.string("name"))
                .put("ResourceClaimName", direct == null ? JsonNull.NULL : direct)
                .put("ResourceClaimTemplateName", template == null ? JsonNull.NULL : template)
                .build();
    }

    /** In the network of the host, the port of a container is the port of the host. */
    private static void hostPorts(FieldCursor spec, boolean isPod) {
        if (!spec.at("hostNetwork").isTrue()) {
            return;
        }
        spec.at("containers")
                .each(container -> container.at("ports").each(port -> {
                    FieldCursor hostPort = port.at("hostPort").holdingNumber();
                    long number = hostPort.number();
                    if ((isPod || number != 0)
                            && number != port.at("containerPort").number()) {
                        hostPort.invalid("must match `containerPort` when `hostNetwork` is true");
                    }
                }));
    }

    private static void dns(FieldCursor config, String policy) {
        FieldCursor servers = config.at("nameservers");
        FieldCursor searches = config.at("searches");
        if (policy.equals("None")) {
            if (!config.isSet()) {
                config.required("must provide `dnsConfig` when `dnsPolicy` is None");
                return;
            }
            if (!servers.require("must provide at least one DNS nameserver when `dnsPolicy` is None")) {
                return;
            }
        }
        if (servers.array().size() > MAX_NAMESERVERS) {
            servers.invalid("must not have more than " + MAX_NAMESERVERS + " nameservers");
        }
        servers.each(PodSpecRules::address);
        if (searches.array().size() > MAX_SEARCHES) {
            searches.invalid("must not have more than " + MAX_SEARCHES + " search paths");
        }
        if (String.join(" ", searches.array().strings().toList()).length() > MAX_SEARCH_CHARACTERS) {
            searches.invalid("must not have more than " + MAX_SEARCH_CHARACTERS
                    + " characters (including spaces) in the search list");
        }
        searches.each(PodSpecRules::search);
        config.at("options").each(option -> {
            if (option.at("name").isEmpty()) {
                option.required("must not be empty");
            }
        });
    }

    private static void search(FieldCursor search) {
        String path = search.text();
        if (path.equals(".")) {
            return;
        }
        String bare = path.endsWith(".") ? path.substring(0, path.length() - 1) : path;
        if (bare.length() > MAX_SUBDOMAIN) {
            search.errors().invalid(search.path(), bare, "must be no more than " + MAX_SUBDOMAIN + " characters");
        }
        if (!UNDERSCORED.matcher(bare).matches()) {
            search.errors().invalid(search.path(), bare, NO_SEARCH);
        }
    }

    private static void address(FieldCursor address) {
        var unused = AddressRules.ip(address.path(), address.text(), List.of(), address.errors());
    }

    private static void hostAlias(FieldCursor alias) {
        address(alias.at("ip"));
        alias.at("hostnames").each(name -> name.follows(NameValidation::dns1123Subdomain));
    }

    private static void schedulingGates(FieldCursor gates) {
        List<FieldCursor> items = gates.items();
        for (int i = 0; i < items.size(); i++) {
            FieldCursor name = items.get(i).at("name").named(items.get(i).path());
            name.follows(NameValidation::qualifiedName);
            String text = name.text();
            if (items.subList(0, i).stream()
                    .anyMatch(gate -> gate.at("name").text().equals(text))) {
                name.holdingText().duplicate();
            }
        }
    }

    private static void hostUsers(FieldCursor spec) {
        if (!spec.at("hostUsers").isSet() || spec.at("hostUsers").isTrue()) {
            return;
        }
        if (spec.at("hostNetwork").isTrue()) {
            spec.at("hostNetwork").forbidden("when `hostUsers` is false");
        }
        if (spec.at("hostPID").isTrue()) {
            spec.at("HostPID").forbidden("when `hostUsers` is false");
        }
        if (spec.at("hostIPC").isTrue()) {
            spec.at("HostIPC").forbidden("when `hostUsers` is false");
        }
    }

    private static void hostnameOverride(FieldCursor spec) {
        FieldCursor override = spec.at("hostnameOverride");
        if (!override.isSet()) {
            return;
        }
        if (spec.at("setHostnameAsFQDN").isTrue()) {
            override.forbidden("may not be specified when setHostnameAsFQDN is true");
        }
        if (spec.at("hostNetwork").isTrue()) {
            override.forbidden("may not be specified when hostNetwork is true");
        }
        if (override.text().length() > MAX_HOSTNAME) {
            override.errors().tooLong(override.path(), MAX_HOSTNAME);
        }
        override.follows(NameValidation::dns1123Subdomain);
    }

    private static void names(FieldCursor spec) {
        spec.at("serviceAccountName").followsIfSet(NameValidation::dns1123Subdomain);
        spec.at("nodeName").followsIfSet(NameValidation::dns1123Subdomain);
        spec.at("activeDeadlineSeconds").between(1, Integer.MAX_VALUE);
        spec.at("hostname").followsIfSet(NameValidation::dns1123Label);
        spec.at("subdomain").followsIfSet(NameValidation::dns1123Label);
    }
}
