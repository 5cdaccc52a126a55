package io.kubeloop.transport.memory;

import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.Requests.Reply;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** A new server for each test, with a fixed clock and reproducible names. */
@Timeout(30)
abstract class ServerFixture {

    static final String NOW = "2026-03-01T12:00:00Z";
    static final String PODS = "/api/v1/namespaces/default/pods";
    static final String SERVICES = "/api/v1/namespaces/default/services";
    static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    static final String SECRETS = "/api/v1/namespaces/default/secrets";
    static final String REPLICA_SETS = "/apis/apps/v1/namespaces/default/replicasets";
    static final String CONTROLLERS = "/api/v1/namespaces/default/replicationcontrollers";

    final ManualClock clock = new ManualClock(Instant.parse(NOW));
    EmbeddedApiServer server;
    Requests requests;

    @BeforeEach
    final void startServer() {
        server = configure(EmbeddedApiServer.builder().clock(clock).random(new Random(1)))
                .build();
        requests = new Requests(server.transport());
    }

    @AfterEach
    final void stopServer() {
        server.close();
    }

    EmbeddedApiServer.Builder configure(EmbeddedApiServer.Builder builder) {
        return builder;
    }

    Reply createPod(String name, String metadata, String spec) {
        return requests.post(
                        PODS,
                        "{'metadata':{'name':'" + name + "'" + metadata
                                + "},'spec':{'containers':[{'name':'c','image':'i'}]" + spec + "}}")
                .ok();
    }

    Reply createPod(String name) {
        return createPod(name, "", "");
    }

    Reply createConfigMap(String name, String metadata) {
        return requests.post(CONFIG_MAPS, "{'metadata':{'name':'" + name + "'" + metadata + "}}")
                .ok();
    }

    static String replicaSet(String name, String spec) {
        return "{'metadata':{'name':'" + name + "'},'spec':{'selector':{'matchLabels':{'app':'" + name
                + "'}},'template':{'metadata':{'labels':{'app':'" + name
                + "'}},'spec':{'containers':[{'name':'c','image':'i'}]}}" + spec + "}}";
    }
}
