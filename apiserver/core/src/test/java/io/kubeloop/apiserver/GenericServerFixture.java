/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver;

import io.kubeloop.apiserver.Calls.Answer;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** A new server for each test, with kinds that have no behavior of their own, a fixed clock and reproducible names. */
@Timeout(30)
abstract class GenericServerFixture {

    static final String NOW = "2026-03-01T12:00:00Z";
    static final String PODS = "/api/v1/namespaces/default/pods";
    static final String SERVICES = "/api/v1/namespaces/default/services";
    static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

    final ApiServer server = ApiServer.builder()
            .clock(Clock.fixed(Instant.parse(NOW), ZoneOffset.UTC))
            .random(new Random(1))
            .build(new CatalogKinds());
    final Calls requests = new Calls(server);

    @AfterEach
    void stopServer() {
        server.close();
    }

    Answer createConfigMap(String name, String metadata) {
        return requests.post(CONFIG_MAPS, "{'metadata':{'name':'" + name + "'" + metadata + "}}")
                .ok();
    }
}
