package io.kubeloop.apiserver.kinds;

import io.kubeloop.api.ResourceType;
import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.fields.FieldTypes;
import io.kubeloop.apiserver.kinds.columns.Layouts;
import io.kubeloop.apiserver.kinds.quota.LimitRanger;
import io.kubeloop.apiserver.kinds.quota.QuotaLedger;
import io.kubeloop.apiserver.kinds.service.ServiceNetwork;
import io.kubeloop.apiserver.kinds.strategy.PodActions;
import io.kubeloop.apiserver.kinds.strategy.Strategies;
import io.kubeloop.apiserver.kinds.validation.DataMapRules;
import io.kubeloop.apiserver.kinds.validation.DeploymentTypes;
import io.kubeloop.apiserver.kinds.validation.MicroTimes;
import io.kubeloop.apiserver.kinds.validation.Quantities;
import io.kubeloop.apiserver.machinery.ResourceStore;
import io.kubeloop.apiserver.machinery.RestStrategy;
import io.kubeloop.apiserver.machinery.ServedResource;
import io.kubeloop.apiserver.machinery.TypeCheck;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.registry.ApiKinds;
import io.kubeloop.apiserver.registry.SubresourceHandler;
import io.kubeloop.apiserver.table.Column;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Kubernetes' own kinds, for one server. Thread-safe. */
public final class BuiltInKinds implements ApiKinds {

    private static final JsonCodec RECORDS = JsonCodec.standard();

    private final ServiceNetwork network;

    private BuiltInKinds(ServiceNetwork network) {
        this.network = network;
    }

    /** Returns the kinds, with services in the range {@code 10.96.0.0/16}. */
    public static BuiltInKinds create() {
        return new BuiltInKinds(ServiceNetwork.DEFAULT);
    }

    /**
     * Returns the kinds, with services in these ranges.
     *
     * @param ranges one range of cluster IPs, or two ranges of different IP families, such as {@code 10.96.0.0/16} and
     *     {@code fd00:10:96::/112}. Services use the family of the first range unless they request the other or both
     * @throws IllegalArgumentException if a range is invalid or the combination is not allowed; the message names the
     *     problem
     */
    public static BuiltInKinds withServiceRanges(List<String> ranges) {
        return new BuiltInKinds(ServiceNetwork.of(ranges));
    }

    @Override
    public List<ServedResource> resources() {
        return ResourceTable.ALL;
    }

    @Override
    public RestStrategy strategy(ServedResource resource) {
        return Strategies.of(resource, network);
    }

    @Override
    public TypeCheck types(ServedResource resource) {
        ResourceType<?> type = resource.type();
        return (object, json) -> requireTypes(type, object, json);
    }

    /**
     * A stored object with a field of the wrong type would prevent every typed client from decoding the lists that
     * contain it.
     */
    private static void requireTypes(ResourceType<?> type, JsonObject object, byte[] body) {
        DataMapRules.requireTypes(type, object);
        DeploymentTypes.requireTypes(type, object);
        MicroTimes.requireForm(type, object);
        Quantities.requireForm(object);
        FieldTypes.require(type.kind(), object);
        ResourceType<?> readAs = DeploymentTypes.readAs(type);
        byte[] read =
                readAs.equals(type) ? body : object.with("kind", readAs.kind()).toBytes();
        var unused = RECORDS.decode(readAs, new ByteArrayInputStream(read));
    }

    @Override
    public List<Column> columns(String apiVersion, String kind) {
        return Layouts.of(apiVersion, kind);
    }

    @Override
    public List<AdmissionPlugin> admission(ApiBackend backend) {
        ResourceStore quotas = Objects.requireNonNull(backend.storeOfKind("v1", "ResourceQuota"));
        ResourceStore limitRanges = Objects.requireNonNull(backend.storeOfKind("v1", "LimitRange"));
        return List.of(new LimitRanger(limitRanges), new QuotaLedger(backend.storage(), backend.stores(), quotas));
    }

    @Override
    public Map<String, SubresourceHandler> subresources(ApiBackend backend) {
        PodActions pods = new PodActions(backend);
        return Map.of("pods/binding", pods::bind, "pods/eviction", pods::evict);
    }
}
