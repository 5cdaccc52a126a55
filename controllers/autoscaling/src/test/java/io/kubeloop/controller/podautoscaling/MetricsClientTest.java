/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.autoscaling.CrossVersionObjectReference;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.controller.discovery.ScaleClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The requests for metrics, and the texts of what goes wrong. */
class MetricsClientTest {

    private static final Selector WEB = LabelSelectors.parse("app=web");
    private static final Selector SERIES = LabelSelectors.parse("q=a");

    private final StubMetricsApi api = new StubMetricsApi();
    private final MetricsClient metrics =
            new MetricsClient(api, new ScaleClient(api), Clock.systemUTC(), Duration.ofSeconds(15));

    private static CrossVersionObjectReference object(String apiVersion, String kind) {
        return new CrossVersionObjectReference(kind, "x", apiVersion, UnknownFields.NONE);
    }

    @Test
    void resource_aPodWhoseContainerHasNoUsage_isMissing() {
        api.serve("metrics.k8s.io/v1beta1/namespaces/ns/pods", """
                {'items':[{'metadata':{'name':'a'},'timestamp':'2026-01-01T00:00:00Z','window':'1m30s',
                'containers':[{'name':'c','usage':{'cpu':'100m'}},{'name':'d','usage':{'cpu':1}}]},
                {'metadata':{'name':'b'},'containers':[{'name':'c','usage':{'cpu':'1'}},{'name':'d',\
                'usage':{'memory':'1'}}]},
                {'metadata':{'name':'n'},'containers':[]}]}""");

        assertThat(metrics.resource("cpu", "ns", WEB, "").values())
                .containsOnlyKeys("a")
                .containsValue(
                        new PodMetrics.Value(Instant.parse("2026-01-01T00:00:00Z"), Duration.ofSeconds(90), 1100));
        assertThat(metrics.resource("cpu", "ns", WEB, "c").values()).containsOnlyKeys("a", "b");
        assertThat(api.requested()).contains("/apis/metrics.k8s.io/v1beta1/namespaces/ns/pods {labelSelector=app=web}");
    }

    @Test
    void pods_selectorsArePassedOn_andTheDefaultWindowIsAMinute() {
        api.serve(
                "custom.metrics.k8s.io/v1beta2/namespaces/ns/pods/*/packets",
                "{'items':[{'describedObject':{'name':'a'},'value':'5'}]}");

        assertThat(metrics.pods("packets", "ns", WEB, SERIES).values().get("a"))
                .isEqualTo(new PodMetrics.Value(Instant.parse("0001-01-01T00:00:00Z"), Duration.ofMinutes(1), 5000));
        assertThat(api.requested())
                .containsExactly(
                        "/apis/custom.metrics.k8s.io/v1beta2/namespaces/ns/pods/*/packets {labelSelector=app=web, "
                                + "metricLabelSelector=q=a}");
    }

    @Test
    void custom_theServerPrefersTheOldVersion_thatIsUsed() {
        api.customVersions("v1beta1", "v1beta2");
        api.serve(
                "custom.metrics.k8s.io/v1beta1/namespaces/ns/pods/*/packets",
                "{'items':[{'describedObject':{'name':'a'},'window':30,'value':'5'}]}");

        assertThat(metrics.pods("packets", "ns", WEB, Selector.EVERYTHING)
                        .values()
                        .get("a")
                        .window())
                .isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void object_ofANamespace_hasAPathOfItsOwn() {
        api.serve("custom.metrics.k8s.io/v1beta2/namespaces/ns/metrics/hits", "{'items':[{'value':'7'}]}");

        assertThat(metrics.object("hits", "ns", object("v1", "Namespace"), Selector.NOTHING))
                .isEqualTo(7000);
    }

    @Test
    void object_noValueOrUnknownKindOrVersion_isReportedInUpstreamsWords() {
        api.serve("custom.metrics.k8s.io/v1beta2/namespaces/ns/services/x/none", "{'items':[]}");

        assertThatThrownBy(() -> metrics.object("none", "ns", object("v1", "Service"), Selector.NOTHING))
                .hasMessage("unable to fetch metrics from custom metrics API: the custom metrics API server returned 0"
                        + " results when we asked for exactly one");
        assertThatThrownBy(() -> metrics.object("hits", "ns", object("a.b/v1", "Nothing"), Selector.NOTHING))
                .hasMessage("unable to fetch metrics from custom metrics API: unable to map kind Nothing.a.b to"
                        + " resource: no matches for kind \"Nothing\" in group \"a.b\"");
        assertThatThrownBy(() -> metrics.object("hits", "ns", object("v1", "Service"), Selector.NOTHING))
                .hasMessage("unable to fetch metrics from custom metrics API: the server could not find the requested"
                        + " resource (get services.custom.metrics.k8s.io x)");
    }

    @Test
    void custom_withoutTheApi_isReportedInUpstreamsWords() {
        api.customVersions();
        assertThatThrownBy(() -> metrics.pods("packets", "ns", WEB, SERIES))
                .hasMessage("unable to fetch metrics from custom metrics API: no custom metrics API"
                        + " (custom.metrics.k8s.io) registered");

        api.customVersions("v9");
        assertThatThrownBy(() -> metrics.pods("packets", "ns", WEB, SERIES))
                .hasMessage(
                        "unable to fetch metrics from custom metrics API: no known available metric versions found");
    }

    @Test
    void external_eachSeriesIsAValue_andNoneIsAnError() {
        api.serve("external.metrics.k8s.io/v1beta1/namespaces/ns/queue", "{'items':[{'value':'7'},{'value':'1500m'}]}");
        api.serve("external.metrics.k8s.io/v1beta1/namespaces/ns/empty", "{'items':[]}");

        assertThat(metrics.external("queue", "ns", SERIES)).containsExactly(7000L, 1500L);
        assertThatThrownBy(() -> metrics.external("empty", "ns", SERIES))
                .hasMessage("no metrics returned from external metrics API");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "503 | service unavailable | the server is currently unable to handle the request (get "
                        + "pods.metrics.k8s.io)",
                "500 | broken | an error on the server (\"broken\") has prevented the request from succeeding (get "
                        + "pods.metrics.k8s.io)",
                "403 | no entry | no entry (get pods.metrics.k8s.io)",
                "401 | who | the server has asked for the client to provide credentials (get pods.metrics.k8s.io)",
                "418 | tea | the server responded with the status code 418 but did not return more information (get "
                        + "pods.metrics.k8s.io)",
                "403 | {'kind':'Status','apiVersion':'v1','status':'Failure','message':'forbidden by "
                        + "rule','reason':'Forbidden','code':403} | forbidden by rule",
            })
    void resource_failures_haveTheTextsOfClientGo(int code, String body, String text) {
        api.fail(code, body);

        assertThatThrownBy(() -> metrics.resource("cpu", "ns", WEB, ""))
                .hasMessage("unable to fetch metrics from resource metrics API: " + text);
    }
}
