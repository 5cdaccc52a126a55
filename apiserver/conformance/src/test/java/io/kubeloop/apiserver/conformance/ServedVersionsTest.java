/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.client.ApiStream;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.Requests;
import io.kubeloop.transport.memory.Requests.Reply;
import io.kubeloop.transport.memory.ServerFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Resources that are served in several versions: the same objects are read and written through each of them. */
class ServedVersionsTest extends ServerFixture {

    private static final String CORE_EVENTS = "/api/v1/namespaces/default/events";
    private static final String EVENTS = "/apis/events.k8s.io/v1/namespaces/default/events";
    private static final String V1 = "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers";
    private static final String V2 = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";

    @Test
    void event_isTheSameInBothGroups() {
        requests.post(
                        EVENTS,
                        "{'metadata':{'name':'e'},'eventTime':'2026-03-01T12:00:00.000000Z','reportingController':"
                                + "'a.b/c',"
                                + "'reportingInstance':'i','action':'Do','reason':'Why','note':'text','type':'Normal',"
                                + "'regarding':{'kind':'Pod','namespace':'default','name':'p'}}")
                .ok();

        JsonObject core = requests.get(CORE_EVENTS + "/e").ok().body();
        assertThat(core.string("apiVersion")).isEqualTo("v1");
        assertThat(core.string("message")).isEqualTo("text");
        assertThat(core.string("involvedObject", "name")).isEqualTo("p");
        assertThat(core.string("reportingComponent")).isEqualTo("a.b/c");

        JsonObject list =
                requests.get(EVENTS + "?fieldSelector=regarding.name=p").ok().body();
        assertThat(list.string("apiVersion")).isEqualTo("events.k8s.io/v1");
        assertThat(list.array("items").objects())
                .extracting(item -> item.string("note"))
                .containsExactly("text");
        assertThat(requests.get(EVENTS + "?fieldSelector=involvedObject.name=p").code())
                .isEqualTo(400);
        assertThat(requests.get(CORE_EVENTS + "?fieldSelector=involvedObject.name=q")
                        .body()
                        .array("items"))
                .isEmpty();

        try (ApiStream watch = requests.watch(EVENTS)) {
            assertThat(Requests.frame(watch).object("object").string("note")).isEqualTo("text");
        }
        // The newer group fixes the text of an event; the older one does not.
        assertThat(requests.send("PATCH", EVENTS + "/e", "application/merge-patch+json", "{'note':'other'}")
                        .code())
                .isEqualTo(422);
        requests.send("PATCH", CORE_EVENTS + "/e", "application/merge-patch+json", "{'message':'other'}")
                .ok();
        assertThat(requests.get(EVENTS + "/e").body().string("note")).isEqualTo("other");
        requests.delete(CORE_EVENTS + "/e").ok();
        assertThat(requests.get(EVENTS + "/e").code()).isEqualTo(404);
    }

    @Test
    void autoscaler_metricsSurviveVersion1() {
        requests.post(
                        V2,
                        "{'metadata':{'name':'h'},'spec':{'maxReplicas':3,'scaleTargetRef':{'kind':'Deployment',"
                                + "'name':'d',"
                                + "'apiVersion':'apps/v1'},'metrics':[{'type':'Resource','resource':{'name':'cpu',"
                                + "'target':"
                                + "{'type':'Utilization','averageUtilization':50}}},{'type':'Pods','pods':{'metric':"
                                + "{'name':"
                                + "'rate'},'target':{'type':'AverageValue','averageValue':'10'}}}],'behavior':{"
                                + "'scaleDown':"
                                + "{'stabilizationWindowSeconds':60}}}}")
                .ok();

        JsonObject v1 = requests.get(V1 + "/h").ok().body();
        assertThat(v1.number("spec", "targetCPUUtilizationPercentage")).isEqualTo(50);
        assertThat(v1.string("metadata", "annotations", "autoscaling.alpha.kubernetes.io/metrics"))
                .isEqualTo("[{\"type\":\"Pods\",\"pods\":{\"metricName\":\"rate\",\"targetAverageValue\":\"10\"}}]");

        Reply updated = requests.put(
                        V1 + "/h", v1.with("spec", v1.object("spec").with("maxReplicas", 5)))
                .ok();
        assertThat(updated.body().number("spec", "maxReplicas")).isEqualTo(5);
        JsonObject v2 = requests.get(V2 + "/h").ok().body();
        assertThat(v2.number("spec", "maxReplicas")).isEqualTo(5);
        assertThat(v2.array("spec", "metrics").objects())
                .extracting(metric -> metric.string("type"))
                .containsExactly("Pods", "Resource");
        assertThat(v2.number("spec", "behavior", "scaleDown", "stabilizationWindowSeconds"))
                .isEqualTo(60);
        assertThat(v2.object("metadata").has("annotations")).isFalse();
    }

    @Test
    void autoscaler_withoutMetrics_hasADefault() {
        requests.post(
                        V1,
                        "{'metadata':{'name':'h'},'spec':{'maxReplicas':3,'scaleTargetRef':{'kind':'Deployment',"
                                + "'name':'d',"
                                + "'apiVersion':'apps/v1'}}}")
                .ok();

        assertThat(requests.get(V2 + "/h").ok().body().array("spec", "metrics").objects())
                .extracting(metric -> metric.number("resource", "target", "averageUtilization"))
                .containsExactly(80L);
    }

    private static final String BEHAVIOR = "autoscaling.alpha.kubernetes.io/behavior";

    /** The annotation is that of kube-apiserver 1.36.3, which writes a type without JSON names. */
    @Test
    void behaviorOfAnAutoscaler_hasAllFieldsOfGoInVersion1() {
        requests.post(
                        V2,
                        "{'metadata':{'name':'h'},'spec':{'maxReplicas':3,'scaleTargetRef':{'kind':'Deployment',"
                                + "'name':'d',"
                                + "'apiVersion':'apps/v1'},'behavior':{'scaleUp':{'stabilizationWindowSeconds':5,"
                                + "'tolerance':'0.1','policies':[{'type':'Pods','value':2,'periodSeconds':15}]},"
                                + "'scaleDown':{'selectPolicy':'Disabled'}}}}")
                .ok();

        assertThat(requests.get(V1 + "/h").ok().body().string("metadata", "annotations", BEHAVIOR))
                .isEqualTo(
                        ("{'ScaleUp':{'StabilizationWindowSeconds':5,'SelectPolicy':'Max','Policies':[{'Type':'Pods',"
                                        + "'Value':2,'PeriodSeconds':15}],'Tolerance':'100m'},'ScaleDown':{"
                                        + "'StabilizationWindowSeconds':null,'SelectPolicy':'Disabled','Policies':["
                                        + "{'Type':"
                                        + "'Percent','Value':100,'PeriodSeconds':15}],'Tolerance':null}}")
                                .replace('\'', '"'));
    }

    private Reply annotated(String behavior) {
        return requests.post(
                V1,
                "{'metadata':{'name':'g','annotations':{'" + BEHAVIOR + "':'" + behavior.replace("'", "\\'")
                        + "'}},'spec':{'maxReplicas':3,'scaleTargetRef':{'kind':'Deployment','name':'d',"
                        + "'apiVersion':'apps/v1'}}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"junk", "{}", "null", "{'ScaleUp':{'StabilizationWindowSeconds':'7'}}", "{'ScaleUp':[]}"})
    void annotationThatIsNoBehavior_isIgnored(String annotation) {
        annotated(annotation).ok();

        assertThat(requests.get(V2 + "/g").ok().body().object("spec").has("behavior"))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'ScaleUp':{'StabilizationWindowSeconds':10}} | scaleUp",
                "{'ScaleUp':{'Policies':[]}} | scaleUp",
                "{'ScaleDown':{}} | scaleDown"
            },
            quoteCharacter = '`')
    void rulesInAnAnnotation_needPolicies(String annotation, String direction) {
        Reply reply = annotated(annotation);

        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.body().string("message"))
                .isEqualTo("HorizontalPodAutoscaler.autoscaling \"g\" is invalid: spec.behavior." + direction
                        + ".policies: Required value: must specify at least one Policy");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ScaleUp", "scaleUp", "SCALEUP"})
    void behaviorInAnAnnotation_isReadInAnyCase(String name) {
        annotated("{'" + name
                        + "':{'x':1,'stabilizationwindowseconds':7,'Policies':[{'type':'Pods','VALUE':2,"
                        + "'PeriodSeconds':"
                        + "15}],'SelectPolicy':'Max'}}")
                .ok();

        JsonObject up = requests.get(V2 + "/g").ok().body().object("spec", "behavior", "scaleUp");
        assertThat(up.number("stabilizationWindowSeconds")).isEqualTo(7);
        assertThat(up.array("policies")).hasToString("[{\"type\":\"Pods\",\"value\":2,\"periodSeconds\":15}]");
    }
}
