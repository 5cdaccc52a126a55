/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import io.kubeloop.testing.LoopbackServer;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import okhttp3.tls.HeldCertificate;

/** A server on loopback that sends and receives HTTP/2 frame by frame, under control of the test. */
final class FrameServer implements Closeable {

    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int GOAWAY = 7;
    private static final int ACK = 1;
    private static final int END_STREAM_AND_HEADERS = 5;
    private static final int PREFACE_BYTES = 24;

    /** The behavior on one connection. Called on the thread of the connection. */
    interface Script {

        /** The connection is open, and both sides have sent their settings. */
        default void connected(Connection connection) throws IOException {}

        /** The headers of a request have arrived. */
        void requested(Connection connection, int stream) throws IOException;

        /** The client has read everything sent before {@link Connection#ping}. */
        default void ponged(Connection connection) throws IOException {}
    }

    /** One connection. Any thread sends. */
    static final class Connection {

        private final int index;
        private final DataOutputStream out;

        private Connection(int index, Socket socket) throws IOException {
            this.index = index;
            this.out = new DataOutputStream(socket.getOutputStream());
        }

        /** Returns the number of former connections. */
        int index() {
            return index;
        }

        /** Announces that the server processes no stream after this one. */
        void goAway(int lastStream) throws IOException {
            byte[] payload = new byte[8];
            payload[3] = (byte) lastStream;
            frame(GOAWAY, 0, 0, payload);
        }

        void ping() throws IOException {
            frame(PING, 0, 0, new byte[8]);
        }

        /** Responds with 200 and an empty body. */
        void answer(int stream) throws IOException {
            byte[] status200 = {(byte) 0x88};
            frame(HEADERS, END_STREAM_AND_HEADERS, stream, status200);
        }

        private synchronized void frame(int type, int flags, int stream, byte[] payload) throws IOException {
            out.writeShort(payload.length >> 8);
            out.writeByte(payload.length);
            out.writeByte(type);
            out.writeByte(flags);
            out.writeInt(stream);
            out.write(payload);
            out.flush();
        }
    }

    private final LoopbackServer server;
    private final Script script;
    private final AtomicInteger connections = new AtomicInteger();

    FrameServer(HeldCertificate certificate, Script script) throws IOException {
        SSLServerSocket listener = (SSLServerSocket) LoopbackServer.listener(LoopbackTls.listening(certificate));
        SSLParameters parameters = listener.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        listener.setSSLParameters(parameters);
        this.script = script;
        this.server = new LoopbackServer(listener, this::serve);
    }

    String url() {
        return server.url("https");
    }

    int connections() {
        return connections.get();
    }

    private void serve(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        in.readFully(new byte[PREFACE_BYTES]);
        Connection connection = new Connection(connections.getAndIncrement(), socket);
        connection.frame(SETTINGS, 0, 0, new byte[0]);
        script.connected(connection);
        while (true) {
            int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            int stream = in.readInt();
            if (in.readNBytes(length).length < length) {
                throw new EOFException();
            }
            if (type == SETTINGS && flags != ACK) {
                connection.frame(SETTINGS, ACK, 0, new byte[0]);
            } else if (type == HEADERS) {
                script.requested(connection, stream);
            } else if (type == PING && flags == ACK) {
                script.ponged(connection);
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
