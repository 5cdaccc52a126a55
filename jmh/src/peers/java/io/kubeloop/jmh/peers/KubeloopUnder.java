/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.peers;

import io.fabric8.kubernetes.api.model.Pod;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.codec.clientjava.ClientJavaCodec;
import io.kubeloop.codec.fabric8.Fabric8Codec;
import io.kubeloop.jmh.contender.Contender;
import io.kubeloop.jmh.contender.KeyQueue;
import io.kubeloop.jmh.contender.KubeloopInformer;
import io.kubeloop.jmh.contender.PodInformer;
import io.kubeloop.jmh.contender.PodSeed;
import io.kubeloop.jmh.contender.PodStore;
import io.kubeloop.json.ForeignCodec;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.List;

/** This library's informer with the objects of another library. */
public abstract sealed class KubeloopUnder implements Contender {

    private final String name;
    private final ForeignCodec codec;
    private final Class<?> pod;

    private KubeloopUnder(String name, ForeignCodec codec, Class<?> pod) {
        this.name = name;
        this.codec = codec;
        this.pod = pod;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public PodStore store(List<PodSeed> pods) {
        throw new UnsupportedOperationException(name + " has the store of kubeloop");
    }

    @Override
    public KeyQueue queue() {
        throw new UnsupportedOperationException(name + " has the queue of kubeloop");
    }

    @Override
    public PodInformer informer(String server, PodInformer.Listener listener) {
        return new KubeloopInformer(server, codec, codec.type(pod), listener);
    }

    /** With fabric8's pods. */
    public static final class WithFabric8 extends KubeloopUnder {

        /** For the service loader. */
        public WithFabric8() {
            super("kubeloop-fabric8", Fabric8Codec.of(Pod.class), Pod.class);
        }
    }

    /** With the official client's pods. */
    public static final class WithClientJava extends KubeloopUnder {

        /** For the service loader. */
        public WithClientJava() {
            super("kubeloop-client-java", ClientJavaCodec.empty().with(ResourceTypes.PODS, V1Pod.class), V1Pod.class);
        }
    }
}
