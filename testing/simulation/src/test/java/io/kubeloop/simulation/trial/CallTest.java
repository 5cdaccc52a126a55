/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.client.ApiRequest;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallTest {

    @ParameterizedTest
    @CsvSource({
        "GET, /api/v1/namespaces/shop/pods/web, get pods shop/web",
        "GET, /api/v1/namespaces/shop/pods, list pods shop/",
        "GET, /apis/apps/v1/deployments, list deployments.apps",
        "PUT, /apis/example.com/v1/namespaces/shop/sites/a/status, update sites.example.com/status shop/a",
        "DELETE, /api/v1/namespaces/shop, delete namespaces shop",
        "PUT, /api/v1/namespaces/shop/finalize, update namespaces/finalize shop",
        "DELETE, /api/v1/namespaces/shop/pods, delete all pods shop/",
        "PATCH, /api/v1/nodes/n1, patch nodes n1",
    })
    void path_isRead(String method, String path, String words) {
        assertThat(Call.of(ApiRequest.of(method, path, Map.of(), null))).hasToString(words);
    }

    @ParameterizedTest
    @CsvSource({"/version", "/api", "/api/v1", "/apis/apps/v1", "/openapi/v3"})
    void path_withoutAResource_isNoCall(String path) {
        assertThat(Call.of(ApiRequest.get(path, Map.of()))).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "`{\"metadata\":{\"name\":\"a\"}}`, create pods shop/a",
                "`{\"metadata\":{\"generateName\":\"web-\"}}`, create pods shop/web-*",
                "`no json`, create pods shop/",
            })
    void creation_hasTheNameOfItsBody(String body, String words) {
        ApiRequest request = ApiRequest.of(
                "POST",
                "/api/v1/namespaces/shop/pods",
                Map.of(),
                ApiRequest.Body.json(body.getBytes(StandardCharsets.UTF_8)));
        assertThat(Call.of(request)).hasToString(words);
    }
}
