/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.resourcequota;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.controller.discovery.ResourceMonitors.Monitored;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.quota.Amounts;
import io.kubeloop.quota.DeviceClaims;
import io.kubeloop.quota.QuotaUsage;
import io.kubeloop.workqueue.RateLimitingQueue;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The quotas to sync, in three queues: those without usage, which block the creation of objects; those whose usage can
 * have changed; and those that were written a second ago (upstream: {@code missingUsageQueue}, {@code queue}).
 *
 * <p>Also the handler of the events of quotas. Thread-safe.
 */
final class QuotaQueues implements ResourceEventHandler<GenericObject> {

    /** Time without a change of a quota after which it is counted again. */
    static final Duration RECHECK_DELAY = Duration.ofSeconds(1);

    /**
     * A quota that was written.
     *
     * @param key its name
     * @param resourceVersion the version of the write
     */
    record Recheck(ObjectName key, String resourceVersion) {}

    private final RateLimitingQueue<ObjectName> withoutUsage;
    private final RateLimitingQueue<ObjectName> changed;
    private final RateLimitingQueue<Recheck> written;
    private final Lister<GenericObject> quotas;
    private final Supplier<List<Monitored>> monitored;

    QuotaQueues(
            RateLimitingQueue<ObjectName> withoutUsage,
            RateLimitingQueue<ObjectName> changed,
            RateLimitingQueue<Recheck> written,
            Lister<GenericObject> quotas,
            Supplier<List<Monitored>> monitored) {
        this.withoutUsage = withoutUsage;
        this.changed = changed;
        this.written = written;
        this.quotas = quotas;
        this.monitored = monitored;
    }

    @Override
    public void onAdd(GenericObject quota, boolean isInInitialList) {
        add(quota);
    }

    /**
     * Queues a quota whose limits changed. The server charges the status, so a change of the status needs no
     * count. An update without a change is a resync: everything is counted again.
     */
    @Override
    public void onUpdate(GenericObject old, GenericObject current) {
        boolean isResync =
                old.metadata().resourceVersion().equals(current.metadata().resourceVersion());
        boolean isAnother = !old.metadata().uid().equals(current.metadata().uid());
        if (isResync) {
            changed.add(current.objectName());
        } else if (isAnother || !hard(old, "spec").isSameAs(hard(current, "spec"))) {
            add(current);
        }
    }

    /** Queues the quota, so its last count is dropped. */
    @Override
    public void onDelete(DeletedObject<GenericObject> deleted) {
        changed.add(deleted.name());
    }

    @Override
    public String handlerName() {
        return ResourceQuotaController.ACCOUNT;
    }

    private void add(GenericObject quota) {
        if (!hard(quota, "spec").isSameAs(hard(quota, "status")) || lacksUsage(quota)) {
            withoutUsage.add(quota.objectName());
        } else {
            changed.add(quota.objectName());
        }
    }

    private boolean lacksUsage(GenericObject quota) {
        JsonObject status = Trees.ofQuota(quota).object("status");
        Set<String> missing = new TreeSet<>(status.object("hard").members().keySet());
        missing.removeAll(status.object("used").members().keySet());
        List<Monitored> resources = missing.isEmpty() ? List.of() : monitored.get();
        DeviceClaims devices =
                new DeviceClaims(new CachedDevices(resources, quota.metadata().namespace()));
        return resources.stream()
                .anyMatch(resource ->
                        missing.stream().anyMatch(name -> QuotaUsage.concerns(resource.type(), name, devices)));
    }

    /** Queues the quotas whose usage was unknown until the server began to serve the resources that they limit. */
    void resourcesRead() {
        quotas.list().stream().filter(this::lacksUsage).forEach(quota -> withoutUsage.add(quota.objectName()));
    }

    /** Returns whether a namespace has quotas. */
    boolean hasQuotas(String namespace) {
        return !quotas.list(namespace).isEmpty();
    }

    /** Queues the quotas of a namespace that limit the usage of one resource's objects. */
    void replenish(ResourceType<?> type, String namespace) {
        DeviceClaims devices = new DeviceClaims(new CachedDevices(monitored.get(), namespace));
        for (GenericObject quota : quotas.list(namespace)) {
            if (hard(quota, "status").names().stream().anyMatch(name -> QuotaUsage.concerns(type, name, devices))) {
                changed.add(quota.objectName());
            }
        }
    }

    /** Queues another count of a quota for the time when nothing has changed it for {@link #RECHECK_DELAY}. */
    void recheck(GenericObject quota) {
        written.addAfter(new Recheck(quota.objectName(), quota.metadata().resourceVersion()), RECHECK_DELAY);
    }

    private static Amounts hard(GenericObject quota, String part) {
        return Amounts.read(Trees.ofQuota(quota).object(part, "hard"));
    }
}
