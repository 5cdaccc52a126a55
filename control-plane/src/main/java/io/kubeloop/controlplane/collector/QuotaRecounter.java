package io.kubeloop.controlplane.collector;

import io.kubeloop.apiserver.kinds.quota.QuotaLedger;
import io.kubeloop.apiserver.kinds.quota.QuotaUsage;
import io.kubeloop.apiserver.machinery.Meta;
import io.kubeloop.apiserver.storage.StoredObject;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Recalculates quotas after they were created or changed, and after objects were deleted or pods have ended
 * (upstream: {@code pkg/controller/resourcequota}). Confined to the collector's thread.
 */
final class QuotaRecounter {

    private final QuotaLedger ledger;
    private final Set<String> due = new LinkedHashSet<>();

    QuotaRecounter(QuotaLedger ledger) {
        this.ledger = ledger;
    }

    /**
     * Discards the scheduled namespaces: the feed delivers every existing object again, which schedules each
     * namespace that needs it.
     */
    void onReset() {
        due.clear();
    }

    void onUpsert(ObjectId id, StoredObject object) {
        String namespace = Meta.namespace(object.tree());
        boolean counted = switch (id.store().resource().toString()) {
            case "resourcequotas" ->
                object.tree().object("spec", "hard").equals(object.tree().object("status", "hard"));
            case "pods" -> !QuotaUsage.hasEnded(object.tree()) || !ledger.isLimited(namespace);
            default -> true;
        };
        if (!counted) {
            due.add(namespace);
        }
    }

    void onDelete(StoredObject last) {
        String namespace = Meta.namespace(last.tree());
        if (!namespace.isEmpty() && ledger.isLimited(namespace)) {
            due.add(namespace);
        }
    }

    /**
     * Recalculates the scheduled namespaces. After a changed result it recalculates once more in the next round,
     * which the write of the result triggers. That round also counts objects whose writers had read the storage
     * before the quota existed.
     */
    void processPending() {
        for (String namespace : List.copyOf(due)) {
            if (!ledger.recount(namespace)) {
                due.remove(namespace);
            }
        }
    }
}
