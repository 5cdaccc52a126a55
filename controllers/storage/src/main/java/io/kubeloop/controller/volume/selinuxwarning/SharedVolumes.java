/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.selinuxwarning;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.ObjectName;
import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controller.volume.selinuxwarning.SelinuxConflict.Property;
import io.kubeloop.controller.volumes.VolumeSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The volumes of all pods with the labels that the pods need (upstream: {@code cache.VolumeCache}). Thread-safe; does
 * not block.
 */
final class SharedVolumes {

    /*
     * Invariant:
     *   V1  `conflicts` has both directions of each conflict between two pods of `volumes`, and no other.
     *
     * The lock also guards the values of the map. The worker writes, the handler of drivers reads.
     */

    private static final ControllerMetric CONFLICT = ControllerMetric.gauge(
            "selinux_warning_controller_selinux_volume_conflict",
            "Conflict between two Pods using the same volume",
            "property",
            "pod1_namespace",
            "pod1_name",
            "pod1_value",
            "pod2_namespace",
            "pod2_name",
            "pod2_value");

    private final ControllerMetrics metrics;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, Volume> volumes = new HashMap<>();

    @GuardedBy("lock")
    private final Map<ObjectName, Set<String>> volumesOf = new HashMap<>();

    SharedVolumes(ControllerMetrics metrics) {
        this.metrics = metrics;
    }

    /**
     * How a pod uses a volume.
     *
     * @param label the label with which nodes mount the volume for the pod
     * @param policy {@code MountOption} or {@code Recursive}
     */
    record Use(SelinuxLabel label, String policy) {}

    private static final class Volume {
        private final String driver;
        private final Map<ObjectName, Use> pods = new TreeMap<>();
        private final Set<SelinuxConflict> conflicts = new HashSet<>();

        private Volume(String driver) {
            this.driver = driver;
        }
    }

    /** Adds a pod's use of a volume. Returns the conflicts that are new, in both directions. */
    List<SelinuxConflict> add(VolumeSpec spec, ObjectName pod, Use use) {
        List<SelinuxConflict> gone = new ArrayList<>();
        List<SelinuxConflict> found = add(spec, pod, use, gone);
        gone.forEach(conflict -> metrics.forget(CONFLICT, labels(conflict)));
        found.forEach(conflict -> metrics.record(CONFLICT, 1, labels(conflict)));
        return found;
    }

    private List<SelinuxConflict> add(VolumeSpec spec, ObjectName pod, Use use, List<SelinuxConflict> gone) {
        lock.lock();
        try {
            Volume volume = volumes.computeIfAbsent(spec.uniqueName(), name -> new Volume(spec.driver()));
            volumesOf.computeIfAbsent(pod, name -> new HashSet<>()).add(spec.uniqueName());
            if (use.equals(volume.pods.put(pod, use))) {
                return List.of();
            }
            removeConflicts(volume, pod, gone);
            List<SelinuxConflict> found = new ArrayList<>();
            volume.pods.forEach((other, otherUse) -> {
                if (!otherUse.policy().equals(use.policy())) {
                    found.add(new SelinuxConflict(Property.CHANGE_POLICY, pod, use.policy(), other, otherUse.policy()));
                }
                if (otherUse.label().conflictsWith(use.label())) {
                    found.add(new SelinuxConflict(
                            Property.LABEL,
                            pod,
                            use.label().text(),
                            other,
                            otherUse.label().text()));
                }
            });
            List<SelinuxConflict> both = new ArrayList<>();
            for (SelinuxConflict conflict : found) {
                both.add(conflict);
                both.add(conflict.reversed());
            }
            volume.conflicts.addAll(both);
            return both;
        } finally {
            lock.unlock();
        }
    }

    private static String[] labels(SelinuxConflict conflict) {
        return new String[] {
            conflict.property().text(),
            conflict.pod().namespace(),
            conflict.pod().name(),
            conflict.value(),
            conflict.other().namespace(),
            conflict.other().name(),
            conflict.otherValue()
        };
    }

    @GuardedBy("lock")
    private void removeConflicts(Volume volume, ObjectName pod, List<SelinuxConflict> gone) {
        volume.conflicts.stream().filter(conflict -> conflict.concerns(pod)).forEach(gone::add);
        volume.conflicts.removeIf(conflict -> conflict.concerns(pod));
    }

    /** Removes a pod that no longer uses its volumes. */
    void remove(ObjectName pod) {
        List<SelinuxConflict> gone = new ArrayList<>();
        lock.lock();
        try {
            Set<String> names = volumesOf.remove(pod);
            for (String name : names == null ? Set.<String>of() : names) {
                Volume volume = volumes.get(name);
                if (volume != null) {
                    removeConflicts(volume, pod, gone);
                    volume.pods.remove(pod);
                    if (volume.pods.isEmpty()) {
                        volumes.remove(name);
                    }
                }
            }
        } finally {
            lock.unlock();
        }
        gone.forEach(conflict -> metrics.forget(CONFLICT, labels(conflict)));
    }

    /** Returns the pods that use volumes of a CSI driver. O(volumes). */
    List<ObjectName> podsOf(String driver) {
        lock.lock();
        try {
            return volumes.values().stream()
                    .filter(volume -> volume.driver.equals(driver))
                    .flatMap(volume -> volume.pods.keySet().stream())
                    .distinct()
                    .toList();
        } finally {
            lock.unlock();
        }
    }
}
