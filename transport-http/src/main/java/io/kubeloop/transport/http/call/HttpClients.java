/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.call;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.Timeouts;
import io.kubeloop.transport.http.TlsConfig;
import io.kubeloop.transport.http.route.ProxySetup;
import io.kubeloop.transport.http.tls.TlsMaterial;
import io.kubeloop.transport.http.tls.TlsSetup;
import java.io.IOException;
import java.security.Provider;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import okhttp3.Connection;
import okhttp3.ConnectionPool;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The OkHttp clients of one transport: one for requests and one for streams. Each has its own connections, so a
 * flood of events cannot delay a write. Thread-safe.
 *
 * <p>Certificate and authority files are read again on the request path, at most once a minute (upstream: {@code
 * transport/cert_rotation.go}, {@code transport/ca_rotation.go}), and at once when TLS fails or the server answers 401.
 * A change creates a new generation of clients: later requests open new connections. Idle connections of the former
 * generation are closed at once, and used ones after 90 s of idleness. A file that cannot be read or is malformed
 * changes nothing.
 */
public final class HttpClients {

    private static final Logger LOG = LoggerFactory.getLogger(HttpClients.class);
    private static final Duration CHECK_INTERVAL = Duration.ofMinutes(1);
    private static final int IDLE_CONNECTIONS = 25;
    private static final Duration IDLE_TIME = Duration.ofSeconds(90);

    /*
     * Invariants:
     * H1: a generation is immutable. `current` is replaced as a whole, and only by a thread that has seen the
     *     generation before.
     * H2: `open` knows every pool before a call can use it, so close() reaches its connections.
     * H3: of all threads that find a check due, only the one that advances `nextCheck` makes it.
     * H4: content of files becomes current only if the generation has not changed since before the reading. So a slow
     *     reader cannot restore old certificates.
     * Any thread calls. The lock is held only to compare and set `current`. Certificates are read and parsed, and
     * connections closed, outside of it.
     */
    private final TlsConfig tls;
    private final Supplier<TlsMaterial> files;
    private final OkHttpClient template;
    private final @Nullable Provider provider;
    private final Timeouts timeouts;
    private final ProxySetup proxy;
    private final OpenCalls open;
    private final LongSupplier nanoTime;
    private final boolean encrypts;
    private final boolean hasFiles;
    private final AtomicLong nextCheck;

    /** Held to compare and replace the current generation of clients. */
    private final ReentrantLock changing = new ReentrantLock();

    private volatile Generation current; // written while holding `changing`

    /** The clients that share the same certificates. */
    private record Generation(TlsMaterial material, OkHttpClient requests, OkHttpClient streams) {}

    /**
     * Makes the first generation.
     *
     * @param template a client for plain text, with all settings except connections
     * @param provider the TLS implementation; null for the JVM's
     * @throws TransportException of kind {@code CONFIGURATION} if TLS cannot be set up as configured
     */
    public HttpClients(
            ClientConfig config,
            OkHttpClient template,
            @Nullable Provider provider,
            ProxySetup proxy,
            OpenCalls open,
            LongSupplier nanoTime) {
        this(config, template, provider, proxy, open, nanoTime, () -> TlsMaterial.read(config.tls()));
    }

    /** Makes the first generation. The supplier reads the certificates, now and at each later check. */
    public HttpClients(
            ClientConfig config,
            OkHttpClient template,
            @Nullable Provider provider,
            ProxySetup proxy,
            OpenCalls open,
            LongSupplier nanoTime,
            Supplier<TlsMaterial> files) {
        this.tls = config.tls();
        this.files = files;
        this.template = template;
        this.provider = provider;
        this.timeouts = config.timeouts();
        this.proxy = proxy;
        this.open = open;
        this.nanoTime = nanoTime;
        this.encrypts = HttpRequests.baseUrl(config).isHttps() || proxy.isEncrypted();
        this.hasFiles = !(tls.caFile() + tls.certFile() + tls.keyFile()).isEmpty();
        this.nextCheck = new AtomicLong(nanoTime.getAsLong() + CHECK_INTERVAL.toNanos());
        TlsSetup.check(tls);
        this.current = generation(files.get());
    }

    /** Returns the current client. Reads the files first if a check is due. */
    public OkHttpClient get(boolean stream) {
        long due = nextCheck.get();
        if (hasFiles
                && nanoTime.getAsLong() - due >= 0
                && nextCheck.compareAndSet(due, nanoTime.getAsLong() + CHECK_INTERVAL.toNanos())) {
            refresh();
        }
        Generation generation = current;
        return stream ? generation.streams() : generation.requests();
    }

    /**
     * Reads the files now.
     *
     * @param used the client of the request that failed
     * @return whether the next request will use other certificates, even if another thread caused the change
     */
    public boolean reload(OkHttpClient used) {
        if (hasFiles) {
            refresh();
        }
        return isFormer(used);
    }

    /** Returns whether the certificates have changed since {@link #get} returned this client. */
    boolean isFormer(OkHttpClient used) {
        Generation generation = current;
        return used != generation.requests() && used != generation.streams();
    }

    private void refresh() {
        try {
            Generation before;
            TlsMaterial fresh;
            do {
                // If another thread was faster, the newer content is unknown, so this one reads again.
                before = current;
                fresh = files.get();
            } while (!use(before, fresh));
        } catch (TransportException e) {
            LOG.warn("{}; the certificates read before stay in use", e.getMessage());
        }
    }

    /**
     * Replaces the generation if its content differs. Returns false without a change if that generation is no longer
     * current.
     */
    private boolean use(Generation before, TlsMaterial read) {
        TlsMaterial former = before.material();
        TlsMaterial fresh = tls.hasCertificate() ? read : read.withIdentity(former.certificate(), former.key());
        if (fresh.equals(former)) {
            return current == before;
        }
        if (!replace(before, generation(fresh))) {
            return false;
        }
        open.evictIdle();
        LOG.info("certificate files have changed: new connections use the new ones");
        return true;
    }

    /**
     * Uses this client certificate for new connections.
     *
     * @throws TransportException of kind {@code CONFIGURATION} if it cannot be used
     */
    public void show(String certificate, String key) {
        Generation before;
        TlsMaterial material;
        do {
            before = current;
            material = before.material().withIdentity(certificate, key);
            if (material.equals(before.material())) {
                return;
            }
        } while (!replace(before, generation(material)));
        open.evictIdle();
    }

    private boolean replace(Generation before, Generation after) {
        changing.lock();
        try {
            boolean same = current == before;
            if (same) {
                current = after;
            }
            return same;
        } finally {
            changing.unlock();
        }
    }

    private Generation generation(TlsMaterial material) {
        ConnectionPool requestPool = new ConnectionPool(IDLE_CONNECTIONS, IDLE_TIME.toSeconds(), TimeUnit.SECONDS);
        ConnectionPool streamPool = new ConnectionPool(IDLE_CONNECTIONS, IDLE_TIME.toSeconds(), TimeUnit.SECONDS);
        OkHttpClient.Builder client = template.newBuilder();
        if (encrypts || tls.hasCa() || material.hasIdentity()) { // certificates are checked, even if they are not used
            TlsSetup setup = TlsSetup.of(tls, material, provider);
            setup.apply(tls, timeouts.connect(), client);
            client.socketFactory(proxy.sockets(setup.factory()));
        } else {
            client.socketFactory(proxy.sockets(null));
        }
        proxy.apply(client);
        OkHttpClient shared = client.build();
        OkHttpClient requests = shared.newBuilder()
                .connectionPool(requestPool)
                .addNetworkInterceptor(new ReadTimeouts(timeouts, false))
                .build();
        OkHttpClient streams = shared.newBuilder()
                .connectionPool(streamPool)
                .callTimeout(Duration.ZERO)
                .addNetworkInterceptor(new ReadTimeouts(timeouts, true))
                .build();
        open.manage(requestPool, streamPool);
        return new Generation(material, requests, streams);
    }

    /**
     * Sets the read timeout of a response once its headers have arrived. Thread-safe.
     *
     * <p>HTTP/2 connections are pinged, so a stream on them may be silent indefinitely. HTTP/1.1 has no pings: a stream
     * that is silent for too long counts as dead. A response in place of a stream (an error) keeps the timeout of
     * requests until its last byte.
     *
     * <p>Over HTTP/1.1 only the socket limits the wait. Okio would set a timer before each read of at most 8 KiB, and
     * wake the thread that waits for timers, which a quarter of the samples of a process's first list showed.
     */
    private static final class ReadTimeouts implements Interceptor {

        private final Timeouts timeouts;
        private final boolean ofStreams;

        ReadTimeouts(Timeouts timeouts, boolean ofStreams) {
            this.timeouts = timeouts;
            this.ofStreams = ofStreams;
        }

        @Override
        public Response intercept(Chain chain) throws IOException {
            Response response = chain.proceed(chain.request());
            Connection connection = chain.connection();
            boolean stream = ofStreams && response.code() == 200;
            if (response.protocol() == Protocol.HTTP_2) {
                if (stream) {
                    untimed(response);
                }
            } else if (connection != null) {
                untimed(response);
                Duration limit = stream ? timeouts.idle() : timeouts.read();
                // OkHttp sets both timeouts again for each call on the connection.
                connection.socket().setSoTimeout(Math.toIntExact(limit.toMillis()));
            }
            return response;
        }

        private static void untimed(Response response) {
            response.body().source().timeout().timeout(0, TimeUnit.MILLISECONDS);
        }
    }
}
