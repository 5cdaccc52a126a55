/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.streams;

import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** The streams of a command on one connection. One thread runs the command; any thread may close the connection. */
public interface CommandConnection extends AutoCloseable {

    /**
     * The streams that a client requests.
     *
     * @param in whether the client sends the standard input
     * @param out whether it receives the standard output
     * @param err whether it receives the standard error
     * @param tty whether the command has a terminal
     */
    record Wanted(boolean in, boolean out, boolean err, boolean tty) {}

    /** Returns the standard input; empty if the client sends none. */
    InputStream in();

    /** Returns the standard output; discards everything if the client does not receive it. */
    OutputStream out();

    /** Returns the standard error; discards everything if the client does not receive it. */
    OutputStream err();

    /** Reports how the command ended. Clients of the first versions receive the message of a failure only. */
    void finish(JsonObject status) throws IOException;

    /** Ends the connection, after everything that was written has been sent. */
    @Override
    void close();
}
