/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.codec.fabric8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.json.ForeignCodec;
import io.kubeloop.json.ForeignModel;
import java.io.IOException;

/**
 * Makes codecs for the classes of fabric8's Kubernetes client, which Jackson reads and writes.
 *
 * <pre>{@code
 * ForeignCodec codec = Fabric8Codec.of(Pod.class, Deployment.class);
 * KubeClient client = KubeClient.of(transport, codec);
 * SharedInformer<ForeignObject<Pod>> pods = SharedInformers.factory(client).informer(codec.type(Pod.class));
 * }</pre>
 */
public final class Fabric8Codec {

    private Fabric8Codec() {}

    /**
     * Returns a codec for these classes. Group, version, plural and scope come from the annotations of the class, as in
     * fabric8; a custom resource's class works as well.
     *
     * @throws IllegalArgumentException if a class is given twice, or names no version
     */
    @SafeVarargs
    public static ForeignCodec of(Class<? extends HasMetadata>... classes) {
        ForeignCodec codec = ForeignCodec.of(model());
        for (Class<? extends HasMetadata> valueClass : classes) {
            codec = codec.with(resource(valueClass), valueClass);
        }
        return codec;
    }

    private static ResourceType<GenericObject> resource(Class<? extends HasMetadata> valueClass) {
        String version = HasMetadata.getVersion(valueClass);
        if (version == null) {
            throw new IllegalArgumentException(
                    "Cannot tell the resource of " + valueClass.getName() + ": it has no annotation @Version");
        }
        String group = HasMetadata.getGroup(valueClass);
        return ResourceTypes.generic(
                group == null ? "" : group,
                version,
                HasMetadata.getPlural(valueClass),
                HasMetadata.getKind(valueClass),
                Namespaced.class.isAssignableFrom(valueClass)
                        ? ResourceType.Scope.NAMESPACED
                        : ResourceType.Scope.CLUSTER);
    }

    static ForeignModel model() {
        ObjectMapper mapper = new ObjectMapper();
        // The constructor teaches the mapper what fabric8's own client teaches its mapper.
        new KubernetesSerialization(mapper, false);
        return new ForeignModel() {
            @Override
            public <V> V read(byte[] json, int offset, int length, Class<V> type) throws IOException {
                return mapper.readValue(json, offset, length, type);
            }

            @Override
            public byte[] write(Object value) throws IOException {
                return mapper.writeValueAsBytes(value);
            }
        };
    }
}
