/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.contender;

/** An informer of pods. */
public interface PodInformer extends AutoCloseable {

    /** The handler of the informer. One thread at a time calls it. */
    interface Listener {

        /** A pod appeared. */
        void added();

        /** A pod changed. */
        void updated();
    }

    /** Starts to list and watch, on its own threads. */
    void start();

    /** Stops the informer, and releases its threads and connections. */
    @Override
    void close();
}
