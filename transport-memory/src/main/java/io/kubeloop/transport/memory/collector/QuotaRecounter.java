package io.kubeloop.transport.memory.collector;

import io.kubeloop.transport.memory.machinery.Meta;
import io.kubeloop.transport.memory.quota.QuotaLedger;
import io.kubeloop.transport.memory.quota.QuotaUsage;
import io.kubeloop.transport.memory.storage.StoredObject;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Has quotas counted anew when they are new or changed, and when something has gone or ended (upstream: {@code
 * pkg/controller/resourcequota}). Confined to the collector's thread.
 */
final class QuotaRecounter {

    private final QuotaLedger ledger;
    private final Set<String> due = new LinkedHashSet<>();

    QuotaRecounter(QuotaLedger ledger) {
        this.ledger = ledger;
    }

    /** What exists will be told, but not what has gone. */
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
     * Counts. Where the result was news it counts once more in the next round, which the writing of it brings about: what was let in
     * by somebody who had looked before there was a quota is there by then.
     */
    void processPending() {
        for (String namespace : List.copyOf(due)) {
            if (!ledger.recount(namespace)) {
                due.remove(namespace);
            }
        }
    }
}
