/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.memory;

import io.kubeloop.api.client.Transport;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.Requests.Reply;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** A new server for each test, with a fixed clock and reproducible names. */
@Timeout(30)
public abstract class ServerFixture {

    protected static final String NOW = "2026-03-01T12:00:00Z";
    protected static final String PODS = "/api/v1/namespaces/default/pods";
    protected static final String SERVICES = "/api/v1/namespaces/default/services";
    protected static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    protected static final String SECRETS = "/api/v1/namespaces/default/secrets";
    protected static final String REPLICA_SETS = "/apis/apps/v1/namespaces/default/replicasets";
    protected static final String CONTROLLERS = "/api/v1/namespaces/default/replicationcontrollers";

    protected final ManualClock clock = new ManualClock(Instant.parse(NOW));

    /** The server; null in a subclass that starts another one. */
    protected EmbeddedApiServer server;

    protected Requests requests;

    @BeforeEach
    final void startServer() {
        requests = new Requests(open());
    }

    /** Starts the server and returns a transport to it. */
    protected Transport open() {
        server = configure(EmbeddedApiServer.builder().clock(clock).random(new Random(1)))
                .build();
        return server.transport();
    }

    @AfterEach
    protected void stopServer() {
        server.close();
    }

    protected EmbeddedApiServer.Builder configure(EmbeddedApiServer.Builder builder) {
        return builder;
    }

    protected Reply createPod(String name, String metadata, String spec) {
        return requests.post(
                        PODS,
                        "{'metadata':{'name':'" + name + "'" + metadata
                                + "},'spec':{'containers':[{'name':'c','image':'i'}]" + spec + "}}")
                .ok();
    }

    protected Reply createPod(String name) {
        return createPod(name, "", "");
    }

    protected Reply createConfigMap(String name, String metadata) {
        return requests.post(CONFIG_MAPS, "{'metadata':{'name':'" + name + "'" + metadata + "}}")
                .ok();
    }

    protected static String replicaSet(String name, String spec) {
        return "{'metadata':{'name':'" + name + "'},'spec':{'selector':{'matchLabels':{'app':'" + name
                + "'}},'template':{'metadata':{'labels':{'app':'" + name
                + "'}},'spec':{'containers':[{'name':'c','image':'i'}]}}" + spec + "}}";
    }
}
