/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.quota;

import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.ServedResource;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.storage.Snapshot;
import io.kubeloop.apiserver.storage.Storage;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.quota.Amounts;
import io.kubeloop.quota.DeviceClaims;
import io.kubeloop.quota.QuotaScopes;
import io.kubeloop.quota.QuotaUsage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Admits or rejects objects in namespaces with quotas, and charges the quotas (upstream: the admission plugin {@code
 * ResourceQuota}).
 *
 * <p>The status is decisive: a resource in {@code status.hard} is limited to what {@code status.used} leaves of it.
 * A quota without a status limits nothing yet.
 *
 * <p>Thread-safe. Writes into a namespace with quotas wait for each other; see {@link #admit}.
 */
public final class QuotaLedger implements AdmissionPlugin {

    /*
     * Invariants:
     *   L1  An admitted object is written and charged before another object is admitted under any quota: the lock is
     *       held from the read of the quotas to the write of their status. Therefore `used` never misses an object that
     *       was admitted after the last recalculation.
     *   L2  `used` exceeds the real usage at most by objects that were deleted or ended since. The resource quota
     *       controller corrects it; its writes are conditional on the version that it read, so they overwrite no
     *       charge.
     *
     * Every writer of an object in a namespace with quotas takes the lock, which guards no field. The locks of the
     * storage are taken inside it, never the other way around. Without quotas, a write reads one snapshot and takes no
     * lock.
     */

    /** Held from the check of a quota to its charge, with the write in between. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Storage storage;
    private final ResourceStore quotas;
    private final DeviceStores devices;

    /**
     * Creates a ledger.
     *
     * @param quotas the store of the quotas
     * @param devices the stores on which the usage of device claims depends
     */
    public QuotaLedger(Storage storage, ResourceStore quotas, DeviceStores devices) {
        this.storage = storage;
        this.quotas = quotas;
        this.devices = devices;
    }

    /** The amounts that an object adds to the usage of a quota. */
    private record Charge(String key, Amounts requested) {}

    /** Returns whether the namespace has a quota. */
    private boolean isLimited(String namespace) {
        return quotas.hasObjects(storage.snapshot(), namespace);
    }

    /**
     * Charges writes of the object itself, the resize of pods, and writes of the status of volume claims, which
     * contains the allocated storage. Writes of another status, a node or finalizers are not charged.
     */
    @Override
    public @Nullable StoredObject store(
            AdmissionRequest request, JsonObject object, Supplier<@Nullable StoredObject> write) {
        boolean ofClaim = request.store().resource().toString().equals("persistentvolumeclaims");
        return request.isMain()
                        || isResize(request)
                        || (ofClaim && request.subresource().equals("status"))
                ? admit(request, object, write)
                : write.get();
    }

    /** Only pods have this subresource. */
    static boolean isResize(AdmissionRequest request) {
        return request.subresource().equals("resize");
    }

    /**
     * Writes an object if the quotas of its namespace allow it, and charges them. Waits for other writes in
     * namespaces with quotas; each holds the lock for the length of one write.
     *
     * @param write writes the object; returns null if the write failed, which charges nothing
     * @return the written object; null if the write failed
     * @throws StatusException 403 if a quota would be exceeded
     */
    private @Nullable StoredObject admit(
            AdmissionRequest request, JsonObject object, Supplier<@Nullable StoredObject> write) {
        String namespace = Meta.namespace(object);
        if (namespace.isEmpty() || !isLimited(namespace)) {
            return write.get();
        }
        lock.lock();
        try {
            List<Charge> charges = charges(request, object);
            StoredObject written = write.get();
            // A dry run returns a result but writes nothing, so it is not charged.
            if (written != null && written.revision() > 0) {
                charges.forEach(this::charge);
            }
            return written;
        } finally {
            lock.unlock();
        }
    }

    /** As upstream, every quota is asked for what it requires before any is asked for what it allows. */
    private List<Charge> charges(AdmissionRequest request, JsonObject object) {
        ServedResource resource = request.store().resource();
        JsonObject old = request.old();
        Snapshot now = storage.snapshot();
        DeviceClaims claims = devices.claims(now, Meta.namespace(object));
        Amounts usage = usage(resource, object, claims);
        List<Charge> charges = new ArrayList<>();
        List<JsonObject> charged = new ArrayList<>();
        for (StoredObject stored : quotas.objects(now, Meta.namespace(object))) {
            JsonObject quota = stored.tree();
            Amounts limits = Amounts.read(quota.object("status", "hard"));
            Amounts hard = limits.only(name -> QuotaUsage.concerns(resource.type(), name, claims));
            if (!hard.isEmpty() && QuotaScopes.match(quota.object("spec"), resource.type(), object)) {
                Amounts before = old != null && QuotaScopes.match(quota.object("spec"), resource.type(), old)
                        ? usage(resource, old, claims)
                        : Amounts.NONE;
                Amounts requested = usage.beyond(before).only(limits.names()::contains);
                // A change that needs nothing more is admitted, even if a quota is used up or a required amount was
                // not specified before.
                if (old == null || !requested.isEmpty()) {
                    require(quota, resource, object, hard.names());
                    charges.add(new Charge(stored.key(), requested));
                    charged.add(quota);
                }
            }
        }
        for (int i = 0; i < charges.size() && (request.isMain() || isResize(request)); i++) {
            limit(charged.get(i), resource, object, charges.get(i).requested());
        }
        return charges;
    }

    /** A pod is lost by the passing of time, not by a write: the time of no write matters. */
    private static Amounts usage(ServedResource resource, JsonObject object, DeviceClaims claims) {
        return QuotaUsage.of(resource.type(), object, Instant.EPOCH, claims);
    }

    private static void require(JsonObject quota, ServedResource resource, JsonObject object, Set<String> limited) {
        String unspecified = QuotaUsage.unspecified(resource.type(), object, limited);
        if (!unspecified.isEmpty()) {
            throw StatusException.forbidden(
                    resource, Meta.name(object), "failed quota: " + Meta.name(quota) + ": " + unspecified);
        }
        if (!Amounts.read(quota.object("status", "used")).names().containsAll(limited)) {
            throw StatusException.forbidden(
                    resource,
                    Meta.name(object),
                    "status unknown for quota: " + Meta.name(quota) + ", resources: " + String.join(",", limited));
        }
    }

    private static void limit(JsonObject quota, ServedResource resource, JsonObject object, Amounts requested) {
        Amounts hard = Amounts.read(quota.object("status", "hard"));
        Amounts used = Amounts.read(quota.object("status", "used"));
        Set<String> exceeded = used.plus(requested)
                .only(requested.names()::contains)
                .beyond(hard)
                .names();
        if (!exceeded.isEmpty()) {
            throw StatusException.forbidden(
                    resource,
                    Meta.name(object),
                    "exceeded quota: " + Meta.name(quota) + ", requested: " + requested.only(exceeded::contains)
                            + ", used: " + used.only(exceeded::contains) + ", limited: "
                            + hard.only(exceeded::contains));
        }
    }

    /** Retries while users change the quota; other charges wait for the lock. */
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
}
