/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage.codec;

import io.kubeloop.api.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * The form in which the objects of a served version are stored. All versions of a resource share one bucket.
 *
 * @param bucket the name of the bucket: the resource with the group of the storage version, such as {@code events}
 * @param apiVersion the {@code apiVersion} of stored objects
 * @param conversion converts between the served and the stored form; null if both are the same, or if there is a codec
 * @param codec converts between the served and the stored form of a resource with a conversion webhook; else null
 */
public record StorageForm(
        String bucket,
        String apiVersion,
        @Nullable Conversion conversion,
        @Nullable StorageCodec codec) {

    /** Creates a form without a codec. */
    public StorageForm(String bucket, String apiVersion, @Nullable Conversion conversion) {
        this(bucket, apiVersion, conversion, null);
    }

    /** Returns the form of a resource that is stored as it is served. */
    public static StorageForm of(ResourceType<?> served) {
        return new StorageForm(served.toString(), served.apiVersion(), null);
    }

    /**
     * Returns the form of a version that differs from the storage version in its {@code apiVersion} only.
     *
     * @param served the served version
     * @param storage the storage version; may be the same
     */
    public static StorageForm of(ResourceType<?> served, ResourceType<?> storage) {
        String version = storage.apiVersion();
        return served.apiVersion().equals(version)
                ? of(served)
                : new StorageForm(storage.toString(), version, Conversion.ofVersion(served.apiVersion(), version));
    }
}
