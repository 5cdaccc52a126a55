/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.kinds.BuiltInKinds;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.rest.ServiceResolver;
import io.kubeloop.apiserver.rest.ServiceResolver.Problem;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The problems have the reasons and messages of kube-apiserver 1.36.3. */
class ServiceAddressesTest {

    private static final String SERVICES = "/api/v1/namespaces/default/services";
    private static final String SLICES = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";

    private final ApiServer server = ApiServer.builder()
            .build(BuiltInKinds.create()
                    .withServiceAddresses(Map.of(
                            "default/local", InetSocketAddress.createUnresolved("127.0.0.1", 0),
                            "default/local:80", InetSocketAddress.createUnresolved("localhost", 8080))));
    private final ServiceResolver services = server.backend().kinds().services(server.backend());

    @AfterEach
    void close() {
        server.close();
    }

    private void create(String path, String json) {
        ServerResponse response =
                server.handle(ApiRequest.of("POST", path, Map.of(), ApiRequest.Body.json(json.getBytes(UTF_8))));
        assertThat(((ServerResponse.Document) response).code()).isEqualTo(201);
    }

    private void slice(String name, String address, boolean ready, String portName, int port) {
        create(SLICES, """
                {"metadata":{"name":"%s","labels":{"kubernetes.io/service-name":"hook"}},"addressType":"IPv4",
                "endpoints":[{"addresses":["%s"],"conditions":{"ready":%s}}],"ports":[{"name":"%s","port":%d}\
                ]}""".formatted(name, address, ready, portName, port));
    }

    private Set<String> resolved(String name, int port) throws IOException {
        Set<String> found = new TreeSet<>();
        for (int i = 0; i < 4; i++) {
            InetSocketAddress address = services.resolve("default", name, port);
            found.add(address.getHostString() + ":" + address.getPort());
        }
        return found;
    }

    private String problem(String name, int port) {
        Problem problem = Objects.requireNonNull(services.problem("default", name, port));
        return problem.reason() + ": " + problem.message();
    }

    @Test
    void endpointsOfSlices_haveTheTargetPort_andAreUsedInTurn() throws Exception {
        assertThat(problem("hook", 443)).isEqualTo("ServiceNotFound: service/hook in \"default\" is not present");
        create(SERVICES, """
                {"metadata":{"name":"hook"},"spec":{"ports":[{"name":"web","port":443,"targetPort":"https"},
                {"name":"other","port":444,"targetPort":9444}]}}""");
        assertThat(problem("hook", 1))
                .isEqualTo("ServicePortError: service/hook in \"default\" is not listening on port 1");
        assertThat(problem("hook", 443))
                .isEqualTo("EndpointsNotFound: cannot find endpointslices for service/hook in \"default\"");
        slice("a", "10.0.0.1", false, "web", 9443);
        assertThat(problem("hook", 443))
                .isEqualTo(
                        "MissingEndpoints: endpointslices for service/hook in \"default\" have no addresses with port"
                                + " name \"web\"");
        slice("b", "10.0.0.2", true, "web", 9443);
        slice("c", "10.0.0.3", true, "web", 9543);
        slice("d", "10.0.0.4", true, "other", 9444);

        assertThat(services.problem("default", "hook", 443)).isNull();
        assertThat(resolved("hook", 443)).containsExactly("10.0.0.2:9443", "10.0.0.3:9543");
        assertThat(resolved("hook", 444)).containsExactly("10.0.0.4:9444");
    }

    @Test
    void endpointsWithoutSlices_areUsed() throws Exception {
        create(SERVICES, """
                {"metadata":{"name":"hook"},"spec":{"ports":[{"port":443,"targetPort":9443}]}}""");
        create("/api/v1/namespaces/default/endpoints", """
                {"metadata":{"name":"hook"},"subsets":[{"addresses":[{"ip":"10.0.0.1"},{"ip":"10.0.0.2"}],
                "notReadyAddresses":[{"ip":"10.0.0.3"}],"ports":[{"port":9443}]}]}""");

        assertThat(services.problem("default", "hook", 443)).isNull();
        assertThat(resolved("hook", 443)).containsExactly("10.0.0.1:9443", "10.0.0.2:9443");
    }

    @Test
    void externalName_hasThePortOfTheReference() throws Exception {
        create(SERVICES, """
                {"metadata":{"name":"hook"},"spec":{"type":"ExternalName","externalName":"localhost"}}""");

        assertThat(services.problem("default", "hook", 7443)).isNull();
        assertThat(resolved("hook", 7443)).containsExactly("localhost:7443");
    }

    @Test
    void givenAddress_replacesEndpoints_butNotTheService() throws Exception {
        assertThat(problem("local", 443)).startsWith("ServiceNotFound: ");
        assertThatThrownBy(() -> services.resolve("default", "local", 443)).hasMessage("service \"local\" not found");
        create(SERVICES, """
                {"metadata":{"name":"local"},"spec":{"ports":[{"name":"a","port":443,"targetPort":9443},
                {"name":"b","port":80},{"name":"c","port":444,"targetPort":"https"}]}}""");

        assertThat(services.problem("default", "local", 443)).isNull();
        assertThat(List.of(resolved("local", 443), resolved("local", 444), resolved("local", 80)))
                .hasToString("[[127.0.0.1:9443], [127.0.0.1:444], [localhost:8080]]");
    }

    @Test
    void change_ofAServiceOrItsEndpoints_isReported() {
        List<String> seen = new ArrayList<>();
        services.onChange(() -> seen.add("changed"));
        create(SERVICES, "{\"metadata\":{\"name\":\"hook\"},\"spec\":{\"ports\":[{\"port\":443}]}}");
        slice("a", "10.0.0.1", true, "", 443);
        assertThat(seen).hasSize(2);
    }
}
