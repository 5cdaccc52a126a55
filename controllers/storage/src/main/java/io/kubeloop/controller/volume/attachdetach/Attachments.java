/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.attachdetach;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.volumes.VolumeSpec;
import io.kubeloop.json.tree.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * The VolumeAttachments, by which a CSI driver is asked to attach a volume (upstream: {@code csi.csiAttacher}). The
 * methods that write block for one request.
 *
 * @param cached the cached objects
 * @param client writes them
 */
record Attachments(Lister<GenericObject> cached, ResourceClient<GenericObject> client) {

    static final ResourceType<GenericObject> TYPE = ResourceTypes.generic(
            "storage.k8s.io", "v1", "volumeattachments", "VolumeAttachment", ResourceType.Scope.CLUSTER);

    /** Returns the name of the object for a volume and a node. */
    static String name(VolumeSpec volume, String node) {
        return name(volume.handle(), volume.driver(), node);
    }

    static String name(String handle, String driver, String node) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest((handle + driver + node).getBytes(StandardCharsets.UTF_8));
            return "csi-" + HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    boolean isCached(String name) {
        return cached.get(new ObjectName("", name)) != null;
    }

    /**
     * Requests that a volume is attached, unless that is requested already.
     *
     * @throws AttachmentException if the server refuses
     */
    void create(VolumeSpec volume, String node) throws AttachmentException {
        String name = name(volume, node);
        if (isCached(name)) {
            return;
        }
        JsonObject spec = JsonObject.EMPTY.with("attacher", volume.driver()).with("nodeName", node);
        spec = volume.inline().isEmpty()
                ? spec.with(List.of("source", "persistentVolumeName"), volume.name())
                : spec.with(List.of("source", "inlineVolumeSpec"), volume.inline());
        try {
            client.create(new GenericObject(
                    TYPE.apiVersion(),
                    TYPE.kind(),
                    ObjectMetaBuilder.builder().name(name).build(),
                    JsonObject.of("spec", spec).toUnknownFields()));
        } catch (RuntimeException e) {
            if (!(e instanceof ApiException refused && refused.isAlreadyExists())) {
                throw new AttachmentException(VolumeSpec.CSI + ": attacher.Attach failed: " + Errors.text(e));
            }
        }
    }

    /**
     * Returns whether the cache shows that the driver has attached the volume.
     *
     * @param wasCached whether the cache showed the object before, so it has been deleted if it is absent now
     * @throws AttachmentException if the driver reports an error, or the object is being deleted
     */
    boolean isAttached(String name, boolean wasCached) throws AttachmentException {
        GenericObject attachment = cached.get(new ObjectName("", name));
        if (attachment == null && wasCached) {
            throw new AttachmentException("volume attachment has been deleted");
        }
        if (attachment == null) {
            return false; // the cache does not show the new object yet
        }
        if (attachment.metadata().isDeleting()) {
            throw new AttachmentException("volume attachment is being deleted");
        }
        if (attachment.bool("status", "attached")) {
            return true;
        }
        check(attachment, "attachError");
        return false;
    }

    private static void check(GenericObject attachment, String error) throws AttachmentException {
        if (!attachment.map("status", error).isEmpty()) {
            throw new AttachmentException(attachment.string("status", error, "message"));
        }
    }

    /**
     * Requests that a volume is detached.
     *
     * @return whether it is detached already
     * @throws AttachmentException if the server refuses
     */
    boolean delete(String name) throws AttachmentException {
        try {
            client.delete(new ObjectName("", name), DeleteOptions.DEFAULT);
            return false;
        } catch (RuntimeException e) {
            if (e instanceof ApiException refused && refused.isNotFound()) {
                return true;
            }
            throw new AttachmentException(VolumeSpec.CSI + ": detacher.Detach failed to delete VolumeAttachment ["
                    + name + "]: " + Errors.text(e));
        }
    }

    /**
     * Returns whether the cache shows that the driver has detached the volume.
     *
     * @throws AttachmentException if the driver reports an error
     */
    boolean isDetached(String name) throws AttachmentException {
        GenericObject attachment = cached.get(new ObjectName("", name));
        if (attachment == null) {
            return true;
        }
        check(attachment, "detachError");
        return false;
    }

    /** Returns whether a volume is attached; asks the server about an object that the cache does not show. */
    boolean isStillAttached(String name) {
        ObjectName key = new ObjectName("", name);
        GenericObject attachment = cached.get(key);
        try {
            return (attachment == null ? client.get(key) : attachment).bool("status", "attached");
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return false;
            }
            throw e;
        }
    }

    /** An attachment or a detachment that failed. The message is part of the event about it. */
    static final class AttachmentException extends Exception {

        private static final long serialVersionUID = 1L;

        AttachmentException(String message) {
            super(message, null, false, false);
        }
    }
}
