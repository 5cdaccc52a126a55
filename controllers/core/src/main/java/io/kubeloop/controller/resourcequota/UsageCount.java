/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.resourcequota;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ResourceType;
import io.kubeloop.controller.discovery.ResourceMonitors.Monitored;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.quota.Amounts;
import io.kubeloop.quota.DeviceClaims;
import io.kubeloop.quota.QuotaScopes;
import io.kubeloop.quota.QuotaUsage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The usage of a quota's resources by the cached objects of its namespace (upstream: {@code quota.CalculateUsage}).
 *
 * @param used the usage of each resource that some monitored kind can use
 * @param unread the kinds that the quota limits and whose objects have not been read yet; their resources are not in
 *     {@code used}
 * @param spec the spec of the quota
 * @param byUid the usage of each object that was read as a tree, for the next count
 */
record UsageCount(Amounts used, List<ResourceType<?>> unread, JsonObject spec, Map<String, Counted> byUid) {

    /** No count yet. */
    static final UsageCount NONE = new UsageCount(Amounts.NONE, List.of(), JsonObject.EMPTY, Map.of());

    /**
     * The usage of one object in one version.
     *
     * @param resourceVersion the version of the object
     * @param amounts its usage of the limited resources; nothing if the quota does not apply to it
     */
    record Counted(String resourceVersion, Amounts amounts) {}

    /**
     * Counts. O(objects of the namespace whose kinds the quota limits), plus O(size) of those that changed after the
     * last count.
     *
     * @param spec the spec of the quota
     * @param now the time, by which terminating pods are recognized as lost
     * @param last the last count of the quota; objects in the same version use the same
     */
    static UsageCount of(JsonObject spec, String namespace, List<Monitored> monitored, Instant now, UsageCount last) {
        Set<String> limited = spec.object("hard").members().keySet();
        Map<String, Counted> known = last.spec().equals(spec) ? last.byUid() : Map.of();
        Map<String, Counted> counted = new HashMap<>();
        Amounts used = Amounts.NONE;
        List<ResourceType<?>> unread = new ArrayList<>();
        DeviceClaims devices = new DeviceClaims(new CachedDevices(monitored, namespace));
        for (Monitored resource : monitored) {
            Amounts sum = QuotaUsage.none(limited, name -> QuotaUsage.concerns(resource.type(), name, devices));
            if (!sum.isEmpty() && !resource.hasSynced()) {
                unread.add(resource.type());
            } else if (!sum.isEmpty()) {
                for (KubeObject object : resource.lister().list(namespace)) {
                    ObjectMeta metadata = object.metadata();
                    Counted one = known.get(metadata.uid());
                    if (one == null || !one.resourceVersion().equals(metadata.resourceVersion())) {
                        one = new Counted(
                                metadata.resourceVersion(),
                                usage(spec, limited, resource.type(), object, now, devices));
                    }
                    sum = sum.plus(one.amounts());
                    // The usage of a pod that is being deleted depends on the time, too; that of a device claim on
                    // others.
                    if (!metadata.isDeleting()
                            && Trees.isRead(object)
                            && !CachedDevices.CLAIMS.equals(resource.type().toString())) {
                        counted.put(metadata.uid(), one);
                    }
                }
                used = used.plus(sum);
            }
        }
        return new UsageCount(used, unread, spec, counted);
    }

    private static Amounts usage(
            JsonObject spec,
            Set<String> limited,
            ResourceType<?> type,
            KubeObject object,
            Instant now,
            DeviceClaims devices) {
        JsonObject tree = Trees.of(type, object);
        return QuotaScopes.match(spec, type, tree)
                ? QuotaUsage.of(type, tree, now, devices).only(limited::contains)
                : Amounts.NONE;
    }
}
