/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.Transport;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ApiCatalogTest {

    /** A server of fixed documents. */
    private record Documents(Map<String, String> byPath) implements Transport {

        @Override
        public ApiResponse execute(ApiRequest request) {
            String found = byPath.get(request.path());
            String body = found == null
                    ? "{'kind':'Status','apiVersion':'v1','status':'Failure','message':'broken','code':503}"
                    : found;
            return new ApiResponse(
                    found == null ? 503 : 200,
                    Map.of("content-type", List.of(ApiRequest.JSON)),
                    new ByteArrayInputStream(body.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
        }

        @Override
        public ApiStream stream(ApiRequest request) {
            throw new UnsupportedOperationException("discovery has no streams");
        }

        @Override
        public void close() {}
    }

    private static final String PODS = "{'resource':'pods','responseKind':{'group':'','version':'v1','kind':'Pod'},"
            + "'scope':'Namespaced','verbs':['list','watch','delete'],'subresources':[{'subresource':'status'}]}";

    private static String widgets(String version) {
        return "{'version':'" + version + "','freshness':'Current','resources':[{'resource':'widgets','responseKind':"
                + "{'group':'x','version':'" + version + "','kind':'Widget'},'scope':'Cluster','verbs':['list']}]}";
    }

    @Test
    void read_aggregatedDocuments_prefersTheFirstVersion_andNamesStaleGroups() {
        ApiCatalog catalog = new DiscoveryReader(new Documents(Map.of(
                        "/api",
                        "{'items':[{'metadata':{},'versions':[{'version':'v1','freshness':'Current',"
                                + "'resources':["
                                + PODS + "]}]}]}",
                        "/apis",
                        "{'items':[{'metadata':{'name':'x'},'versions':[" + widgets("v2") + ","
                                + widgets("v1")
                                + "]},{'metadata':{'name':'metrics.k8s.io'},"
                                + "'versions':[{'version':'v1beta1','freshness':'Stale'}]}]}")))
                .read();

        assertThat(catalog.preferred().stream()
                        .map(entry ->
                                entry.type().apiVersion() + "/" + entry.type().plural()))
                .containsExactly("v1/pods", "x/v2/widgets");
        ApiCatalog.Entry old = catalog.ofKind("x/v1", "Widget");
        assertThat(old).isNotNull();
        assertThat(old.type().isNamespaced()).isFalse();
        assertThat(catalog.ofKind("x/v3", "Widget")).isNull();
        assertThat(catalog.ofKind("x/v1", "widget")).isSameAs(old);
        assertThat(catalog.ofKind("x/v1", "WIDGET")).isNull();
        assertThat(path(catalog, "x/v1", "WidgetList")).isEqualTo("x/v1/widgetlists CLUSTER");
        assertThat(path(catalog, "v1", "PodList")).isEqualTo("v1/podlists NAMESPACED");
        assertThat(path(catalog, "v1", "List")).isEqualTo("v1/lists CLUSTER");
        assertThat(catalog.ofKind("v1", "podlist")).isNull();
        assertThat(catalog.failureText())
                .isEqualTo("unable to retrieve the complete list of server APIs: metrics.k8s.io/v1beta1: stale "
                        + "GroupVersion"
                        + " discovery: metrics.k8s.io/v1beta1");
    }

    private static String path(ApiCatalog catalog, String apiVersion, String kind) {
        var type = Objects.requireNonNull(catalog.ofKind(apiVersion, kind)).type();
        return type.apiVersion() + "/" + type.plural() + (type.isNamespaced() ? " NAMESPACED" : " CLUSTER");
    }

    @Test
    void read_serverWithoutAggregatedDocuments_readsEachVersion_andSkipsABrokenOne() {
        ApiCatalog catalog = new DiscoveryReader(new Documents(Map.of(
                        "/api",
                        "{'kind':'APIVersions','versions':['v1']}",
                        "/api/v1",
                        "{'resources':[{'name':'pods','kind':'Pod','namespaced':true,'verbs':['list','watch',"
                                + "'delete']},"
                                + "{'name':'pods/status','kind':'Pod','namespaced':true,'verbs':['get']}]}",
                        "/apis",
                        "{'kind':'APIGroupList','groups':[{'name':'x','versions':[{'version':'v1'}],'preferredVersion':"
                                + "{'version':'v1'}}]}")))
                .read();

        assertThat(catalog.resources()).singleElement().satisfies(pods -> {
            assertThat(pods.type().plural()).isEqualTo("pods");
            assertThat(pods.supports("list", "delete")).isTrue();
            assertThat(pods.supports("deletecollection")).isFalse();
        });
        assertThat(catalog.failures()).containsOnlyKeys("x/v1");
    }

    @Test
    void reader_sameAggregatedDocuments_keepsItsCatalog_untilOneChanges() {
        Map<String, String> documents = new HashMap<>(Map.of(
                "/api",
                "{'items':[]}",
                "/apis",
                "{'items':[{'metadata':{'name':'x'},'versions':[" + widgets("v1") + "]}]}"));
        DiscoveryReader reader = new DiscoveryReader(new Documents(documents));
        ApiCatalog first = reader.read();

        assertThat(reader.read()).isSameAs(first);
        documents.put("/apis", "{'items':[{'metadata':{'name':'x'},'versions':[" + widgets("v2") + "]}]}");
        assertThat(reader.read().ofKind("x/v2", "Widget")).isNotNull();
        assertThat(reader.read().ofKind("x/v1", "Widget")).isNull();
    }

    @Test
    void reader_withoutAggregatedDocuments_readsTheVersionsAgain() {
        Map<String, String> documents = new HashMap<>(Map.of(
                "/api", "{'kind':'APIVersions','versions':['v1']}", "/apis", "{'kind':'APIGroupList','groups':[]}"));
        DiscoveryReader reader = new DiscoveryReader(new Documents(documents));
        assertThat(reader.read().resources()).isEmpty();

        documents.put("/api/v1", "{'resources':[{'name':'pods','kind':'Pod','namespaced':true,'verbs':['list']}]}");
        assertThat(reader.read().resources()).hasSize(1);
        assertThat(reader.read().resources()).hasSize(1);
    }

    @Test
    void withFailedOf_keepsTheResourcesOfFailedVersions() {
        ApiCatalog before = new DiscoveryReader(new Documents(Map.of(
                        "/api",
                        "{'items':[]}",
                        "/apis",
                        "{'items':[{'metadata':{'name':'x'},'versions':[" + widgets("v1") + "]}]}")))
                .read();
        ApiCatalog now = new DiscoveryReader(new Documents(Map.of(
                        "/api",
                        "{'items':[]}",
                        "/apis",
                        "{'items':[{'metadata':{'name':'x'},'versions':[{'version':'v1','freshness':'Stale'}]}]}")))
                .read();

        assertThat(now.ofKind("x/v1", "Widget")).isNull();
        assertThat(now.withFailedOf(before).ofKind("x/v1", "Widget")).isNotNull();
    }
}
