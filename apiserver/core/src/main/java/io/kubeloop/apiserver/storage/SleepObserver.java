/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage;

/**
 * Is called when the reader of a watch begins to wait for an event, and when an event ends the wait. The calls
 * alternate, beginning with {@link #sleeps}. They run under the lock of an event log, so they must be short and must
 * not call back.
 */
public interface SleepObserver {

    /** Observes nothing. */
    SleepObserver NONE = new SleepObserver() {
        @Override
        public void sleeps() {}

        @Override
        public void wakes() {}
    };

    /** The reader has delivered every event and waits. Called by the reader. */
    void sleeps();

    /** There is an event, or the watch ends. Called before the reader wakes up, by the thread that wakes it. */
    void wakes();
}
