package io.kubeloop.controller.resourcequota;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.controller.discovery.ResourceMonitors.Monitored;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.usage.Amounts;
import io.kubeloop.json.usage.QuotaScopes;
import io.kubeloop.json.usage.QuotaUsage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The usage of a quota's resources by the cached objects of its namespace (upstream: {@code quota.CalculateUsage}).
 *
 * @param used the usage of each resource that some monitored kind can use
 * @param unread the kinds that the quota limits and whose objects have not been read yet; their resources are not in {@code
 *     used}
 */
record UsageCount(Amounts used, List<ResourceType<?>> unread) {

    /**
     * Counts. O(size of the objects of the namespace whose kinds the quota limits).
     *
     * @param spec the spec of the quota
     * @param now the time, by which terminating pods are recognized as lost
     */
    static UsageCount of(JsonObject spec, String namespace, List<Monitored> monitored, Instant now) {
        Set<String> limited = spec.object("hard").members().keySet();
        Amounts used = Amounts.NONE;
        List<ResourceType<?>> unread = new ArrayList<>();
        for (Monitored resource : monitored) {
            Amounts sum = QuotaUsage.none(limited, name -> QuotaUsage.concerns(resource.type(), name));
            if (!sum.isEmpty() && !resource.hasSynced()) {
                unread.add(resource.type());
            } else if (!sum.isEmpty()) {
                for (KubeObject object : resource.lister().list(namespace)) {
                    JsonObject tree = Trees.of(resource.type(), object);
                    if (QuotaScopes.match(spec, resource.type(), tree)) {
                        sum = sum.plus(QuotaUsage.of(resource.type(), tree, now).only(limited::contains));
                    }
                }
                used = used.plus(sum);
            }
        }
        return new UsageCount(used, unread);
    }
}
