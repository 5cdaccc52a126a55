/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.runtime;

/**
 * Counts the work that one component has under way, such as the items of a queue. A test kit implements it, to wait
 * until nothing is under way. Thread-safe; no method blocks.
 */
public interface WorkCounter {

    /**
     * Counts a unit of work that begins. The thread that causes the work calls this method before its own work ends, so
     * the count is zero only when nothing is under way.
     */
    void begin();

    /** Counts the end of a unit of work. */
    void end();
}
