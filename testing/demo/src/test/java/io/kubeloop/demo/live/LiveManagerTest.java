/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.cache.metrics.InformerMetricsProvider;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.manager.command.ManagerObserver.Observed;
import io.kubeloop.manager.command.pages.ManagerHttp;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiveManagerTest {

    private final LiveManager live = new LiveManager(new Observed(
            InformerMetricsProvider.NONE,
            (name, gauges) -> {
                throw new AssertionError(name);
            },
            ControllerMetrics.NONE,
            () -> JsonObject.EMPTY.with("state", "starting"),
            () -> null));

    @Test
    void livePage_needsTheKeyOfItsAddress() throws Exception {
        ManagerHttp pages = ManagerHttp.bind("127.0.0.1", 0);
        live.addTo(pages, true);
        try (ManagerHttp started = pages.start()) {
            URI page = live.address(URI.create("http://127.0.0.1:" + started.port() + "/"));
            assertThat(page.toString()).startsWith("http://127.0.0.1:" + started.port() + "/#key=");
            assertThat(get(page, "/", "")).isEqualTo(200);
            for (String path : List.of("/live/stages.json", "/live/store.json?resource=pods", "/live/stream")) {
                assertThat(get(page, path, "wrong")).as(path).isEqualTo(401);
            }
            String key = page.getFragment().substring("key=".length());
            assertThat(get(page, "/live/stages.json", key)).isEqualTo(200);
        }
    }

    @Test
    void livePage_besideIdleStrangers_isShown() throws Exception {
        ManagerHttp pages = ManagerHttp.bind("127.0.0.1", 0);
        live.addTo(pages, true);
        List<Socket> strangers = new ArrayList<>();
        try (ManagerHttp started = pages.start()) {
            URI page = live.address(URI.create("http://127.0.0.1:" + started.port() + "/"));
            for (int i = 0; i < 200; i++) {
                strangers.add(new Socket(InetAddress.getLoopbackAddress(), started.port()));
            }
            for (int i = 0; i < 25; i++) {
                assertThat(get(page, "/", "")).isEqualTo(200);
            }
        } finally {
            for (Socket stranger : strangers) {
                stranger.close();
            }
        }
    }

    private static int get(URI page, String path, String key) throws Exception {
        HttpURLConnection connection =
                (HttpURLConnection) page.resolve(path).toURL().openConnection();
        connection.setRequestProperty("Authorization", "Bearer " + key);
        try {
            return connection.getResponseCode();
        } finally {
            connection.disconnect();
        }
    }
}
