/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.contender;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/** An informer of pods. */
public interface PodInformer extends AutoCloseable {

    /** The handler of the informer. One thread at a time calls it. */
    interface Listener {

        /** A pod appeared. */
        void added();

        /** A pod changed. */
        void updated();

        /**
         * Returns a listener that counts.
         *
         * @param added counts down the pods that appear
         * @param updated gets a permit for each change
         */
        static Listener counting(CountDownLatch added, Semaphore updated) {
            return new Listener() {
                @Override
                public void added() {
                    added.countDown();
                }

                @Override
                public void updated() {
                    updated.release();
                }
            };
        }
    }

    /** Starts to list and watch, on its own threads. */
    void start();

    /** Stops the informer, and releases its threads and connections. */
    @Override
    void close();
}
