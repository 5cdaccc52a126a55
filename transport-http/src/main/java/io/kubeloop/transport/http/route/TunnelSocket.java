/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.route;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/**
 * A socket that reaches its peer over another socket. As thread-safe as the other one.
 *
 * <p>Closing it closes only the other socket. That ends a blocked read at once, and sends no TLS close message, which
 * could block.
 */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // the other socket has its own locks
abstract class TunnelSocket extends Socket {

    private final Socket raw;

    TunnelSocket(Socket raw) {
        this.raw = raw;
    }

    /**
     * Connects to the proxy, and through it to the peer. Blocks until connected; a read of the proxy's reply times out
     * after {@code timeoutMillis}. After a failure, the caller must close this socket.
     */
    @Override
    public abstract void connect(SocketAddress peer, int timeoutMillis) throws IOException;

    Socket raw() {
        return raw;
    }

    /** Connects the other socket to the proxy. */
    void connectTo(ProxyAddress proxy, int timeoutMillis) throws IOException {
        raw.connect(new InetSocketAddress(InetAddress.getByName(proxy.host()), proxy.port()), timeoutMillis);
        raw.setSoTimeout(timeoutMillis);
    }

    @Override
    public void connect(SocketAddress peer) throws IOException {
        connect(peer, 0);
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return raw.getInputStream();
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        return raw.getOutputStream();
    }

    @Override
    public void setSoTimeout(int millis) throws SocketException {
        raw.setSoTimeout(millis);
    }

    @Override
    public int getSoTimeout() throws SocketException {
        return raw.getSoTimeout();
    }

    @Override
    public void setTcpNoDelay(boolean on) throws SocketException {
        raw.setTcpNoDelay(on);
    }

    @Override
    public boolean getTcpNoDelay() throws SocketException {
        return raw.getTcpNoDelay();
    }

    @Override
    public void shutdownInput() throws IOException {
        raw.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        raw.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        raw.close();
    }

    @Override
    public boolean isConnected() {
        return raw.isConnected();
    }

    @Override
    public boolean isBound() {
        return raw.isBound();
    }

    @Override
    public boolean isClosed() {
        return raw.isClosed();
    }

    @Override
    public boolean isInputShutdown() {
        return raw.isInputShutdown();
    }

    @Override
    public boolean isOutputShutdown() {
        return raw.isOutputShutdown();
    }

    @Override
    public @Nullable InetAddress getInetAddress() {
        return raw.getInetAddress();
    }

    @Override
    public int getPort() {
        return raw.getPort();
    }

    @Override
    public InetAddress getLocalAddress() {
        return raw.getLocalAddress();
    }

    @Override
    public int getLocalPort() {
        return raw.getLocalPort();
    }

    @Override
    public @Nullable SocketAddress getRemoteSocketAddress() {
        return raw.getRemoteSocketAddress();
    }

    @Override
    public @Nullable SocketAddress getLocalSocketAddress() {
        return raw.getLocalSocketAddress();
    }
}
