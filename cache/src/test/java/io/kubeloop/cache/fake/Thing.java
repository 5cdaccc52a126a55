/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.fake;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.UnknownFields;

/** An object for tests: a key, a version and a value. */
public record Thing(ObjectMeta metadata, String value, UnknownFields unknownFields) implements KubeObject {

    public static final ResourceType<Thing> TYPE =
            new ResourceType<>("example.com", "v1", "things", "Thing", ResourceType.Scope.NAMESPACED, Thing.class);

    public static Thing of(String key, String version) {
        return of(key, version, "");
    }

    public static Thing of(String key, String version, String value) {
        ObjectName name = ObjectName.parse(key);
        ObjectMeta metadata = ObjectMetaBuilder.builder()
                .namespace(name.namespace())
                .name(name.name())
                .resourceVersion(version)
                .build();
        return new Thing(metadata, value, UnknownFields.NONE);
    }

    @Override
    public Thing withMetadata(ObjectMeta metadata) {
        return new Thing(metadata, value, unknownFields);
    }

    public String key() {
        return objectName().toString();
    }

    public String version() {
        return metadata.resourceVersion();
    }

    /** Returns {@code key@version}, with {@code =value} if there is one. */
    @Override
    public String toString() {
        return key() + "@" + version() + (value.isEmpty() ? "" : "=" + value);
    }
}
