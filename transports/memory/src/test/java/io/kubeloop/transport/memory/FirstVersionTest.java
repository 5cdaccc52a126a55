/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.memory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiStream;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that replaces another one makes the watches of the old server expire, so that clients relist. */
class FirstVersionTest {

    @Test
    @Timeout(60)
    void watch_fromAVersionOfTheServerBefore_hasExpired() {
        try (EmbeddedApiServer server =
                EmbeddedApiServer.builder().firstVersion(1000).build()) {
            Map<String, String> from = Map.of("watch", "true", "resourceVersion", "500", "timeoutSeconds", "1");
            try (ApiStream watch = server.transport().stream(ApiRequest.get("/api/v1/pods", from))) {
                byte[] frame = watch.next();
                assertThat(frame == null ? "" : new String(frame, UTF_8)).contains("\"ERROR\"", "410");
            }
        }
    }

    @Test
    void firstVersion_zero_isRefused() {
        assertThatThrownBy(() -> EmbeddedApiServer.builder().firstVersion(0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
