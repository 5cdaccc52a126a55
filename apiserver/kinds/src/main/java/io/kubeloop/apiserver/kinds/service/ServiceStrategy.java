/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.service;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.objectmeta.Names;
import io.kubeloop.apiserver.rest.RestStrategy;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.StatusParts;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Map;
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
}
