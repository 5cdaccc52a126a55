/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.Requests.Reply;
import io.kubeloop.transport.memory.ServerFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Limit ranges as kube-apiserver v1.36.3 validates them, and as its admission plugin LimitRanger applies them to
 * pods.
 */
class LimitRangeFidelityTest extends ServerFixture {

    private static final String LIMITS = "/api/v1/namespaces/default/limitranges";

    private Reply limitRange(String name, String items) {
        return requests.post(LIMITS, "{'metadata':{'name':'" + name + "'},'spec':{'limits':[" + items + "]}}");
    }

    private JsonObject limit(String items) {
        return limitRange("l", items)
                .ok()
                .body()
                .array("spec", "limits")
                .objects()
                .toList()
                .get(0);
    }

    private Reply pod(String containers) {
        return requests.post(PODS, "{'metadata':{'name':'p'},'spec':{'containers':[" + containers + "]}}");
    }

    private static String container(String name, String resources) {
        return "{'name':'" + name + "','image':'i','resources':{" + resources + "}}";
    }

    private static JsonObject json(String text) {
        return JsonObject.parse(text.replace('\'', '"'));
    }

    private static JsonObject resources(Reply pod, String list, int index) {
        return pod.body().array("spec", list).objects().toList().get(index).object("resources");
    }

    private static String note(Reply pod) {
        return pod.body().string("metadata", "annotations", "kubernetes.io/limit-ranger");
    }

    @Test
    void create_ofContainers_defaultsLimitsToTheMostAndRequestsToLimitsOrTheLeast() {
        assertThat(limit("{'type':'Container','max':{'cpu':2,'memory':'1Gi'},'min':{'ephemeral-storage':'1Mi'},"
                        + "'default':{'cpu':'500m'}}"))
                .isEqualTo(
                        json("{'type':'Container','max':{'cpu':'2','memory':'1Gi'},'min':{'ephemeral-storage':'1Mi'},"
                                + "'default':{'cpu':'500m','memory':'1Gi'},"
                                + "'defaultRequest':{'cpu':'500m','memory':'1Gi','ephemeral-storage':'1Mi'}}"));
    }

    @Test
    void create_withAmountsThatAreTooFine_roundsThemUp() {
        assertThat(limit("{'type':'Pod','max':{'cpu':'100n','memory':'1.0005'}}"))
                .isEqualTo(json("{'type':'Pod','max':{'cpu':'1m','memory':'1001m'}}"));
    }

    @Test
    void create_ofPods_defaultsNothing() {
        assertThat(limit("{'type':'Pod','max':{'cpu':2}}")).isEqualTo(json("{'type':'Pod','max':{'cpu':'2'}}"));
    }

    @Test
    void create_withoutAName_isNamedByTheServer() {
        JsonObject created =
                requests.post(LIMITS, "{'spec':{'limits':[]}}").ok().body();
        assertThat(created.string("metadata", "name")).hasSize(36);
    }

    @Test
    void update_ofWhatIsNotThere_createsIt() {
        assertThat(requests.put(LIMITS + "/l", json("{'metadata':{'name':'l'},'spec':{'limits':[]}}"))
                        .code())
                .isEqualTo(201);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'type':'Node' | type: Invalid value: \"Node\": must be a standard limit type or fully qualified",
                "'type':'Pod','default':{'cpu':1} | default: Forbidden: may not be specified when `type` is 'Pod'",
                "'type':'PersistentVolumeClaim' | limits: Required value: either minimum or maximum storage value is "
                        + "required, but neither was provided",
                "'type':'PersistentVolumeClaim','min':{'storage':1,'apples':1} | min[apples]: Invalid value: "
                        + "\"apples\": must be a standard resource type or fully qualified",
                "'type':'Pod','min':{'pods':1} | min[pods]: Invalid value: \"pods\": must be a standard resource for "
                        + "containers",
                "'type':'Pod','min':{'requests.a.b/c':1} | min[requests.a.b/c]: Invalid value: \"requests.a.b/c\": "
                        + "doesn't follow extended resource name standard",
                "'type':'Pod','min':{'cpu':'2'},'max':{'cpu':'1'} | min[cpu]: Invalid value: \"2\": min value 2 is "
                        + "greater than max value 1",
                "'type':'Container','min':{'cpu':'2'},'defaultRequest':{'cpu':'1'} | defaultRequest[cpu]: Invalid "
                        + "value: \"1\": min value 2 is greater than default request value 1",
                "'type':'Container','default':{'cpu':'1'},'defaultRequest':{'cpu':'2'} | defaultRequest[cpu]: Invalid "
                        + "value: \"2\": default request value 2 is greater than default limit value 1",
                "'type':'Container','max':{'cpu':'1'},'default':{'cpu':'2'},'defaultRequest':{'cpu':'1'} | default["
                        + "cpu]: Invalid value: \"1\": default value 2 is greater than max value 1",
                "'type':'Pod','maxLimitRequestRatio':{'cpu':'900m'} | maxLimitRequestRatio[cpu]: Invalid value: "
                        + "\"900m\": ratio 900m is less than 1",
                "'type':'Pod','min':{'cpu':'300m'},'max':{'cpu':'1'},'maxLimitRequestRatio':{'cpu':'4'} | "
                        + "maxLimitRequestRatio[cpu]: Invalid value: \"4\": ratio 4 is greater than max/min = 3.333333",
                "'type':'Container','default':{'a.b/c':2},'defaultRequest':{'a.b/c':1} | defaultRequest[a.b/c]: "
                        + "Invalid value: \"1\": default value 2 must equal to defaultRequest value 1 in a.b/c",
            })
    void create_thatMakesNoSense_isInvalidInUpstreamsWords(String item, String complaint) {
        Reply refused = limitRange("l", "{" + item + "}");

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).isEqualTo("LimitRange \"l\" is invalid: spec.limits[0]." + complaint);
    }

    @Test
    void create_withNothingForAnItem_isAnItemWithoutAType() {
        assertThat(limitRange("l", "null").message()).startsWith("LimitRange \"l\" is invalid: [spec.limits[0].type:");
    }

    @Test
    void create_withATypeTwice_isInvalid() {
        assertThat(limitRange("l", "{'type':'Pod'},{'type':'Pod'}").message())
                .isEqualTo("LimitRange \"l\" is invalid: spec.limits[1].type: Duplicate value: \"Pod\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            'max':{'cpu':'lots'}
            'max':{'cpu':{}}
            'max':'1'
            'type':1
            """)
    void create_withValuesOfTheWrongType_isABadRequest(String item) {
        assertThat(limitRange("l", "{" + item + "}").code()).isEqualTo(400);
    }

    @Test
    void pod_thatAsksForNothing_getsTheDefaultsAndANote() {
        limit("{'type':'Container','default':{'cpu':'500m','memory':'1Gi'},'defaultRequest':{'cpu':'100m'}}");

        Reply pod = requests.post(
                PODS,
                "{'metadata':{'name':'p'},'spec':{'containers':[" + container("a", "") + ","
                        + container("b", "'limits':{'cpu':'1','memory':'2Gi'}") + "],'initContainers':["
                        + container("i", "'limits':{'cpu':'200m'}") + "]}}");

        assertThat(resources(pod, "containers", 0))
                .isEqualTo(json("{'requests':{'cpu':'100m','memory':'1Gi'},'limits':{'cpu':'500m','memory':'1Gi'}}"));
        assertThat(resources(pod, "containers", 1))
                .isEqualTo(json("{'limits':{'cpu':'1','memory':'2Gi'},'requests':{'cpu':'1','memory':'2Gi'}}"));
        assertThat(resources(pod, "initContainers", 0))
                .isEqualTo(json("{'limits':{'cpu':'200m','memory':'1Gi'},'requests':{'cpu':'200m','memory':'1Gi'}}"));
        assertThat(note(pod))
                .isEqualTo("LimitRanger plugin set: cpu, memory request for container a; cpu, memory limit for"
                        + " container a; memory request for init container i; memory limit for init container i");
        assertThat(pod.body().string("status", "qosClass")).isEqualTo("Burstable");
    }

    @Test
    void pod_thatSaysEverything_isLeftAlone() {
        limit("{'type':'Container','default':{'cpu':'500m'}}");
        Reply pod = pod(container("a", "'limits':{'cpu':'1'}")).ok();
        assertThat(pod.body().object("metadata").has("annotations")).isFalse();
    }

    @Test
    void pod_whoseRequestIsBeyondTheDefaultLimit_isInvalid() {
        limit("{'type':'Container','default':{'cpu':'500m'}}");
        Reply refused = pod(container("a", "'requests':{'cpu':'1'}"));
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("must be less than or equal to cpu limit of 500m");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'type':'Container','min':{'cpu':'1'} | 'requests':{'cpu':'500m'} | minimum cpu usage per Container "
                        + "is 1, but request is 500m",
                "'type':'Container','max':{'cpu':'1'} | 'limits':{'cpu':'2'} | maximum cpu usage per Container is 1, "
                        + "but limit is 2",
                "'type':'Container','maxLimitRequestRatio':{'cpu':'2'} | 'requests':{'cpu':'300m'},'limits':{'cpu':"
                        + "'1'} | cpu max limit to request ratio per Container is 2, but provided ratio is 3.333333",
                "'type':'Container','maxLimitRequestRatio':{'cpu':'2'} | 'limits':{'memory':'1'} | cpu max limit to "
                        + "request ratio per Container is 2, but no request is specified or request is 0",
                "'type':'Container','maxLimitRequestRatio':{'cpu':'2'} | 'requests':{'cpu':'1'} | cpu max limit to "
                        + "request ratio per Container is 2, but no limit is specified or limit is 0",
                "'type':'Pod','min':{'memory':'1Gi'} | 'requests':{'cpu':'1'} | minimum memory usage per Pod is 1Gi.  "
                        + "No request is specified",
                "'type':'Pod','max':{'memory':'1Gi'} | 'requests':{'memory':'1'} | maximum memory usage per Pod is "
                        + "1Gi.  No limit is specified",
                "'type':'Pod','max':{'memory':'1Gi','cpu':'1'} | 'limits':{'memory':'2Gi','cpu':'1500m'} | [maximum "
                        + "cpu usage per Pod is 1, but limit is 1500m, maximum memory usage per Pod is 1Gi, but "
                        + "limit is 2Gi]",
            })
    void pod_beyondALimit_isForbiddenInUpstreamsWords(String item, String requested, String complaint) {
        limit("{" + item + "}");

        Reply refused = pod(container("a", requested));

        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.body().string("reason")).isEqualTo("Forbidden");
        assertThat(refused.message()).isEqualTo("pods \"p\" is forbidden: " + complaint);
    }

    @Test
    void pod_isLimitedByTheSumOfItsContainers_eachContainerByItself() {
        limit("{'type':'Container','max':{'cpu':'1'}},{'type':'Pod','max':{'cpu':'1500m'}}");
        String one = "'limits':{'cpu':'800m'}";
        assertThat(pod(container("a", one) + "," + container("b", one)).message())
                .isEqualTo("pods \"p\" is forbidden: maximum cpu usage per Pod is 1500m, but limit is 1600m");
    }

    @Test
    void pod_beyondALimitAndAQuota_isToldOfTheLimit_andOfItBeforeItsNameIsTaken() {
        pod(container("a", "'limits':{'cpu':'2'}")).ok();
        limit("{'type':'Container','max':{'cpu':'1'}}");
        assertThat(pod(container("a", "'limits':{'cpu':'2'}")).code()).isEqualTo(403);
        assertThat(pod(container("a", "")).code()).isEqualTo(409);
    }

    @Test
    void pod_underSeveralLimitRanges_isFilledInByTheFirst() {
        limitRange("b", "{'type':'Container','default':{'cpu':'2','memory':'1Gi'}}")
                .ok();
        limitRange("a", "{'type':'Container','default':{'cpu':'1'}}").ok();

        Reply pod = pod(container("c", ""));

        assertThat(resources(pod, "containers", 0).object("limits")).isEqualTo(json("{'cpu':'1','memory':'1Gi'}"));
        assertThat(note(pod))
                .isEqualTo("LimitRanger plugin set: memory request for container c; memory limit for container c");
    }

    @Test
    void pod_thatIsThere_isNotChecked_norAreOtherKinds() {
        createPod("before");
        limit("{'type':'Container','max':{'cpu':'1'}}");
        requests.send("PATCH", PODS + "/before", "application/merge-patch+json", "{'metadata':{'labels':{'a':'b'}}}")
                .ok();
        requests.post(REPLICA_SETS, replicaSet("rs", "")).ok();
    }

    @Test
    void pod_ofAnotherNamespace_isNotLimited() {
        requests.post("/api/v1/namespaces", "{'metadata':{'name':'default2'}}").ok();
        requests.post(
                        LIMITS.replace("default", "default2"),
                        "{'metadata':{'name':'l'},'spec':{'limits':[{'type':'Pod','max':{'cpu':'1'}}]}}")
                .ok();
        createPod("free");
    }

    @Test
    void claims_mustBeWithinTheLimits() {
        limit("{'type':'PersistentVolumeClaim','min':{'storage':'1Gi'},'max':{'storage':'2Gi'}}");
        String claims = "/api/v1/namespaces/default/persistentvolumeclaims";
        String claim = "{'metadata':{'name':'c'},'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{"
                + "'storage':'%s'}}}}";
        assertThat(requests.post(claims, String.format(claim, "1Mi")).message())
                .isEqualTo("persistentvolumeclaims \"c\" is forbidden: minimum storage usage per PersistentVolumeClaim "
                        + "is 1Gi, but request is 1Mi");
        assertThat(requests.post(claims, String.format(claim, "3Gi")).message())
                .isEqualTo("persistentvolumeclaims \"c\" is forbidden: maximum storage usage per PersistentVolumeClaim "
                        + "is 2Gi, but request is 3Gi");
        requests.post(claims, String.format(claim, "2Gi")).ok();
    }
}
