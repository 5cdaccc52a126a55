/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.persistentvolume;

import io.kubeloop.api.Finalizers;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the reclaim policy of a released volume (upstream: {@code reclaimVolume}). External provisioners delete their
 * own volumes. Volumes on the host below {@code /tmp} are deleted here, as upstream; no other plug-in is left that
 * could delete one. Confined to the worker; blocks for requests and for the deletion of files.
 *
 * @param binding writes volumes
 * @param recycler empties volumes
 */
record Reclaim(Binding binding, Recycler recycler) {

    private static final Logger LOG = LoggerFactory.getLogger(Reclaim.class);
    private static final Path TEMPORARY = Path.of("/tmp");

    void reclaim(Volume volume) {
        if (volume.annotations().containsKey(DriverMigration.MIGRATED_TO)) {
            return;
        }
        switch (volume.reclaimPolicy()) {
            case "Delete" -> delete(volume);
            case "Recycle" -> recycler.recycle(volume);
            default -> LOG.debug("Volume {} is released and retained", volume.name());
        }
    }

    private void delete(Volume volume) {
        String provisioner = volume.annotations().getOrDefault(Volume.PROVISIONED_BY, DriverMigration.IN_TREE_PREFIX);
        JsonObject spec = volume.content().object("spec");
        if (!provisioner.startsWith(DriverMigration.IN_TREE_PREFIX) || spec.has("csi")) {
            return;
        }
        if (!spec.has("hostPath")) {
            binding.fail(
                    volume,
                    "VolumeFailedDelete",
                    "error getting deleter volume plugin for volume \"" + volume.name() + "\": no "
                            + (spec.has("nfs") ? "deletable " : "") + "volume plugin matched");
            return;
        }
        String path = spec.string("hostPath", "path");
        Path directory = Path.of(path).normalize();
        if (!directory.startsWith(TEMPORARY) || directory.equals(TEMPORARY)) {
            binding.fail(
                    volume,
                    "VolumeFailedDelete",
                    "host_path deleter only supports /tmp/.+ but received provided " + path);
            return;
        }
        try {
            deleteFiles(directory);
        } catch (IOException e) {
            binding.fail(volume, "VolumeFailedDelete", "cannot delete " + path + ": " + e);
            return;
        }
        binding.delete(withoutFinalizer(volume));
    }

    /** Releases a volume whose content is gone. */
    private Volume withoutFinalizer(Volume volume) {
        return binding.write(
                volume,
                volume.content(),
                Finalizers.remove(volume.object(), DriverMigration.IN_TREE_FINALIZER)
                        .metadata());
    }

    /** Deletes a directory with its content; does not follow links. */
    private static void deleteFiles(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e) throws IOException {
                if (e != null) {
                    throw e;
                }
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
