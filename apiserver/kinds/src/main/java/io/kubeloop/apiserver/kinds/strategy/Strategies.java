/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.strategy;

import io.kubeloop.apiserver.customresources.definitions.CrdStrategy;
import io.kubeloop.apiserver.kinds.service.ServiceNetwork;
import io.kubeloop.apiserver.kinds.service.ServiceStrategy;
import io.kubeloop.apiserver.rest.RestStrategy;
import io.kubeloop.apiserver.rest.ServedResource;
import io.kubeloop.json.schema.StructSchema;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The table of the strategies of all resources. */
public final class Strategies {

    /** The entries of all kinds that have no class of their own, by {@code resource.group}. */
    private static final Map<String, KindStrategy.Entry> TABLE = new HashMap<>();

    static {
        List.of(
                        WorkloadKinds.TABLE,
                        CoreKinds.TABLE,
                        ServerKinds.TABLE,
                        CertificateKinds.TABLE,
                        NetworkKinds.TABLE,
                        NodeKinds.TABLE,
                        StorageKinds.TABLE,
                        DeviceKinds.TABLE)
                .forEach(TABLE::putAll);
    }

    private Strategies() {}

    /**
     * Creates the strategy of a resource.
     *
     * @param schema the type of its objects
     * @param network the network from which services get their addresses
     */
    public static RestStrategy of(ServedResource resource, StructSchema schema, ServiceNetwork network) {
        return switch (resource.toString()) {
            case "pods" -> new PodStrategy();
            case "services" -> new ServiceStrategy(network);
            case "namespaces" -> new NamespaceStrategy();
            case "customresourcedefinitions.apiextensions.k8s.io" -> new CrdStrategy();
            default -> ofTables(resource, schema);
        };
    }

    private static RestStrategy ofTables(ServedResource resource, StructSchema schema) {
        KindStrategy.Entry entry = TABLE.get(resource.toString());
        if (entry != null) {
            return entry.build();
        }
        KindStrategy.Entry plain = KindStrategy.of(schema.name());
        return resource.subresource("status") == null
                ? plain.build()
                : plain.with(Trait.STATUS).build();
    }
}
