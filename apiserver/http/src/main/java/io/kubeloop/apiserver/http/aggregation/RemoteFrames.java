/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.aggregation;

import io.kubeloop.apiserver.http.wire.BackendConnection;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.registry.WatchFrame;
import io.kubeloop.apiserver.storage.SleepObserver;
import io.kubeloop.json.tree.JsonObject;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * The events of a watch of another server, one document in JSON for each line. A broken connection ends the watch, as
 * its regular end does.
 */
final class RemoteFrames implements ServerResponse.Frames {

    private static final int LONGEST_FRAME = 32 << 20;

    private final BackendConnection connection;
    private final InputStream lines;
    private SleepObserver observer = SleepObserver.NONE;

    RemoteFrames(BackendConnection connection, InputStream body) {
        this.connection = connection;
        this.lines = new BufferedInputStream(body);
    }

    @Override
    public void observe(SleepObserver other) {
        observer = other;
    }

    @Override
    public boolean hasMore() {
        return false;
    }

    @Override
    public @Nullable WatchFrame next() {
        observer.sleeps();
        byte[] line;
        try {
            line = line();
        } catch (IOException e) {
            line = new byte[0];
        } finally {
            observer.wakes();
        }
        if (line.length == 0) {
            return null;
        }
        JsonObject event = JsonObject.parse(line);
        return WatchFrame.of(event.string("type"), event.object("object"));
    }

    private byte[] line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = lines.read(); next >= 0; next = lines.read()) {
            if (next == '\n' && line.size() > 0) {
                return line.toByteArray();
            }
            if (line.size() >= LONGEST_FRAME) {
                throw new IOException("an event is too long");
            }
            line.write(next);
        }
        return line.toByteArray();
    }

    @Override
    public void close() {
        connection.close();
    }
}
