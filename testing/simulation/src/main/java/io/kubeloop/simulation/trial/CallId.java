/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

/**
 * Finds a write again in another run of the same workload.
 *
 * @param call the write in words, with a star for what the server generated in names
 * @param occurrence the number of this write among equal ones, from 1
 */
public record CallId(String call, int occurrence) {

    /** Returns the words, with the number if it is not the first. */
    @Override
    public String toString() {
        return occurrence == 1 ? call : call + " (number " + occurrence + ")";
    }
}
