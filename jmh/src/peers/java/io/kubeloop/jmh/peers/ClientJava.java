/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.peers;

import io.kubeloop.jmh.contender.Contender;
import io.kubeloop.jmh.contender.KeyQueue;
import io.kubeloop.jmh.contender.PodInformer;
import io.kubeloop.jmh.contender.PodSeed;
import io.kubeloop.jmh.contender.PodStore;
import java.util.List;

/** The official Java client, {@code io.kubernetes:client-java}. */
public final class ClientJava implements Contender {

    @Override
    public String name() {
        return "client-java";
    }

    @Override
    public PodStore store(List<PodSeed> pods) {
        return new ClientJavaStore(pods);
    }

    @Override
    public KeyQueue queue() {
        return new ClientJavaQueue();
    }

    @Override
    public PodInformer informer(String server, PodInformer.Listener listener) {
        return new ClientJavaInformer(server, listener);
    }
}
