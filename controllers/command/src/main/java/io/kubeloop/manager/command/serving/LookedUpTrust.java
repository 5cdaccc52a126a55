/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command.serving;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.apiserver.http.ClientAuthorities;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The authorities that the API server publishes in {@code kube-system/extension-apiserver-authentication}, as far as
 * options name none. Reads them again after a minute, on the thread of a request. Thread-safe.
 */
public final class LookedUpTrust implements Supplier<ClientTrust> {

    private static final Logger LOG = LoggerFactory.getLogger(LookedUpTrust.class);
    private static final String PATH = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";
    private static final Duration FRESH = Duration.ofMinutes(1);

    /*
     * Invariant: `until` is the time at which `now` is read again. Threads: those of the HTTP server.
     */

    private final ClientTrust given;
    private final Transport transport;
    private final LongSupplier nanos;

    @GuardedBy("this")
    private ClientTrust now;

    @GuardedBy("this")
    private long until;

    /**
     * Creates the trust.
     *
     * @param given what options name, which is not looked up
     * @param transport reads the config map
     * @param nanos the clock, in nanoseconds
     */
    public LookedUpTrust(ClientTrust given, Transport transport, LongSupplier nanos) {
        this.given = given;
        this.transport = transport;
        this.nanos = nanos;
        this.now = given;
        this.until = nanos.getAsLong();
    }

    @Override
    public synchronized ClientTrust get() {
        if (nanos.getAsLong() - until >= 0) {
            try {
                lookUp();
            } catch (ApiException | TransportException | UncheckedIOException | IllegalArgumentException e) {
                LOG.warn(
                        "Cannot look up the authorities of clients in {}; the former ones stay: {}",
                        PATH,
                        e.getMessage());
                until = nanos.getAsLong() + Duration.ofSeconds(10).toNanos();
            }
        }
        return now;
    }

    /**
     * Reads the authorities. A server without the config map has none.
     *
     * @throws ApiException if the server rejects the request
     */
    public synchronized void lookUp() {
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
        now = new ClientTrust(
                given.clients() == null ? authority(data, "client-ca-file") : given.clients(),
                hasProxy ? authority(data, "requestheader-client-ca-file") : given.proxies(),
                hasProxy ? names(data, "requestheader-allowed-names") : given.proxyNames(),
                hasProxy ? names(data, "requestheader-username-headers") : given.userHeaders(),
                hasProxy ? names(data, "requestheader-uid-headers") : given.uidHeaders(),
                hasProxy ? names(data, "requestheader-group-headers") : given.groupHeaders(),
                hasProxy ? names(data, "requestheader-extra-headers-prefix") : given.extraPrefixes());
        until = nanos.getAsLong() + FRESH.toNanos();
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
