/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.service;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.kinds.validation.AddressRules;
import io.kubeloop.apiserver.objectmeta.Members;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.objectmeta.Names;
import io.kubeloop.apiserver.rest.RestStrategy;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.StatusParts;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The strategy of services, including the allocation of their addresses and ports (upstream: {@code
 * pkg/registry/core/service}). Thread-safe; the allocators are its only state.
 */
public final class ServiceStrategy implements RestStrategy {

    private static final List<String> INTERNAL_POLICIES = List.of("Cluster", ServiceSpecs.LOCAL);

    private final ServicePools pools;

    /** Creates the strategy of a server whose services get their addresses from this network. */
    public ServiceStrategy(ServiceNetwork network) {
        pools = ServicePools.of(network);
    }

    @Override
    public boolean declaresRules() {
        return true;
    }

    @Override
    public JsonObject defaults(JsonObject object) {
        return ServiceDefaults.apply(object);
    }

    @Override
    public Acquisition acquire(JsonObject object, @Nullable JsonObject old, boolean dryRun) {
        ServiceAllocation allocation = new ServiceAllocation(pools, Meta.name(object), dryRun);
        JsonObject spec = object.object("spec");
        try {
            spec = old == null ? allocation.create(spec) : allocation.update(spec, old.object("spec"));
        } catch (StatusException e) {
            allocation.undo();
            throw e;
        }
        return new Acquisition(object.with("spec", spec), allocation::undo);
    }

    @Override
    public void release(JsonObject object, @Nullable JsonObject kept) {
        pools.release(object.object("spec"), kept == null ? JsonObject.EMPTY : kept.object("spec"));
    }

    @Override
    public JsonObject prepareForCreate(JsonObject object) {
        return withoutInternalPolicy(withoutIngress(object.without("status")));
    }

    @Override
    public JsonObject prepareForUpdate(JsonObject object, JsonObject old, Part part) {
        JsonObject result = StatusParts.keepOther(object, old, part);
        if (part == Part.STATUS) {
            return result.object("status").has("loadBalancer") ? result : withoutIngress(result);
        }
        JsonObject spec = ServiceTransitions.drop(result.object("spec"), old.object("spec"));
        result = withoutInternalPolicy(result.with("spec", spec));
        return ServiceSpecs.isLoadBalancer(spec) ? result : withoutIngress(result);
    }

    private static JsonObject withoutIngress(JsonObject object) {
        return object.with("status", object.object("status").with("loadBalancer", JsonObject.EMPTY));
    }

    /**
     * A service of type ExternalName has no endpoints and therefore no internal policy. Upstream validates the
     * field but does not return it.
     */
    private static JsonObject withoutInternalPolicy(JsonObject object) {
        JsonObject spec = object.object("spec");
        return !ServiceSpecs.hasAddress(spec) && INTERNAL_POLICIES.contains(spec.string("internalTrafficPolicy"))
                ? object.with("spec", spec.without("internalTrafficPolicy"))
                : object;
    }

    @Override
    public void validateCreate(JsonObject object, FieldErrors errors) {
        ServiceRules.check(object, null, errors);
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Part part, FieldErrors errors) {
        if (part == Part.STATUS) {
            ServiceRules.checkStatus(object, old, errors);
        } else {
            ServiceRules.checkUpdate(object.object("spec"), old.object("spec"), errors);
            ServiceRules.check(object, old, errors);
        }
    }

    @Override
    public List<String> warnings(JsonObject object, @Nullable JsonObject old, Part part) {
        return part == Part.MAIN ? ServiceWarnings.of(FieldCursor.of(object, new FieldErrors())) : List.of();
    }

    @Override
    public String storagePrefix() {
        return "services/specs";
    }

    @Override
    public List<String> checkName(String name, boolean prefix) {
        return Names.dns1123Label(name, prefix);
    }

    @Override
    public Map<String, Function<JsonObject, String>> selectableFields() {
        return Map.of(
                "spec.clusterIP", object -> object.string("spec", "clusterIP"),
                "spec.type", object -> object.string("spec", "type"));
    }

    @Override
    public boolean hasStatus() {
        return true;
    }

    @Override
    public boolean createsOnUpdate() {
        return true;
    }

    @Override
    public boolean returnsDeletedObject() {
        return true;
    }

    /**
     * Removes the fields of the old type from a service that changes its type. A field that the client has changed in
     * the same update stays, because the client set it on purpose (upstream: {@code dropTypeDependentFields} in {@code
     * registry/core/service/strategy.go}).
     */
    private static final class ServiceTransitions {

        private static final String CLASS = "loadBalancerClass";
        private static final String ALLOCATE = "allocateLoadBalancerNodePorts";
        private static final String CHECK_PORT = "healthCheckNodePort";
        private static final String EXTERNAL_POLICY = "externalTrafficPolicy";

        private ServiceTransitions() {}

        static JsonObject drop(JsonObject wanted, JsonObject old) {
            JsonObject spec = wanted;
            if (ServiceSpecs.hasAddress(old) && !ServiceSpecs.hasAddress(spec)) {
                spec = dropAddresses(spec, old);
            }
            if (ServiceSpecs.hasNodePorts(old) && !ServiceSpecs.hasNodePorts(spec)) {
                spec = dropNodePorts(spec, old);
            }
            if (ServiceSpecs.hasHealthCheckPort(old) && !ServiceSpecs.hasHealthCheckPort(spec)) {
                spec = dropIfSame(spec, old, CHECK_PORT);
            }
            if (ServiceSpecs.isLoadBalancer(old) && !ServiceSpecs.isLoadBalancer(spec)) {
                spec = dropIfSame(dropIfSame(spec, old, ALLOCATE), old, CLASS);
            }
            return ServiceSpecs.isExternallyAccessible(old) && !ServiceSpecs.isExternallyAccessible(spec)
                    ? dropIfSame(spec, old, EXTERNAL_POLICY)
                    : spec;
        }

        private static JsonObject dropAddresses(JsonObject spec, JsonObject old) {
            JsonObject result = spec;
            if (spec.string("clusterIP").equals(old.string("clusterIP"))
                    && ServiceSpecs.addresses(spec).equals(ServiceSpecs.addresses(old))) {
                result = result.without("clusterIP").without("clusterIPs");
            }
            return dropIfSame(dropIfSame(result, old, "ipFamilies"), old, "ipFamilyPolicy");
        }

        private static JsonObject dropNodePorts(JsonObject spec, JsonObject old) {
            Set<Long> before = new HashSet<>(ServiceSpecs.nodePorts(old));
            if (!before.containsAll(ServiceSpecs.nodePorts(spec))) {
                return spec;
            }
            List<JsonObject> ports = ServiceSpecs.ports(spec).stream()
                    .map(port -> port.without("nodePort"))
                    .toList();
            return ServiceSpecs.withPorts(spec, ports);
        }

        private static JsonObject dropIfSame(JsonObject spec, JsonObject old, String field) {
            return spec.has(field) && Members.take(spec, field, old).equals(spec) ? spec.without(field) : spec;
        }
    }

    /** The warnings about services (upstream: {@code pkg/api/service}). */
    private static final class ServiceWarnings {

        private static final String HINTS = "service.kubernetes.io/topology-aware-hints";
        private static final String NAME_TYPE = "ExternalName";

        private ServiceWarnings() {}

        static List<String> of(FieldCursor service) {
            List<String> warnings = new ArrayList<>();
            FieldCursor spec = service.at("spec");
            if (service.at("metadata", "annotations", HINTS).isSet()) {
                warnings.add("annotation " + HINTS
                        + " is deprecated, please use service.kubernetes.io/topology-mode instead");
            }
            boolean isHeadless = spec.at("type").text().equals("ClusterIP")
                    && spec.at("clusterIP").text().equals("None");
            boolean isName = spec.at("type").text().equals(NAME_TYPE);
            FieldCursor external = spec.at("externalIPs");
            FieldCursor balancer = spec.at("loadBalancerIP");
            if (!isHeadless && !isName && !spec.at("clusterIP").isEmpty()) {
                spec.at("clusterIPs").each(ip -> warnings.addAll(AddressRules.ipWarnings(ip.path(), ip.text())));
            }
            if (isHeadless) {
                headless(spec, warnings);
            }
            external.each(ip -> warnings.addAll(AddressRules.ipWarnings(ip.path(), ip.text())));
            if (!external.isEmpty() && !isHeadless && !isName) {
                warnings.add("spec.externalIPs is deprecated and may no longer be implemented in some clusters");
            }
            warnings.addAll(AddressRules.ipWarnings(balancer.path(), balancer.text()));
            spec.at("loadBalancerSourceRanges")
                    .each(range -> warnings.addAll(AddressRules.cidrWarnings(range.path(), range.text())));
            if (isName && !external.isEmpty()) {
                warnings.add("spec.externalIPs is ignored when spec.type is \"" + NAME_TYPE + "\"");
            }
            if (!isName && !spec.at("externalName").isEmpty()) {
                warnings.add("spec.externalName is ignored when spec.type is not \"" + NAME_TYPE + "\"");
            }
            if (spec.at("trafficDistribution").text().equals("PreferClose")) {
                warnings.add("spec.trafficDistribution: \"PreferClose\" is deprecated; use \"PreferSameZone\"");
            }
            return warnings;
        }

        private static void headless(FieldCursor spec, List<String> warnings) {
            if (!spec.at("loadBalancerIP").isEmpty()) {
                warnings.add("spec.loadBalancerIP is ignored for headless services");
            }
            if (!spec.at("externalIPs").isEmpty()) {
                warnings.add("spec.externalIPs is ignored for headless services");
            }
            if (!spec.at("sessionAffinity").text().equals("None")) {
                warnings.add("spec.SessionAffinity is ignored for headless services");
            }
        }
    }
}
