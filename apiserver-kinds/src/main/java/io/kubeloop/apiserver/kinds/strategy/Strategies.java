package io.kubeloop.apiserver.kinds.strategy;

import io.kubeloop.apiserver.kinds.quota.LimitRangeStrategy;
import io.kubeloop.apiserver.kinds.quota.ResourceQuotaStrategy;
import io.kubeloop.apiserver.kinds.service.ServiceNetwork;
import io.kubeloop.apiserver.kinds.service.ServiceStrategy;
import io.kubeloop.apiserver.machinery.RestStrategy;
import io.kubeloop.apiserver.machinery.ServedResource;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.TypeCatalog;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The table of the strategies of all resources. */
public final class Strategies {

    /** The entries of all kinds that have no class of their own, by {@code resource.group}. */
    private static final Map<String, KindStrategy.Entry> TABLE = new HashMap<>();

    static {
        List.of(WorkloadKinds.TABLE).forEach(TABLE::putAll);
    }

    private Strategies() {}

    /** Creates the strategy of a resource for a server whose services get their addresses from this network. */
    public static RestStrategy of(ServedResource resource, ServiceNetwork network) {
        return switch (resource.toString()) {
            case "pods" -> new PodStrategy();
            case "services" -> new ServiceStrategy(network);
            case "endpoints" -> new EndpointsStrategy();
            case "endpointslices.discovery.k8s.io" -> new EndpointSliceStrategy();
            case "events" -> new EventStrategy();
            case "namespaces" -> new NamespaceStrategy();
            case "nodes" -> new NodeStrategy();
            case "replicationcontrollers" -> new ReplicationControllerStrategy();
            case "deployments.apps" -> new DeploymentRestStrategy();
            case "replicasets.apps" -> new ReplicaSetStrategy();
            case "leases.coordination.k8s.io" -> new LeaseStrategy();
            case "secrets" -> new SecretStrategy();
            case "configmaps" -> new ConfigMapStrategy();
            case "podtemplates" -> new PodTemplateStrategy();
            case "limitranges" -> new LimitRangeStrategy();
            case "resourcequotas" -> new ResourceQuotaStrategy();
            case "serviceaccounts" -> new ServiceAccounts();
            default -> ofTables(resource);
        };
    }

    private static RestStrategy ofTables(ServedResource resource) {
        KindStrategy.Entry entry = TABLE.get(resource.toString());
        if (entry != null) {
            return entry.build();
        }
        StructSchema type = TypeCatalog.kubernetes()
                .type(resource.type().apiVersion(), resource.type().kind());
        if (type == null) {
            throw new IllegalArgumentException("no type for " + resource);
        }
        KindStrategy.Entry plain = KindStrategy.of(type.name());
        return resource.subresource("status") == null
                ? plain.build()
                : plain.status().build();
    }

    /** ServiceAccounts (upstream: {@code pkg/registry/core/serviceaccount}). Unlike upstream, they have no tokens. */
    private static final class ServiceAccounts implements RestStrategy {

        @Override
        public boolean returnsDeletedObject() {
            return true;
        }
    }
}
