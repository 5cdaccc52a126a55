/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.peers;

import io.kubeloop.jmh.contender.Contender;
import io.kubeloop.jmh.contender.KeyQueue;
import io.kubeloop.jmh.contender.PodInformer;
import io.kubeloop.jmh.contender.PodSeed;
import io.kubeloop.jmh.contender.PodStore;
import java.util.List;

/** The client fabric8, {@code io.fabric8:kubernetes-client}, with its default HTTP client, Vert.x. */
public final class Fabric8 implements Contender {

    @Override
    public String name() {
        return "fabric8";
    }

    @Override
    public PodStore store(List<PodSeed> pods) {
        return new Fabric8Store(pods);
    }

    @Override
    public KeyQueue queue() {
        throw new UnsupportedOperationException("fabric8 has no work queue");
    }

    @Override
    public PodInformer informer(String server, PodInformer.Listener listener) {
        return new Fabric8Informer(server, listener);
    }
}
