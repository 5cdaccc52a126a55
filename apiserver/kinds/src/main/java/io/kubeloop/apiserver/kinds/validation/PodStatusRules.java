/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.api.NameValidation;
import io.kubeloop.api.value.IpAddress;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.fielderrors.FieldError;
import io.kubeloop.json.schema.Quantities;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Validation of the status of pods (upstream: {@code ValidatePodStatusUpdate}). */
final class PodStatusRules {

    private static final List<String> CONTAINERS = List.of("initContainers", "containers");
    private static final Map<String, String> STATUSES =
            Map.of("containers", "containerStatuses", "initContainers", "initContainerStatuses");
    private static final String DEVICES = "allocatedResourcesStatus";
    private static final String CLAIM = "claim:";
    private static final String NO_CLAIM = "must match one of the container's resource claims as"
            + " 'claim:<claimName>/<requestName>' when container.resources.claims[*].request is set or"
            + " 'claim:<claimName>' when it is empty";
    private static final List<String> HEALTH = List.of("Healthy", "Unhealthy", "Unknown");
    private static final int MAX_MESSAGE = 1024;
    private static final long MAX_UID = 4_294_967_295L;
    private static final Set<String> SYSTEM_CONDITIONS = Set.of("PodScheduled", "Ready", "Initialized");
    private static final String ONE_PER_FAMILY = "may specify no more than one IP for each IP family";

    private PodStatusRules() {}

    /** Validates a change of the status. */
    static void update(FieldCursor status, FieldCursor old) {
        FieldCursor before = old.at("status");
        status.at("conditions").each(condition -> {
            observed(condition);
            String type = condition.at("type").text();
            if (!SYSTEM_CONDITIONS.contains(type)) {
                condition.at("Type").holding(condition.at("type").value()).follows(NameValidation::qualifiedName);
            }
        });
        FieldCursor nominated = status.at("nominatedNodeName");
        if (!nominated.isSameAs(before.at("nominatedNodeName"))) {
            nominated.followsIfSet(NameValidation::dns1123Subdomain);
            if (!old.at("spec", "nodeName").isEmpty() && !nominated.isEmpty()) {
                nominated.forbidden("may not be set on pods that are already bound to a node");
            }
        }
        observed(status);
        claims(status.at("resourceClaimStatuses"), old.at("spec", "resourceClaims"));
        status.at("extendedResourceClaimStatus").ifSet(claim -> ExtendedClaimRules.check(claim, old.at("spec")));
        containers(status, old.at("spec"));
        status.at("qosClass").immutable(before.at("qosClass"));
        restarts(status.at("containerStatuses"), before, old.at("spec"), "containers");
        restarts(status.at("initContainerStatuses"), before, old.at("spec"), "initContainers");
        addresses(status.at("podIPs"), before.at("podIPs"));
        FieldCursor hosts = status.at("hostIPs");
        if (!hosts.isEmpty()) {
            FieldCursor first = hosts.items().get(0).at("ip");
            if (!first.text().equals(status.at("hostIP").text())) {
                first.invalid("must be equal to `hostIP`");
            }
            addresses(hosts, before.at("hostIPs"));
        }
    }

    private static void observed(FieldCursor object) {
        FieldCursor generation = object.at("observedGeneration");
        if (generation.number() < 0) {
            generation.invalid("must be a non-negative integer");
        }
    }

    private static void claims(FieldCursor statuses, FieldCursor declared) {
        Set<String> names = AmountRules.claimNames(declared);
        Set<String> seen = new HashSet<>();
        statuses.each(claim -> {
            FieldCursor name = claim.at("name");
            if (!names.contains(name.text())) {
                name.invalid("must match the name of an entry in `spec.resourceClaims`");
            }
            if (!seen.add(name.text())) {
                name.duplicate();
            }
            claim.at("resourceClaimName").ifSet(claimName -> claimName.follows(NameValidation::dns1123Subdomain));
        });
    }

    private static void containers(FieldCursor status, FieldCursor spec) {
        for (String list : CONTAINERS) {
            FieldCursor statuses = status.at(Objects.requireNonNull(STATUSES.get(list)));
            statuses.each(PodStatusRules::user);
            Map<String, JsonObject> containers = new HashMap<>();
            spec.at(list)
                    .array()
                    .objects()
                    .forEach(container -> containers.putIfAbsent(container.string("name"), container));
            statuses.each(each -> devices(
                    each.at(DEVICES),
                    containers.get(each.at("name").text()),
                    status.at("extendedResourceClaimStatus").object()));
        }
        FieldCursor ephemeral = status.at("ephemeralContainerStatuses");
        ephemeral.each(PodStatusRules::user);
        ephemeral.each(each -> each.at(DEVICES).mustBeAbsent("must not be specified in container status"));
    }

    private static void user(FieldCursor container) {
        container.at("user", "linux").ifSet(user -> {
            user.at("uid").between(0, MAX_UID);
            user.at("gid").between(0, Integer.MAX_VALUE);
            user.at("supplementalGroups").each(group -> group.between(0, Integer.MAX_VALUE));
        });
    }

    /** The health of devices belongs to a claim or a resource that the container has requested. */
    private static void devices(FieldCursor statuses, @Nullable JsonObject container, JsonObject extended) {
        if (container == null) {
            statuses.each(PodStatusRules::health);
            return;
        }
        JsonObject resources = container.object("resources");
        Set<String> claims = resources
                .array("claims")
                .objects()
                .map(claim -> CLAIM
                        + claim.string("name")
                        + (claim.string("request").isEmpty() ? "" : "/" + claim.string("request")))
                .collect(Collectors.toCollection(HashSet::new));
        claims.addAll(extendedClaims(container, extended));
        statuses.each(device -> {
            FieldCursor name = device.at("name");
            if (name.text().startsWith(CLAIM)) {
                if (!claims.contains(name.text())) {
                    name.invalid(NO_CLAIM);
                }
            } else if (!resources.object("requests").has(name.text())) {
                name.invalid("must match one of the container's resource requests");
            }
            health(device);
        });
    }

    /** Returns the requests of the claim that was made for the extended resources of a container. */
    private static Set<String> extendedClaims(JsonObject container, JsonObject extended) {
        return extended.array("requestMappings")
                .objects()
                .filter(mapping -> mapping.string("containerName").equals(container.string("name")))
                .filter(mapping -> {
                    JsonValue amount = container.get("resources", "requests", mapping.string("resourceName"));
                    return amount != null && Quantities.of(amount).signum() != 0;
                })
                .map(mapping -> CLAIM + extended.string("resourceClaimName") + "/" + mapping.string("requestName"))
                .collect(Collectors.toSet());
    }

    private static void health(FieldCursor device) {
        Set<String> seen = new HashSet<>();
        device.at("resources").each(resource -> {
            resource.at("health").oneOf(HEALTH);
            FieldCursor message = resource.at("message");
            if (message.isSet()
                    && message.require("must be non-empty if specified")
                    && message.text().getBytes(StandardCharsets.UTF_8).length > MAX_MESSAGE) {
                message.errors().tooLong(message.path(), MAX_MESSAGE);
            }
            if (!seen.add(resource.at("resourceID").text())) {
                resource.at("resourceID").holdingText().duplicate();
            }
        });
    }

    private static void invalidAddress(FieldCursor list, List<String> addresses) {
        for (int i = 0; i < addresses.size(); i++) {
            if (IpAddress.parse(addresses.get(i)) == null) {
                list.errors()
                        .add(FieldError.internal(
                                list.path(),
                                "failed to check for dual stack with error:invalid IP[" + i + "]: "
                                        + addresses.get(i)));
                return;
            }
        }
    }

    private static void addresses(FieldCursor list, FieldCursor before) {
        List<String> kept = before.array().objects().map(ip -> ip.string("ip")).toList();
        List<String> addresses = new ArrayList<>();
        for (FieldCursor item : list.items()) {
            String address = item.at("ip").text();
            addresses.add(address);
            var unused = AddressRules.ip(item.path(), address, kept, item.errors());
        }
        if (addresses.size() > 1) {
            invalidAddress(list, addresses);
        }
        boolean dual = addresses.stream().map(IpAddress::isV6).distinct().count() == 2;
        if (addresses.size() > 2 || (addresses.size() > 1 && !dual)) {
            list.holding(JsonArray.of(addresses.stream()
                            .map(ip -> JsonObject.EMPTY.with("IP", ip))
                            .toList()))
                    .invalid(ONE_PER_FAMILY);
        }
    }

    /** A container that has ended runs again only if the policy of the pod allows this. */
    private static void restarts(FieldCursor statuses, FieldCursor before, FieldCursor spec, String list) {
        String field = statuses.path().substring(statuses.path().lastIndexOf('.') + 1);
        String policy = spec.at("restartPolicy").text();
        Map<String, JsonObject> now = new LinkedHashMap<>();
        statuses.array().objects().forEach(status -> now.put(status.string("name"), status));
        List<JsonObject> old = before.at(field).array().objects().toList();
        for (int i = 0; i < old.size(); i++) {
            JsonObject ended = old.get(i).object("state", "terminated");
            JsonObject status = now.get(old.get(i).string("name"));
            boolean restarted = !ended.isEmpty()
                    && status != null
                    && !status.object("state").has("terminated");
            Long code = ended.number("exitCode");
            boolean failed = code != null && code != 0;
            if (restarted && !mayRestart(spec, list, old.get(i).string("name"), policy, failed)) {
                statuses.errors()
                        .forbidden(
                                statuses.path() + "[" + i + "].state",
                                "may not be transitioned to non-terminated state");
            }
        }
    }

    private static boolean mayRestart(FieldCursor spec, String list, String name, String policy, boolean failed) {
        JsonObject container = spec.at(list)
                .array()
                .objects()
                .filter(some -> some.string("name").equals(name))
                .findFirst()
                .orElse(JsonObject.EMPTY);
        String own = container.string("restartPolicy");
        String effective = own.isEmpty() ? policy : own;
        return effective.equals("Always")
                || !container.array("restartPolicyRules").isEmpty()
                || (effective.equals("OnFailure") && failed);
    }
}
