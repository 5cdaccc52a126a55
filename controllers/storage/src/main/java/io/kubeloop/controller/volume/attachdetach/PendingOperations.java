/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.attachdetach;

import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.volume.attachdetach.ActualState.OnNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The attachments and detachments that run, and those that failed and must wait before they are tried again (upstream:
 * {@code nestedpendingoperations}). A volume that only one node may have takes part in one operation at a time, other
 * volumes in one for each node. Confined to the worker.
 */
final class PendingOperations {

    private static final Duration FIRST_WAIT = Duration.ofMillis(500);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(122);

    /** What an operation does. */
    enum Kind {
        ATTACH("volume_attach"),
        DETACH("volume_detach");

        private final String metric;

        Kind(String metric) {
            this.metric = metric;
        }

        /** Returns the name of the operation in metrics. */
        String metric() {
            return metric;
        }
    }

    private final Map<String, List<Slot>> slots = new HashMap<>();
    private final Map<String, Operation> byAttachment = new HashMap<>();

    /** The last operation of a volume, or of a volume on a node. */
    private static final class Slot {

        /** Empty for a volume that only one node may have. */
        private final String node;

        private Kind kind;
        private boolean isPending = true;
        private Duration wait = Duration.ZERO;
        private Instant failure = Instant.EPOCH;

        private Slot(String node, Kind kind) {
            this.node = node;
            this.kind = kind;
        }

        private boolean mustWait(Instant now) {
            return now.compareTo(failure.plus(wait)) <= 0;
        }
    }

    /**
     * An operation that runs.
     *
     * @param attachment the name of the VolumeAttachment
     * @param isRequested whether the cache showed the VolumeAttachment at the start
     * @param pods the pods that receive the events
     */
    record Operation(Kind kind, OnNode volume, String attachment, boolean isRequested, List<Pod> pods, Instant start) {}

    private static String key(OnNode volume) {
        return volume.allowsSeveralNodes() ? volume.node() : "";
    }

    private @Nullable Slot slot(OnNode volume) {
        String key = key(volume);
        Slot found = null;
        for (Slot slot : slots.getOrDefault(volume.name(), List.of())) {
            if (slot.node.isEmpty() || key.isEmpty() || slot.node.equals(key)) {
                if (slot.isPending) {
                    return slot;
                }
                found = found == null || slot.node.equals(key) ? slot : found;
            }
        }
        return found;
    }

    /** Returns whether an operation of this volume runs. */
    boolean isPending(OnNode volume) {
        Slot slot = slot(volume);
        return slot != null && slot.isPending;
    }

    /** Returns whether an operation may begin: none runs, and the last one of the same kind has not just failed. */
    boolean mayBegin(Kind kind, OnNode volume, Instant now) {
        Slot slot = slot(volume);
        return slot == null || (!slot.isPending && !(slot.kind == kind && slot.mustWait(now)));
    }

    /** Notes that an operation runs; the caller has checked that it may. */
    void begin(Operation operation) {
        OnNode volume = operation.volume();
        Slot slot = slot(volume);
        if (slot != null && slot.node.equals(key(volume))) {
            if (slot.kind != operation.kind()) {
                slot.kind = operation.kind();
                slot.wait = Duration.ZERO;
            }
            slot.isPending = true;
        } else {
            slots.computeIfAbsent(volume.name(), name -> new ArrayList<>())
                    .add(new Slot(key(volume), operation.kind()));
        }
        if (!operation.attachment().isEmpty()) {
            byAttachment.put(operation.attachment(), operation);
        }
    }

    /** Returns the operation that waits for a VolumeAttachment; null if there is none. */
    @Nullable
    Operation waitingFor(String attachment) {
        return byAttachment.get(attachment);
    }

    void succeeded(Operation operation) {
        byAttachment.remove(operation.attachment());
        List<Slot> remaining =
                new ArrayList<>(slots.getOrDefault(operation.volume().name(), List.of()));
        remaining.removeIf(slot -> slot.node.equals(key(operation.volume())));
        if (remaining.isEmpty()) {
            slots.remove(operation.volume().name());
        } else {
            slots.put(operation.volume().name(), remaining);
        }
    }

    /** Notes a failure. Returns the time after which the operation may begin again. */
    Duration failed(Operation operation, Instant now) {
        byAttachment.remove(operation.attachment());
        Slot slot = slot(operation.volume());
        if (slot == null) {
            return Duration.ZERO;
        }
        Duration doubled = slot.wait.multipliedBy(2);
        slot.wait = slot.wait.isZero() ? FIRST_WAIT : doubled.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : doubled;
        slot.failure = now;
        slot.isPending = false;
        return slot.wait;
    }

    /** Forgets failures after which nothing was tried again for a while. */
    void forgetOldFailures(Instant now) {
        slots.values()
                .forEach(list -> list.removeIf(
                        slot -> !slot.isPending && now.isAfter(slot.failure.plus(LONGEST_WAIT.multipliedBy(2)))));
        slots.values().removeIf(List::isEmpty);
    }
}
