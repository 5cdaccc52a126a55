/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.watch;

import java.io.IOException;

/** Sends the events of one watch to its client. One thread sends; any thread may call {@link #clientHasLeft}. */
public interface WatchOutput {

    /**
     * Sends one encoded event. Blocks while the client does not read.
     *
     * @param more whether another event follows at once, so both may be sent together
     * @throws IOException if the client has disconnected
     */
    void send(byte[] event, boolean more) throws IOException;

    /**
     * Ends the response properly, so the client can distinguish this from a broken connection. Must not be called
     * for a watch that broke.
     *
     * @throws IOException if the client has disconnected
     */
    void finish() throws IOException;

    /** Returns whether the client is known to have disconnected. Sends nothing. Blocks for at most 1 ms. */
    boolean clientHasLeft();
}
