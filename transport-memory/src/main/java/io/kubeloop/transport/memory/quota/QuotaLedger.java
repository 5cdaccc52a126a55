package io.kubeloop.transport.memory.quota;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.machinery.ApiFailure;
import io.kubeloop.transport.memory.machinery.Meta;
import io.kubeloop.transport.memory.machinery.ResourceStore;
import io.kubeloop.transport.memory.machinery.ServedResource;
import io.kubeloop.transport.memory.storage.Snapshot;
import io.kubeloop.transport.memory.storage.Storage;
import io.kubeloop.transport.memory.storage.StoredObject;
import io.kubeloop.transport.memory.validation.Amounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets objects into namespaces that have quotas, or refuses them, and keeps the quotas' status (upstream: the admission plugin
 * {@code ResourceQuota} and {@code pkg/controller/resourcequota}).
 *
 * <p>What counts is the status: what is in its {@code hard} is limited, to what its {@code used} leaves of it. A quota whose status
 * nobody has filled in yet limits nothing.
 */
public final class QuotaLedger {

    // L1  What is admitted under a quota is written, and charged, before anybody else is admitted under any: lock is
    // held from the
    //     look at the quota to the writing of its status. So `used` is never too small by what came in after it was
    // counted.
    // L2  It is too large, at most, by what has gone or ended since; recount() says so.
    //
    // lock: taken by whoever writes an object into a namespace with quotas, and by the collector's thread. Inside of it
    // the storage's
    // locks are taken, never the other way around. Without quotas there is one look at the snapshot, and no lock.

    private final ReentrantLock lock = new ReentrantLock();
    private final Storage storage;
    private final List<ResourceStore> stores;
    private final ResourceStore quotas;

    /**
     * Makes a ledger.
     *
     * @param stores what is counted
     * @param quotas where the quotas are
     */
    public QuotaLedger(Storage storage, List<ResourceStore> stores, ResourceStore quotas) {
        this.storage = storage;
        this.stores = List.copyOf(stores);
        this.quotas = quotas;
    }

    /** What an object takes from a quota. */
    private record Charge(String key, Amounts requested) {}

    /** Returns whether anything is limited in the namespace. */
    public boolean isLimited(String namespace) {
        return quotas.hasObjects(storage.snapshot(), namespace);
    }

    /**
     * Writes an object if the quotas of its namespace leave room for it, and charges them.
     *
     * @param old its state before; null at creation
     * @param write writes it; null if it was not written, so that nothing is charged
     * @return what was written
     * @throws ApiFailure 403, if there is no room
     */
    public @Nullable StoredObject admit(
            ResourceStore store, JsonObject object, @Nullable JsonObject old, Supplier<@Nullable StoredObject> write) {
        String namespace = Meta.namespace(object);
        if (namespace.isEmpty() || !isLimited(namespace)) {
            return write.get();
        }
        lock.lock();
        try {
            List<Charge> charges = charges(store.resource(), object, old);
            StoredObject written = write.get();
            // A dry run writes nothing, though it answers as if it had.
            if (written != null && written.revision() > 0) {
                charges.forEach(this::charge);
            }
            return written;
        } finally {
            lock.unlock();
        }
    }

    private List<Charge> charges(ServedResource resource, JsonObject object, @Nullable JsonObject old) {
        Amounts usage = QuotaUsage.of(resource, object);
        List<Charge> charges = new ArrayList<>();
        for (StoredObject quota : quotas.objects(storage.snapshot(), Meta.namespace(object))) {
            Amounts hard = Amounts.read(quota.tree().object("status", "hard"))
                    .only(name -> QuotaUsage.concerns(resource, name));
            if (!hard.isEmpty() && QuotaScopes.match(quota.tree().object("spec"), resource, object)) {
                Amounts before = old != null && QuotaScopes.match(quota.tree().object("spec"), resource, old)
                        ? QuotaUsage.of(resource, old)
                        : Amounts.NONE;
                Amounts requested = usage.beyond(before).only(hard.names()::contains);
                // A change that takes nothing more is let through, also where all is used up or nothing was said
                // before.
                if (old == null || !requested.isEmpty()) {
                    check(quota.tree(), resource, object, hard, requested);
                    charges.add(new Charge(quota.key(), requested));
                }
            }
        }
        return charges;
    }

    private static void check(
            JsonObject quota, ServedResource resource, JsonObject object, Amounts hard, Amounts requested) {
        String unspecified = QuotaUsage.unspecified(resource, object, hard.names());
        if (!unspecified.isEmpty()) {
            throw ApiFailure.forbidden(
                    resource, Meta.name(object), "failed quota: " + Meta.name(quota) + ": " + unspecified);
        }
        Amounts used = Amounts.read(quota.object("status", "used"));
        if (!used.names().containsAll(hard.names())) {
            throw ApiFailure.forbidden(
                    resource,
                    Meta.name(object),
                    "status unknown for quota: " + Meta.name(quota) + ", resources: " + String.join(",", hard.names()));
        }
        Set<String> exceeded = used.plus(requested)
                .only(requested.names()::contains)
                .beyond(hard)
                .names();
        if (!exceeded.isEmpty()) {
            throw ApiFailure.forbidden(
                    resource,
                    Meta.name(object),
                    "exceeded quota: " + Meta.name(quota) + ", requested: " + requested.only(exceeded::contains)
                            + ", used: " + used.only(exceeded::contains) + ", limited: "
                            + hard.only(exceeded::contains));
        }
    }

    /** Users may write a quota meanwhile, whoever else charges it waits. */
    private void charge(Charge charge) {
        StoredObject seen = storage.snapshot().get(quotas.bucket(), charge.key());
        while (seen != null && !charge.requested().isEmpty()) {
            Amounts used = Amounts.read(seen.tree().object("status", "used")).plus(charge.requested());
            JsonObject charged = seen.tree().with(List.of("status", "used"), used.json());
            if (storage.put(quotas.bucket(), seen.key(), seen, charged, null) != null) {
                return;
            }
            seen = storage.snapshot().get(quotas.bucket(), charge.key());
        }
    }

    /**
     * Counts what is used in a namespace, and writes it into the status of its quotas. O(n) in the objects of the namespace.
     *
     * @return whether a status was not right, or could not be written
     */
    public boolean recount(String namespace) {
        lock.lock();
        try {
            Snapshot now = storage.snapshot();
            boolean changed = false;
            for (StoredObject quota : quotas.objects(now, namespace)) {
                JsonObject tree = quota.tree();
                JsonObject hard = tree.object("spec", "hard");
                JsonObject status = tree.object("status")
                        .with("hard", hard)
                        .with("used", used(now, tree, namespace).json());
                if (!status.equals(tree.object("status"))) {
                    changed = true;
                    storage.put(quotas.bucket(), quota.key(), quota, tree.with("status", status), null);
                }
            }
            return changed;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the sum for each resource that the quota limits and that a quota can limit. */
    private Amounts used(Snapshot now, JsonObject quota, String namespace) {
        JsonObject spec = quota.object("spec");
        Set<String> limited = spec.object("hard").members().keySet();
        Amounts used = QuotaUsage.none(limited, QuotaUsage.OF_ABSENT_KINDS::contains);
        for (ResourceStore store : stores) {
            ServedResource resource = store.resource();
            Amounts sum = QuotaUsage.none(limited, name -> QuotaUsage.concerns(resource, name));
            if (!sum.isEmpty() && resource.type().isNamespaced()) {
                for (StoredObject object : store.objects(now, namespace)) {
                    if (QuotaScopes.match(spec, resource, object.tree())) {
                        sum = sum.plus(QuotaUsage.of(resource, object.tree()).only(limited::contains));
                    }
                }
                used = used.plus(sum);
            }
        }
        return used;
    }
}
