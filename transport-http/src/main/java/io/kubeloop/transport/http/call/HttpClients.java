package io.kubeloop.transport.http.call;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.Timeouts;
import io.kubeloop.transport.http.TlsConfig;
import io.kubeloop.transport.http.route.ProxySetup;
import io.kubeloop.transport.http.tls.TlsMaterial;
import io.kubeloop.transport.http.tls.TlsSetup;
import java.security.Provider;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The OkHttp clients of one transport: one for requests and one for streams, each with connections of its own, so that a
 * flood of events cannot hold up a write.
 *
 * <p>Certificate and authority files are looked at again while the client lives, once a minute at most and on the request
 * path (upstream: {@code transport/cert_rotation.go}, {@code transport/ca_rotation.go}), and at once when TLS fails or the
 * server answers 401. A change makes a new generation of clients: requests from then on open new connections; idle ones of
 * the former generation are closed, those in use when they have been idle for 90 s after their last answer. A file that cannot be read or
 * makes no sense changes nothing.
 */
public final class HttpClients {

    private static final Logger log = LoggerFactory.getLogger(HttpClients.class);
    private static final Duration CHECK_INTERVAL = Duration.ofMinutes(1);
    private static final int IDLE_CONNECTIONS = 25;
    private static final Duration IDLE_TIME = Duration.ofSeconds(90);

    // H1: a generation is immutable; `current` is replaced whole, and only by whoever has seen the one before it.
    // H2: every pool ever made is known to `open` before a call can use it, so that close() reaches its connections.
    // H3: of all threads that find a check to be due, the one that moves `nextCheck` on does it.
    // H4: what was read from files becomes current only if the generation is still the one of before the reading, so
    //     that a slow reader cannot put old certificates back.
    // Any thread calls. The lock is held for comparing and setting `current`, nothing else: certificates are read and
    // made sense of, and connections closed, outside of it.
    private final TlsConfig tls;
    private final Supplier<TlsMaterial> files;
    private final OkHttpClient template;
    private final @Nullable Provider provider;
    private final Timeouts timeouts;
    private final ProxySetup proxy;
    private final OpenCalls open;
    private final LongSupplier nanoTime;
    private final boolean hasFiles;
    private final AtomicLong nextCheck;
    private final ReentrantLock changing = new ReentrantLock();
    private volatile Generation current; // written under `changing`

    /** Clients that share their certificates. */
    private record Generation(TlsMaterial material, OkHttpClient requests, OkHttpClient streams) {}

    /**
     * Makes the first generation.
     *
     * @param template a client with everything that is neither about connections nor about TLS
     * @param provider who speaks TLS; null for the JVM
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

    /** Makes the first generation from what the supplier reads; it is asked again whenever the files are looked at. */
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
        this.hasFiles = !(tls.caFile() + tls.certFile() + tls.keyFile()).isEmpty();
        this.nextCheck = new AtomicLong(nanoTime.getAsLong() + CHECK_INTERVAL.toNanos());
        TlsSetup.check(tls);
        this.current = generation(files.get());
    }

    /** Returns the client to use now; looks at the files first, if that is due. */
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
     * Looks at the files now.
     *
     * @param used the client of the request that has failed
     * @return whether the next request will use other certificates than that one, whoever has brought the change about
     */
    public boolean reload(OkHttpClient used) {
        if (hasFiles) {
            refresh();
        }
        return isFormer(used);
    }

    /** Returns whether other certificates have come into use since {@link #get} returned this client. */
    boolean isFormer(OkHttpClient used) {
        Generation generation = current;
        return used != generation.requests() && used != generation.streams();
    }

    private void refresh() {
        try {
            Generation before;
            TlsMaterial fresh;
            do {
                // Whoever was overtaken while reading cannot tell whose certificates are newer, and reads again.
                before = current;
                fresh = files.get();
            } while (!use(before, fresh));
        } catch (TransportException e) {
            log.warn("{}; what was read before stays in use", e.getMessage());
        }
    }

    /** Returns false, and changes nothing, if that generation is not the current one any more. */
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
        log.info("certificate files have changed: new connections use the new ones");
        return true;
    }

    /**
     * Shows this client certificate from now on.
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
        OkHttpClient.Builder client = template.newBuilder().connectionPool(requestPool);
        TlsSetup setup = TlsSetup.of(tls, material, provider);
        setup.apply(tls, timeouts.connect(), client);
        proxy.apply(client);
        client.socketFactory(proxy.sockets(setup));
        OkHttpClient requests = client.build();
        OkHttpClient streams = requests.newBuilder()
                .connectionPool(streamPool)
                .callTimeout(Duration.ZERO)
                .addNetworkInterceptor(new StreamTimeouts(timeouts.idle()))
                .build();
        open.manage(requestPool, streamPool);
        return new Generation(material, requests, streams);
    }
}
