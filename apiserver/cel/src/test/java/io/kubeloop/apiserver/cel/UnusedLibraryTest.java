/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.kinds.BuiltInKinds;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.testing.OwnJvm;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server on whose class path the module lies, but that has no expression, loads nothing of cel-java. */
@Timeout(60)
class UnusedLibraryTest {

    /** Creates a namespace, whose write passes the webhooks and policies. */
    static final class Program {

        private Program() {}

        public static void main(String... arguments) {
            byte[] body = "{\"metadata\":{\"name\":\"quiet\"}}".getBytes(StandardCharsets.UTF_8);
            ApiRequest request = ApiRequest.of("POST", "/api/v1/namespaces", Map.of(), ApiRequest.Body.json(body));
            try (ApiServer server = ApiServer.builder().build(BuiltInKinds.create())) {
                System.out.println(((ServerResponse.Document) server.handle(request)).code());
            }
        }
    }

    @Test
    void serverWithoutExpressions_loadsNothingOfTheLibrary() throws Exception {
        String output = OwnJvm.run(List.of("-Xlog:class+load"), Program.class);

        assertThat(output.lines()).contains("201");
        assertThat(output)
                .contains(KubernetesCel.class.getName())
                .doesNotContain(" dev.cel.", " com.google.common.", " com.google.protobuf.", " org.antlr.");
    }
}
