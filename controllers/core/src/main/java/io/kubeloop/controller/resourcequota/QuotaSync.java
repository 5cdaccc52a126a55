/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.resourcequota;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.IncompleteSyncException;
import io.kubeloop.controller.discovery.ResourceMonitors.Monitored;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.quota.Amounts;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Syncs one quota: counts, and writes the status if it changes (upstream: {@code syncResourceQuota}).
 *
 * <p>The caches may lag behind the server, which has already charged an object that they do not show. A write is
 * therefore followed by another count a second later; see {@link QuotaQueues#recheck}.
 *
 * <p>Thread-safe; {@link #sync} blocks until the server has answered.
 */
final class QuotaSync {

    private final Lister<GenericObject> quotas;
    private final Supplier<List<Monitored>> monitored;
    private final ResourceClient<GenericObject> client;
    private final Clock clock;
    private final QuotaQueues queues;

    /** The last count of each quota. Two workers can count one quota at a time; either count is right. */
    private final ConcurrentMap<ObjectName, UsageCount> counts = new ConcurrentHashMap<>();

    QuotaSync(
            Lister<GenericObject> quotas,
            Supplier<List<Monitored>> monitored,
            ResourceClient<GenericObject> client,
            Clock clock,
            QuotaQueues queues) {
        this.quotas = quotas;
        this.monitored = monitored;
        this.client = client;
        this.clock = clock;
        this.queues = queues;
    }

    /**
     * Syncs the quota with this name, if it exists.
     *
     * @throws IncompleteSyncException if a kind that the quota limits has not been read yet; the others are counted
     */
    void sync(ObjectName key) {
        GenericObject quota = quotas.get(key);
        if (quota == null) {
            counts.remove(key);
            return;
        }
        JsonObject tree = Trees.ofQuota(quota);
        Amounts hard = Amounts.read(tree.object("spec", "hard"));
        Amounts before = Amounts.read(tree.object("status", "used"));
        UsageCount count = UsageCount.of(
                tree.object("spec"),
                key.namespace(),
                monitored.get(),
                clock.instant(),
                counts.getOrDefault(key, UsageCount.NONE));
        counts.put(key, count);
        Amounts used = count.used().orElse(before).only(hard.names()::contains);
        if (!hard.isSameAs(Amounts.read(tree.object("status", "hard"))) || !used.isSameAs(before)) {
            GenericObject written = client.updateStatus(
                    quota.with(List.of("status"), Map.of("hard", texts(hard), "used", texts(used))));
            queues.recheck(written);
        }
        if (!count.unread().isEmpty()) {
            throw new IncompleteSyncException("Cannot count " + count.unread() + " for the quota " + key
                    + ": the objects have not been read yet");
        }
    }

    /**
     * Syncs the quota if it is still the one that was written; otherwise waits until nothing has changed it for a
     * while.
     */
    void recheck(QuotaQueues.Recheck check) {
        GenericObject quota = quotas.get(check.key());
        if (quota == null) {
            return;
        }
        if (quota.metadata().resourceVersion().equals(check.resourceVersion())) {
            sync(check.key());
        } else {
            queues.recheck(quota);
        }
    }

    private static Map<String, String> texts(Amounts amounts) {
        return amounts.byName().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().toString()));
    }
}
