/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.http.BearerTokens;
import io.kubeloop.apiserver.http.HttpApiServer;
import io.kubeloop.apiserver.kinds.AdmissionSelection;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.Requests;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Service accounts in a whole control plane: their creation, the pods that run as them, and their tokens. */
class ServiceAccountTest {

    private static final String POD = "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}]}}";
    private static final String REVIEWS = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

    @Test
    void pod_inANewNamespace_runsAsItsDefaultAccount() {
        try (ControlPlane plane = ControlPlane.builder().start()) {
            Requests requests = new Requests(plane.transport());
            requests.post("/api/v1/namespaces", "{'metadata':{'name':'shop'}}").ok();
            for (String namespace : new String[] {"default", "shop"}) {
                JsonObject spec = requests.post("/api/v1/namespaces/" + namespace + "/pods", POD)
                        .ok()
                        .body()
                        .object("spec");
                assertThat(spec.string("serviceAccountName")).isEqualTo("default");
                assertThat(spec.array("volumes")).hasSize(1);
            }
        }
    }

    @Test
    void pod_withoutTheAdmissionOfAccounts_needsNone() {
        try (ControlPlane plane = ControlPlane.builder()
                .admission(AdmissionSelection.WITHOUT_CONTROLLERS)
                .start()) {
            JsonObject spec = new Requests(plane.transport())
                    .post("/api/v1/namespaces/default/pods", POD)
                    .ok()
                    .body()
                    .object("spec");
            assertThat(spec.has("serviceAccountName")).isFalse();
        }
    }

    @Test
    void token_ofAnAccount_identifiesItOverHttp() throws Exception {
        HttpApiServer.Config config = HttpApiServer.Config.DEFAULT.withTokens(BearerTokens.of(Set.of("fixed")));
        try (ControlPlane plane = ControlPlane.builder().http(config).start()) {
            String token = new Requests(plane.transport())
                    .post("/api/v1/namespaces/default/serviceaccounts/default/token", "{'spec':{}}")
                    .ok()
                    .body()
                    .string("status", "token");

            HttpResponse<String> reviewed = review(plane.uri(), token);
            assertThat(reviewed.statusCode()).isEqualTo(201);
            JsonObject user = JsonObject.parse(reviewed.body()).object("status", "userInfo");
            assertThat(user.string("username")).isEqualTo("system:serviceaccount:default:default");
            assertThat(user.array("groups").strings())
                    .containsExactly(
                            "system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated");
            assertThat(user.string("uid")).isNotEmpty();
            assertThat(user.object("extra").array("authentication.kubernetes.io/credential-id"))
                    .hasSize(1);

            assertThat(review(plane.uri(), "fixed").statusCode()).isEqualTo(201);
            assertThat(review(plane.uri(), token + "x").statusCode()).isEqualTo(401);
        }
    }

    private static HttpResponse<String> review(URI server, String token) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(server.resolve(REVIEWS))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"kind\":\"SelfSubjectReview\",\"apiVersion\":\"authentication.k8s.io/v1\"}"))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }
}
