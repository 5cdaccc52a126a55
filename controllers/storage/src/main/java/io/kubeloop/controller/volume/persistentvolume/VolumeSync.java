/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.persistentvolume;

import io.kubeloop.api.ObjectName;
import io.kubeloop.controller.events.EventType;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One sync of a volume (upstream: {@code syncVolume}). Confined to the worker; blocks for requests.
 *
 * @param binding reads and writes claims and volumes
 * @param reclaim applies the reclaim policy
 * @param claims receives the claims that must be synced
 */
record VolumeSync(Binding binding, Reclaim reclaim, Consumer<ObjectName> claims) {

    void sync(String name) {
        Volume found = binding.volume(name);
        if (found == null) {
            reclaim.recycler().forget(name);
            return;
        }
        Volume volume = binding.write(found, found.content(), DriverMigration.of(found));
        if (!volume.hasClaim() || volume.claimUid().isEmpty()) {
            binding.setPhase(volume, Volume.AVAILABLE, "");
            return;
        }
        Claim claim = claim(volume);
        if (claim == null) {
            release(volume);
        } else if (claim.volumeName().isEmpty()) {
            if (claim.volumeMode().equals(volume.volumeMode())) {
                claims.accept(claim.name()); // its sync completes the binding
            } else {
                reportMismatch(volume, claim);
            }
        } else if (claim.volumeName().equals(volume.name())) {
            binding.setPhase(volume, Volume.BOUND, "");
        } else if (volume.annotations().containsKey(Volume.PROVISIONED_BY)
                && volume.reclaimPolicy().equals("Delete")) {
            release(volume);
        } else {
            binding.unbind(volume);
        }
    }

    /** A claim that the cache lacks may be new, so the server decides. */
    private @Nullable Claim claim(Volume volume) {
        Claim cached = binding.claim(volume.claimName());
        Claim claim = cached == null || !cached.uid().equals(volume.claimUid())
                ? binding.currentClaim(volume.claimName())
                : cached;
        return claim == null || !claim.uid().equals(volume.claimUid()) ? null : claim;
    }

    private void release(Volume volume) {
        Volume released = volume.phase().equals(Volume.FAILED) ? volume : binding.setPhase(volume, Volume.RELEASED, "");
        reclaim.reclaim(released);
    }

    private void reportMismatch(Volume volume, Claim claim) {
        String reason = "VolumeMismatch";
        binding.event(
                volume,
                EventType.WARNING,
                reason,
                "Cannot bind PersistentVolume to requested PersistentVolumeClaim \""
                        + claim.name().name() + "\" due to incompatible volumeMode.");
        binding.event(
                claim,
                EventType.WARNING,
                reason,
                "Cannot bind PersistentVolume \"" + volume.name() + "\" to requested PersistentVolumeClaim \""
                        + claim.name().name() + "\" due to incompatible volumeMode.");
    }
}
