/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.persistentvolume;

import io.kubeloop.api.selector.Selector;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.LabelSelectorTrees;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the volume for a claim (upstream: {@code findBestMatchForClaim}). Static functions only. */
final class VolumeMatch {

    private VolumeMatch() {}

    /**
     * Returns the best volume: first one with the fewest access modes, then one that is reserved for the claim, then
     * the smallest. Null if none fits. O(volumes).
     *
     * @param isDelayed whether only a reserved volume may be bound, because the scheduler chooses among the others
     */
    static @Nullable Volume best(Claim claim, List<Volume> volumes, boolean isDelayed) {
        Set<Set<String>> modes = volumes.stream()
                .map(Volume::accessModes)
                .filter(offered -> offered.containsAll(claim.accessModes()))
                .collect(Collectors.toSet());
        return modes.stream()
                .sorted(Comparator.<Set<String>>comparingInt(Set::size).thenComparing(Object::toString))
                .map(offered -> best(
                        claim,
                        volumes.stream()
                                .filter(volume -> volume.accessModes().equals(offered))
                                .toList(),
                        isDelayed,
                        selector(claim)))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static @Nullable Volume best(
            Claim claim, List<Volume> volumes, boolean isDelayed, @Nullable Selector selector) {
        Volume smallest = null;
        for (Volume volume : volumes) {
            if ((volume.hasClaim() && !volume.isOf(claim)) || !fits(claim, volume)) {
                continue;
            }
            if (volume.isOf(claim)) {
                return volume;
            }
            boolean isFree = !isDelayed
                    && volume.phase().equals(Volume.AVAILABLE)
                    && (selector == null
                            || selector.matches(volume.object().metadata().labels()))
                    && volume.className().equals(claim.className());
            if (isFree && (smallest == null || volume.capacity().compareTo(smallest.capacity()) < 0)) {
                smallest = volume;
            }
        }
        return smallest;
    }

    /** These hold for a reserved volume, too. */
    private static boolean fits(Claim claim, Volume volume) {
        return volume.capacity().compareTo(claim.requested()) >= 0
                && volume.volumeMode().equals(claim.volumeMode())
                && volume.attributesClass().equals(claim.attributesClass())
                && !volume.object().metadata().isDeleting();
    }

    private static @Nullable Selector selector(Claim claim) {
        JsonObject spec = claim.content().object("spec");
        return spec.has("selector") ? LabelSelectorTrees.read(spec.object("selector")) : null;
    }

    /**
     * Returns why a volume that a claim names cannot be bound to it; empty if it can. The selector is not looked at.
     */
    static String mismatch(Claim claim, Volume volume) {
        if (volume.object().metadata().isDeleting()) {
            return "the volume is marked for deletion \"" + volume.name() + "\"";
        }
        if (volume.capacity().compareTo(claim.requested()) < 0) {
            return "requested PV is too small";
        }
        if (!volume.className().equals(claim.className())) {
            return "storageClassName does not match";
        }
        if (!volume.attributesClass().equals(claim.attributesClass())) {
            return "volumeAttributesClassName does not match";
        }
        if (!volume.volumeMode().equals(claim.volumeMode())) {
            return "incompatible volumeMode";
        }
        return volume.accessModes().containsAll(claim.accessModes()) ? "" : "incompatible accessMode";
    }
}
