/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command.serving;

import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.apiserver.http.ClientAuthorities;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.runtime.Scheduler;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The authorities that the API server publishes in {@code kube-system/extension-apiserver-authentication}, as far as
 * options name none (upstream: {@code ConfigMapCAController}). Thread-safe.
 *
 * <p>The scheduler reads them again each minute, and 10 s after a failure. A request for a page reads the last value
 * and never waits, so the pages are served while the API server hangs.
 */
public final class LookedUpTrust implements Supplier<ClientTrust> {

    private static final Logger LOG = LoggerFactory.getLogger(LookedUpTrust.class);
    private static final String PATH = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";
    private static final Duration FRESH = Duration.ofMinutes(1);
    private static final Duration AFTER_A_FAILURE = Duration.ofSeconds(10);

    /*
     * Invariant: after the first lookUp, one task of the scheduler waits or runs. Threads: the main thread looks up
     * once, then the scheduler's; those of the HTTP server read. No lock: `now` is one immutable value.
     */

    private final ClientTrust given;
    private final Transport transport;
    private final Scheduler scheduler;
    private volatile ClientTrust now;

    /**
     * Creates the trust.
     *
     * @param given what options name, which is not looked up
     * @param transport reads the config map
     * @param scheduler runs the lookups, each of which blocks its thread for up to 10 s; nothing else may use it
     */
    public LookedUpTrust(ClientTrust given, Transport transport, Scheduler scheduler) {
        this.given = given;
        this.transport = transport;
        this.scheduler = scheduler;
        this.now = given;
    }

    @Override
    public ClientTrust get() {
        return now;
    }

    /**
     * Reads the authorities, and begins to read them again in the background, also after a failure. A server without
     * the config map has none. Call it once.
     *
     * @throws ApiException if the server rejects the request
     * @throws TransportException if the server does not answer within 10 s
     */
    public void lookUp() {
        Duration next = AFTER_A_FAILURE;
        try {
            now = read();
            next = FRESH;
        } finally {
            scheduler.schedule(next, this::refresh);
        }
    }

    private void refresh() {
        try {
            lookUp();
        } catch (ApiException | TransportException | UncheckedIOException | IllegalArgumentException e) {
            LOG.warn("Cannot look up the authorities of clients in {}; the former ones stay: {}", PATH, e.getMessage());
        }
    }

    private ClientTrust read() {
        JsonObject data = JsonObject.EMPTY;
        try {
            data = CachedReviews.send(transport, "GET", PATH, null).object("data");
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
        boolean hasProxy = given.proxies() == null
                && !data.string("requestheader-client-ca-file").isEmpty();
        return new ClientTrust(
                given.clients() == null ? authority(data, "client-ca-file") : given.clients(),
                hasProxy ? authority(data, "requestheader-client-ca-file") : given.proxies(),
                hasProxy ? names(data, "requestheader-allowed-names") : given.proxyNames(),
                hasProxy ? names(data, "requestheader-username-headers") : given.userHeaders(),
                hasProxy ? names(data, "requestheader-uid-headers") : given.uidHeaders(),
                hasProxy ? names(data, "requestheader-group-headers") : given.groupHeaders(),
                hasProxy ? names(data, "requestheader-extra-headers-prefix") : given.extraPrefixes());
    }

    private static @Nullable ClientAuthorities authority(JsonObject data, String key) {
        String pem = data.string(key);
        return pem.isEmpty() ? null : ClientAuthorities.load(pem.getBytes(StandardCharsets.US_ASCII));
    }

    /** The values of the config map are arrays in JSON. */
    private static List<String> names(JsonObject data, String key) {
        String text = data.string(key);
        JsonArray values = JsonObject.parse("{\"values\":" + (text.isEmpty() ? "[]" : text) + "}")
                .array("values");
        return values.strings().toList();
    }
}
