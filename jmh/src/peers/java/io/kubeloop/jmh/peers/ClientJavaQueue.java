/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.peers;

import io.kubeloop.jmh.contender.KeyQueue;
import io.kubernetes.client.extended.workqueue.DefaultWorkQueue;
import org.jspecify.annotations.Nullable;

/** The queue of client-java without delays. Its delaying queue adds a thread in front of the same queue. */
final class ClientJavaQueue implements KeyQueue {

    private final DefaultWorkQueue<String> queue = new DefaultWorkQueue<>();

    @Override
    public void add(String key) {
        queue.add(key);
    }

    @Override
    public @Nullable String get() throws InterruptedException {
        return queue.get();
    }

    @Override
    public void done(String key) {
        queue.done(key);
    }

    @Override
    public void shutDown() {
        queue.shutDown();
    }
}
