/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.junit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.api.core.Namespace;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.controlplane.Faults;
import io.kubeloop.controlplane.RequestMatch;
import io.kubeloop.controlplane.SimulatedClock;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@KubeloopTest(frozen = true)
class FaultsTest {

    private static final ObjectName CARD = new ObjectName("default", "card");

    private static void create(KubeClient client, String name) {
        try (ApiResponse response = client.transport()
                .execute(ApiRequest.of(
                        "POST",
                        "/api/v1/namespaces/default/configmaps",
                        Map.of(),
                        ApiRequest.Body.json(("{\"metadata\":{\"name\":\"" + name + "\"}}").getBytes(UTF_8))))) {
            assertThat(response.code()).isEqualTo(201);
        }
    }

    private static ResourceClient<ConfigMap> maps(KubeClient client) {
        return client.resource(ResourceTypes.CONFIG_MAPS);
    }

    @Test
    void conflict_meetsOneUpdate(KubeClient client, Faults faults) {
        create(client, "card");
        faults.next(RequestMatch.updates(ResourceTypes.CONFIG_MAPS).named("card"))
                .conflict();
        ConfigMap read = maps(client).get(CARD);

        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> maps(client).update(read))
                .matches(ApiException::isConflict)
                .withMessageContaining("Operation cannot be fulfilled on configmaps \"card\"");
        assertThat(maps(client).update(read)).isNotNull();
        assertThat(faults.pending()).isEmpty();
    }

    @Test
    void tooManyRequests_hasRetryAfter(KubeClient client, Faults faults) {
        faults.next(RequestMatch.lists(ResourceTypes.CONFIG_MAPS)).tooManyRequests(Duration.ofSeconds(3));

        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> maps(client).list("default", ListOptions.NONE))
                .satisfies(e -> assertThat(e.retryAfter()).isEqualTo(Duration.ofSeconds(3)));
    }

    @Test
    void loseResponse_executesTheWrite(KubeClient client, Faults faults) {
        faults.next(RequestMatch.creates(ResourceTypes.CONFIG_MAPS)).loseResponse();

        assertThatExceptionOfType(TransportException.class).isThrownBy(() -> create(client, "card"));
        assertThat(maps(client).get(CARD)).isNotNull();
    }

    @Test
    void overHttp_theSameFaults(URI uri, KubeClient client, Faults faults) throws IOException {
        URI list = uri.resolve("/api/v1/namespaces/default/configmaps");
        faults.next(RequestMatch.lists(ResourceTypes.CONFIG_MAPS)).tooManyRequests(Duration.ofSeconds(7));
        HttpURLConnection busy = (HttpURLConnection) list.toURL().openConnection();
        assertThat(busy.getResponseCode()).isEqualTo(429);
        assertThat(busy.getHeaderField("Retry-After")).isEqualTo("7");

        faults.next(RequestMatch.lists(ResourceTypes.CONFIG_MAPS)).internalError();
        assertThat(((HttpURLConnection) list.toURL().openConnection()).getResponseCode())
                .isEqualTo(500);

        faults.next(RequestMatch.lists(ResourceTypes.CONFIG_MAPS)).expire();
        assertThat(((HttpURLConnection) list.toURL().openConnection()).getResponseCode())
                .isEqualTo(410);

        faults.next(RequestMatch.creates(ResourceTypes.CONFIG_MAPS)).loseResponse();
        HttpURLConnection lost = (HttpURLConnection) list.toURL().openConnection();
        lost.setRequestMethod("POST");
        lost.setRequestProperty("Content-Type", "application/json");
        lost.setDoOutput(true);
        // A streamed body is not sent again by this client.
        byte[] body = "{\"metadata\":{\"name\":\"card\"}}".getBytes(UTF_8);
        lost.setFixedLengthStreamingMode(body.length);
        lost.getOutputStream().write(body);
        assertThatExceptionOfType(IOException.class).isThrownBy(lost::getResponseCode);
        assertThat(maps(client).get(CARD)).isNotNull();
    }

    @Test
    void expire_sendsAnErrorEvent(KubeClient client, Faults faults) {
        faults.next(RequestMatch.watches(ResourceTypes.CONFIG_MAPS)).expire();
        try (ApiStream watch =
                client.transport().stream(ApiRequest.get("/api/v1/configmaps", Map.of("watch", "true")))) {
            assertThat(new String(watch.next(), UTF_8)).contains("\"ERROR\"", "\"Expired\"", "410");
            assertThat(watch.next()).isNull();
        }
    }

    /** Every fault of a watch is repaired by the informer, in the clock's time, and the test waits for that. */
    @Tag("stress")
    @ParameterizedTest
    @MethodSource("io.kubeloop.junit.Rounds#all")
    void informer_recoversFromEachFault(
            int round, KubeClient client, SharedInformerFactory informers, Faults faults, SimulatedClock clock) {
        faults.next(RequestMatch.watches(ResourceTypes.CONFIG_MAPS)).tooManyRequests(Duration.ofSeconds(5));
        SharedInformer<ConfigMap> maps = informers.informer(ResourceTypes.CONFIG_MAPS);
        informers.start();
        clock.awaitQuiet();
        clock.advance(Duration.ofSeconds(30));
        assertThat(maps.hasSynced()).isTrue();

        faults.next(RequestMatch.watches(ResourceTypes.CONFIG_MAPS)).expire();
        faults.endWatches();
        create(client, "a");
        faults.compact();
        clock.awaitQuiet();
        // Longer than two waits before a new list, so the informer watches again.
        clock.advance(Duration.ofMinutes(3));
        assertThat(maps.lister().get(new ObjectName("default", "a"))).isNotNull();

        faults.next(RequestMatch.watches(ResourceTypes.CONFIG_MAPS)).delayWatch(Duration.ofMinutes(2));
        faults.endWatches();
        clock.awaitQuiet();
        create(client, "b");
        clock.advance(Duration.ofMinutes(1));
        assertThat(maps.lister().get(new ObjectName("default", "b"))).isNull();
        clock.advance(Duration.ofMinutes(1));
        assertThat(maps.lister().get(new ObjectName("default", "b"))).isNotNull();
    }

    @Test
    void stoppedKubelet_startsNoPod(KubeClient client, Faults faults, SimulatedClock clock) {
        clock.awaitQuiet();
        faults.stopKubelet();
        try (ApiResponse pod = client.transport()
                .execute(ApiRequest.of(
                        "POST",
                        "/api/v1/namespaces/default/pods",
                        Map.of(),
                        ApiRequest.Body.json(("{\"metadata\":{\"name\":\"card\"},"
                                        + "\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}")
                                .getBytes(UTF_8))))) {
            assertThat(pod.code()).isEqualTo(201);
        }
        clock.advance(Duration.ofMinutes(1));
        assertThat(client.resource(ResourceTypes.PODS).get(CARD).status().phase())
                .isEqualTo("Pending");

        faults.startKubelet();
        clock.awaitQuiet();
        assertThat(client.resource(ResourceTypes.PODS).get(CARD).status().phase())
                .isEqualTo("Running");
    }

    @Test
    void controlPlane_isNotMet(KubeClient client, Faults faults, SimulatedClock clock) {
        faults.next(RequestMatch.creates(ResourceTypes.SERVICE_ACCOUNTS)).internalError();
        client.resource(ResourceTypes.NAMESPACES).create(new Namespace(ObjectMeta.named("", "shop"), null, null, null));
        clock.awaitQuiet();

        assertThat(client.resource(ResourceTypes.SERVICE_ACCOUNTS).get(new ObjectName("shop", "default")))
                .isNotNull();
        assertThat(faults.pending()).containsExactly("creates of serviceaccounts");
        faults.clear();
        assertThat(faults.pending()).isEmpty();
    }
}
