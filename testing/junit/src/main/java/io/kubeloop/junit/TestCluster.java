/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.junit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.apiserver.http.HttpApiServer;
import io.kubeloop.apiserver.http.KubeconfigText;
import io.kubeloop.apiserver.http.LoopbackCertificate;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.controlplane.Faults;
import io.kubeloop.controlplane.SimulatedClock;
import io.kubeloop.controlplane.containers.SimulatedContainers;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A control plane of a test with its clients. Each part is made when it is first requested. Thread-safe.
 *
 * <p>The extension closes it. No method blocks for long, except those of the returned objects.
 */
public final class TestCluster {

    /* A part is started under the lock, so a second caller waits for it instead of starting another. */

    private final KubeloopTest settings;
    private final Class<?> testClass;
    private final SimulatedClock clock;
    private final ControlPlane plane;

    private final ReentrantLock making = new ReentrantLock();

    @GuardedBy("making")
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    @GuardedBy("making")
    private @Nullable KubeClient client;

    @GuardedBy("making")
    private @Nullable SharedInformerFactory informers;

    @GuardedBy("making")
    private @Nullable URI uri;

    @GuardedBy("making")
    private String certificate = "";

    @GuardedBy("making")
    private @Nullable TestKubeconfig kubeconfig;

    private TestCluster(KubeloopTest settings, Class<?> testClass, SimulatedClock clock, ControlPlane plane) {
        this.settings = settings;
        this.testClass = testClass;
        this.clock = clock;
        this.plane = plane;
        parts.push(clock);
        parts.push(plane);
    }

    static TestCluster start(KubeloopTest settings, Class<?> testClass) {
        SimulatedClock clock = settings.frozen() ? SimulatedClock.frozen(Instant.now()) : SimulatedClock.running();
        ControlPlane.Builder builder = ControlPlane.builder()
                .clock(clock)
                .fieldValidation(settings.fieldValidation().parameter());
        if (settings.controllers().length > 0) {
            builder.controllers(settings.controllers());
        }
        if (settings.nodes() > 0) {
            builder.nodes(settings.nodes());
        }
        TestCluster cluster = new TestCluster(settings, testClass, clock, builder.start());
        try {
            for (String manifest : settings.manifests()) {
                cluster.apply(manifest);
            }
            return cluster;
        } catch (RuntimeException | Error e) {
            cluster.close();
            throw e;
        }
    }

    /** Returns the control plane. */
    public ControlPlane plane() {
        return plane;
    }

    /** Returns the client, the same at each call. */
    public KubeClient client() {
        making.lock();
        try {
            if (client == null) {
                client = push(plane.client());
            }
            return client;
        } finally {
            making.unlock();
        }
    }

    /** Returns the informers of {@link #client}, the same at each call. The test creates and starts them. */
    public SharedInformerFactory informers() {
        making.lock();
        try {
            if (informers == null) {
                informers = push(plane.informers(client()));
            }
            return informers;
        } finally {
            making.unlock();
        }
    }

    /** Returns the clock. */
    public SimulatedClock clock() {
        return clock;
    }

    /**
     * Returns access to the simulated containers, to script their logs, commands and ports for clients over HTTP.
     */
    public SimulatedContainers containers() {
        return plane.containers();
    }

    /** Returns the failures that can be injected. */
    public Faults faults() {
        return plane.faults();
    }

    /**
     * Applies manifests.
     *
     * @param resource a resource of the test's class path, such as {@code crds/shop.yaml}
     * @throws IllegalArgumentException if there is no such resource
     * @throws io.kubeloop.api.client.ApiException if the server rejects an object; the earlier ones exist
     */
    public void apply(String resource) {
        String path = resource.startsWith("/") ? resource : "/" + resource;
        try (InputStream manifests = testClass.getResourceAsStream(path)) {
            if (manifests == null) {
                throw new IllegalArgumentException("cannot apply " + resource + ": the class path of "
                        + testClass.getName() + " has no such resource");
            }
            plane.apply(resource, manifests);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + resource + ": " + e.getMessage(), e);
        }
    }

    /** Returns the address of the API server. The first call opens an HTTP port on the loopback interface. */
    public URI uri() {
        making.lock();
        try {
            if (uri == null) {
                HttpApiServer.Config config = HttpApiServer.Config.DEFAULT;
                if (settings.tls()) {
                    LoopbackCertificate made = LoopbackCertificate.create(Instant.now(), null);
                    certificate = made.pem();
                    config = config.withTls(made.serving());
                }
                uri = plane.serve(config).uri();
            }
            return uri;
        } finally {
            making.unlock();
        }
    }

    /** Returns the kubeconfig. The first call opens an HTTP port, as {@link #uri} does, and writes the file. */
    public TestKubeconfig kubeconfig() {
        making.lock();
        try {
            if (kubeconfig == null) {
                String text = KubeconfigText.of(uri().toString(), certificate, "");
                try {
                    Path file = Files.createTempFile("kubeloop-", ".kubeconfig");
                    parts.push(() -> Files.deleteIfExists(file));
                    Files.writeString(file, text);
                    kubeconfig = new TestKubeconfig(text, file);
                } catch (IOException e) {
                    throw new UncheckedIOException("cannot write a kubeconfig: " + e.getMessage(), e);
                }
            }
            return kubeconfig;
        } finally {
            making.unlock();
        }
    }

    @GuardedBy("making")
    private <T extends AutoCloseable> T push(T part) {
        parts.push(part);
        return part;
    }

    /** Closes everything in reverse order. The first failure is thrown, after all parts were closed. */
    void close() {
        RuntimeException first = null;
        for (AutoCloseable part = next(); part != null; part = next()) {
            try {
                part.close();
            } catch (Exception e) {
                if (first == null) {
                    first = e instanceof RuntimeException r ? r : new IllegalStateException(e);
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private @Nullable AutoCloseable next() {
        making.lock();
        try {
            return parts.poll();
        } finally {
            making.unlock();
        }
    }
}
