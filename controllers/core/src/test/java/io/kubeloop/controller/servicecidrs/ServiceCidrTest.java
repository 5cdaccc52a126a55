/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.servicecidrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.client.KubeClient;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.runner.ControllerRunner;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.Requests;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // the runner only has to be open
class ServiceCidrTest {

    private static final String RANGES = "/apis/networking.k8s.io/v1/servicecidrs";
    private static final String ADDRESSES = "/apis/networking.k8s.io/v1/ipaddresses";
    private static final String MERGE = "application/merge-patch+json";

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final Requests requests = new Requests(server.transport());
    private final ManualClock clock = new ManualClock(Instant.now());

    @AfterEach
    void close() {
        server.close();
    }

    private ControllerRunner run() {
        ControllerTime time = ControllerTime.system();
        return ControllerRunner.builder(KubeClient.of(server.transport(), JsonCodec.standard()))
                .time(new ControllerTime(clock, time.monotonic(), time.random()))
                .controller(ServiceCidrController::of)
                .start();
    }

    private void create(String name, String cidr) {
        requests.post(RANGES, "{'metadata':{'name':'" + name + "'},'spec':{'cidrs':['" + cidr + "']}}")
                .ok();
    }

    private void createAddress(String address) {
        requests.post(
                        ADDRESSES,
                        "{'metadata':{'name':'" + address
                                + "','labels':{'ipaddress.kubernetes.io/managed-by':'ipallocator.k8s.io',"
                                + "'ipaddress.kubernetes.io/ip-family':'IPv4'}},"
                                + "'spec':{'parentRef':{'resource':'services',"
                                + "'namespace':'default','name':'s'}}}")
                .ok();
    }

    private String ready(String name) {
        return requests.get(RANGES + "/" + name)
                .body()
                .array("status", "conditions")
                .objects()
                .filter(condition -> condition.string("type").equals("Ready"))
                .map(condition -> condition.string("status") + condition.string("reason"))
                .findFirst()
                .orElse("");
    }

    private boolean isProtected(String name) {
        JsonObject metadata = requests.get(RANGES + "/" + name).body().object("metadata");
        return metadata.array("finalizers").strings().anyMatch(ServiceCidrController.FINALIZER::equals);
    }

    @Test
    void range_isProtectedAndReady_alsoAfterTheFinalizerWasRemoved() {
        create("a", "10.110.1.0/24");
        try (ControllerRunner ignored = run()) {
            await().until(() -> isProtected("a") && ready("a").equals("True"));
            requests.send("PATCH", RANGES + "/a", MERGE, "{'metadata':{'finalizers':null}}")
                    .ok();
            await().until(() -> isProtected("a"));
        }
    }

    @Test
    void deletedRange_staysWhileItsAddressesAreUsed_unlessAnotherRangeHasThem() {
        create("a", "10.110.1.0/24");
        createAddress("10.110.1.5");
        try (ControllerRunner ignored = run()) {
            await().until(() -> isProtected("a"));
            requests.delete(RANGES + "/a").ok();
            await().until(() -> ready("a").equals("FalseTerminating"));
            assertThat(requests.get(RANGES + "/a").code()).isEqualTo(200);

            clock.advance(Duration.ofHours(1));
            create("wide", "10.110.0.0/16");

            await().until(() -> requests.get(RANGES + "/a").code() == 404);
        }
    }

    @Test
    void deletedRangeWithoutAddresses_goesAfterTheGracePeriod() {
        create("a", "10.110.1.0/24");
        try (ControllerRunner ignored = run()) {
            await().until(() -> isProtected("a"));
            requests.delete(RANGES + "/a").ok();
            clock.advance(Duration.ofHours(1));
            // The event of the deletion may come before the clock or after it: then the range is gone already.
            assertThat(requests.send("PATCH", RANGES + "/a", MERGE, "{'metadata':{'labels':{'a':'b'}}}")
                            .code())
                    .isIn(200, 404);
            await().until(() -> requests.get(RANGES + "/a").code() == 404);
        }
    }
}
