/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.kinds.BuiltInKinds;
import io.kubeloop.apiserver.rest.RestStrategy;
import io.kubeloop.apiserver.rest.RestStrategy.Origin;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The client that a certificate signing request states, as kube-apiserver 1.36.3 does. */
class CertificateRequestClientTest {

    private static final JsonObject FORGED = JsonObject.parse("""
                    {"metadata":{"name":"a"},"spec":{"signerName":"example.com/a","username":"forged","uid":"forged",
                    "groups":["forged"],"extra":{"forged":["x"]}}}""");

    private static JsonObject specOf(UserInfo client) {
        RestStrategy strategy = BuiltInKinds.create().definitions().stream()
                .filter(kind -> kind.resource().type().plural().equals("certificatesigningrequests"))
                .findFirst()
                .orElseThrow()
                .strategy();
        return strategy.signed(FORGED, null, Part.MAIN, new Origin(client, "")).object("spec");
    }

    @Test
    void newRequest_namesItsClient() {
        UserInfo client = new UserInfo(
                "user1", "abc123", List.of("group1", "group2"), Map.of("key1", List.of("hello there", "one,two")));
        assertThat(specOf(client)).isEqualTo(JsonObject.parse("""
                {"signerName":"example.com/a","username":"user1","uid":"abc123","groups":["group1","group2"],
                "extra":{"key1":["hello there","one,two"]}}"""));
    }

    @Test
    void newRequest_keepsNothingThatItsClientDoesNotHave() {
        UserInfo client = new UserInfo("user1", "", List.of("group1"), Map.of());
        assertThat(specOf(client)).isEqualTo(JsonObject.parse("""
                {"signerName":"example.com/a","username":"user1","groups":["group1"]}"""));
    }
}
