/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.streams;

import io.kubeloop.runtime.OwnedThreads;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Forwarded connections on a SPDY connection: a stream for data and one for errors each, with the same request. */
final class SpdyForward implements SpdyConnection.Listener {

    private static final Logger log = LoggerFactory.getLogger(SpdyForward.class);

    /** Confined to the thread that reads frames. */
    private final Map<String, SpdyStream> unpaired = new HashMap<>();

    private final OwnedThreads threads;
    private final StreamServer.Forwarder forwarder;

    private SpdyForward(OwnedThreads threads, StreamServer.Forwarder forwarder) {
        this.threads = threads;
        this.forwarder = forwarder;
    }

    /** Serves the connections of a client until it ends; its bytes are those of a SPDY connection. */
    static void serve(InputStream in, OutputStream out, OwnedThreads threads, StreamServer.Forwarder forwarder)
            throws IOException {
        SpdyForward forward = new SpdyForward(threads, forwarder);
        new SpdyConnection(in, out, forward).readAll();
    }

    @Override
    public void reset(SpdyStream stream) {
        unpaired.remove(request(stream), stream);
    }

    /** Older clients name no request: they create the stream for errors, then that for data. */
    private static String request(SpdyStream stream) {
        String request = stream.header("requestid");
        boolean isData = stream.header("streamtype").equals("data");
        return request.isEmpty() ? Integer.toString(isData ? stream.id() - 2 : stream.id()) : request;
    }

    @Override
    public void opened(SpdyStream stream) {
        String type = stream.header("streamtype");
        String request = request(stream);
        SpdyStream other = unpaired.remove(request);
        if (other == null) {
            unpaired.put(request, stream);
            return;
        }
        boolean isData = type.equals("data");
        if (isData == other.header("streamtype").equals("data")) {
            abort(stream, other);
            return;
        }
        SpdyStream data = isData ? stream : other;
        SpdyStream error = isData ? other : stream;
        error.input().close();
        threads.start("kubeloop-http-forward", () -> forward(data, error));
    }

    private void forward(SpdyStream data, SpdyStream error) {
        try (data;
                error) {
            String failure = answer(data);
            if (failure != null) {
                error.write(failure.getBytes(StandardCharsets.UTF_8));
                error.close();
                data.reset();
            }
        } catch (IOException e) {
            log.debug("A forwarded connection failed: error={}", e.toString());
        }
    }

    private @Nullable String answer(SpdyStream data) throws IOException {
        try {
            return forwarder.forward(StreamServer.portOf(data.header("port")), data.input(), data);
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    private static void abort(SpdyStream one, SpdyStream two) {
        try {
            one.reset();
            two.reset();
        } catch (IOException e) {
            log.debug("Cannot reset streams: error={}", e.toString());
        }
    }
}
