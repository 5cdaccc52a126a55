/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.Requests.Reply;
import io.kubeloop.transport.memory.ServerFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests that kube-apiserver rejects and that the recorded conversations do not cover, such as bodies that do not
 * match the path.
 */
class RefusalFidelityTest extends ServerFixture {

    private static final String MERGE = "application/merge-patch+json";

    @Test
    void deletion_withABodyThatIsNoDeleteOptions_deletesNothing() {
        createConfigMap("a", "");
        assertThat(requests.delete(CONFIG_MAPS + "/a", "{'kind':'Pod','apiVersion':'v1'}")
                        .code())
                .isEqualTo(400);
        assertThat(requests.get(CONFIG_MAPS + "/a").code()).isEqualTo(200);
    }

    /** Go's absent list is null, and an empty one is not. */
    @ParameterizedTest
    @CsvSource({"'',null", "',''versions'':[]',[]"})
    void definition_withoutVersions_isShownAsItWasSent(String versions, String shown) {
        Reply refused = requests.post(
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                "{'metadata':{'name':'nuts.example.com'},'spec':{'group':'example.com','scope':'Cluster','names':"
                        + "{'plural':'nuts','kind':'Nut'}" + versions + "}}");

        assertThat(refused.message())
                .contains("spec.versions: Invalid value: " + shown
                        + ": must have exactly one version marked as storage version");
    }

    @ParameterizedTest
    @CsvSource({
        "POST,   CreateOptions, ''",
        "PUT,    UpdateOptions, /a",
        "PATCH,  PatchOptions,  /a",
        "DELETE, DeleteOptions, /a",
        "DELETE, DeleteOptions, ''"
    })
    void dryRun_ofAnUnknownKind_isRefusedAndNothingDone(String method, String kind, String path) {
        createConfigMap("a", "");
        String type = method.equals("PATCH") ? MERGE : "application/json";
        String body = method.equals("DELETE") ? null : "{'metadata':{'name':'a'}}";

        Reply refused = requests.send(method, CONFIG_MAPS + path + "?dryRun=Some", type, body);

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .isEqualTo(kind
                        + ".meta.k8s.io \"\" is invalid: dryRun: Unsupported value: [\"Some\"]: supported "
                        + "values: \"All\"");
        assertThat(requests.get(CONFIG_MAPS + "/a").code()).isEqualTo(200);
    }

    @Test
    void dryRun_ofAnUnknownKindInTheBody_isRefused() {
        createConfigMap("a", "");
        assertThat(requests.delete(CONFIG_MAPS + "/a", "{'dryRun':['Some']}").code())
                .isEqualTo(422);
        assertThat(requests.get(CONFIG_MAPS + "/a").code()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'kind':'Pod','metadata':{'name':'a'},'spec':{'replicas':3}}         | 400",
                "{'metadata':{'name':'a','namespace':'other'},'spec':{'replicas':3}}  | 400",
                "{'metadata':{'name':'a','uid':'nobody'},'spec':{'replicas':3}}       | 409"
            })
    void scale_ofSomethingElse_isRefused(String scale, int code) {
        requests.post(REPLICA_SETS, replicaSet("a", "")).ok();
        assertThat(requests.send("PUT", REPLICA_SETS + "/a/scale", scale).code())
                .isEqualTo(code);
        assertThat(requests.get(REPLICA_SETS + "/a").body().number("spec", "replicas"))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"binding, Binding", "eviction, Eviction"})
    void bindingOrEviction_ofAnotherPod_isRefused(String subresource, String kind) {
        createPod("a");
        Reply refused = requests.post(
                PODS + "/a/" + subresource, "{'metadata':{'name':'b'},'target':{'kind':'Node','name':'n'}}");

        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message()).isEqualTo("name in URL does not match name in " + kind + " object");
        assertThat(requests.get(PODS + "/a").code()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "service-account-token | {}                    | metadata.annotations["
                        + "kubernetes.io/service-account.name]: Required value",
                "dockercfg             | {}                    | data[.dockercfg]: Required value",
                "dockerconfigjson      | {}                    | data[.dockerconfigjson]: Required value",
                "dockerconfigjson      | {'.dockerconfigjson':'Ww=='} | <secret contents redacted>",
                "basic-auth            | {}                    | data[username]: Required value",
                "ssh-auth              | {'ssh-privatekey':''} | data[ssh-privatekey]: Required value",
                "tls                   | {'tls.crt':''}        | data[tls.key]: Required value"
            })
    void secret_withoutWhatItsTypeNeeds_isRefused(String type, String data, String problem) {
        Reply refused = requests.post(
                SECRETS, "{'metadata':{'name':'a'},'type':'kubernetes.io/" + type + "','data':" + data + "}");

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).startsWith("Secret \"a\" is invalid: ").contains(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dockercfg        | {'.dockercfg':'e30='}",
                "basic-auth       | {'password':''}",
                "tls              | {'tls.crt':'','tls.key':''}",
                "of-somebody-else | {}"
            })
    void secret_withWhatItsTypeNeeds_isTaken(String type, String data) {
        requests.post(SECRETS, "{'metadata':{'name':'a'},'type':'kubernetes.io/" + type + "','data':" + data + "}")
                .ok();
    }

    @Test
    void configMapOrSecret_ofMoreThanAMebibyte_isRefused() {
        String half = "x".repeat(1 << 19);
        String texts = "'data':{'a':'" + half + "','b':'" + half + "'}";
        requests.post(CONFIG_MAPS, "{'metadata':{'name':'fits'}," + texts + "}").ok();

        Reply configMap =
                requests.post(CONFIG_MAPS, "{'metadata':{'name':'a'}," + texts + ",'binaryData':{'c':'eA=='}}");
        Reply secret = requests.post(SECRETS, "{'metadata':{'name':'a'},'stringData':{'a':'" + half + half + "x'}}");

        assertThat(configMap.code()).isEqualTo(422);
        assertThat(configMap.message())
                .isEqualTo("ConfigMap \"a\" is invalid: []: Too long: may not be more than 1048576 bytes");
        assertThat(secret.code()).isEqualTo(422);
        assertThat(secret.message())
                .isEqualTo("Secret \"a\" is invalid: data: Too long: may not be more than 1048576 bytes");
    }

    @Test
    void configMap_withOneKeyTwice_isRefused() {
        Reply refused =
                requests.post(CONFIG_MAPS, "{'metadata':{'name':'a'},'data':{'k':'v'},'binaryData':{'k':'eA=='}}");

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("data[k]: Invalid value: \"k\": duplicate of key present in binaryData");
    }

    /** A typed client could not decode any list that contains such an object. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                ",'minReadySeconds':'10'",
                ",'replicas':99999999999",
                ",'replicas':1.5",
            })
    void valueOfAnotherType_isRefusedAtCreation(String spec) {
        assertThat(requests.post(REPLICA_SETS, replicaSet("a", spec)).code()).isEqualTo(400);
        assertThat(requests.get(REPLICA_SETS + "/a").code()).isEqualTo(404);
    }

    @Test
    void valueOfAnotherType_isRefusedInUpdatesAndPatches() {
        JsonObject set = requests.post(REPLICA_SETS, replicaSet("a", "")).ok().body();
        JsonObject wrong = set.with(java.util.List.of("spec", "minReadySeconds"), "10");

        assertThat(requests.put(REPLICA_SETS + "/a", wrong).code()).isEqualTo(400);
        assertThat(requests.send("PATCH", REPLICA_SETS + "/a", MERGE, "{'spec':{'minReadySeconds':'10'}}")
                        .code())
                .isEqualTo(422);
        assertThat(requests.send("PATCH", REPLICA_SETS + "/a/status", MERGE, "{'status':{'replicas':'1'}}")
                        .code())
                .isEqualTo(422);
        assertThat(requests.get(REPLICA_SETS + "/a").body()).isEqualTo(set);
    }

    @Test
    void configMap_whoseValuesAreNoText_isRefused() {
        Reply refused = requests.post(CONFIG_MAPS, "{'metadata':{'name':'a'},'data':{'port':8080}}");
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message())
                .isEqualTo("ConfigMap in version \"v1\" cannot be handled as a ConfigMap: json: cannot unmarshal number"
                        + " into Go struct field ConfigMap.data of type string");
    }

    @ParameterizedTest
    @CsvSource({
        "%%%,      0",
        "eA,       0",
        "abcd%fgh, 4",
        "abcde,    4",
        "ab=c,     2",
        "YQ==YQ==, 4",
        "=,        0",
        "eA= =,    2",
        "eA=,      3",
    })
    void bytes_thatAreNoBase64_areRefusedAsUnreadable(String value, int at) {
        requests.post(SECRETS, "{'metadata':{'name':'there'}}").ok();
        String text = "illegal base64 data at input byte " + at;

        Reply secret = requests.post(SECRETS, "{'metadata':{'name':'a'},'data':{'k':'" + value + "'}}");
        Reply configMap = requests.post(CONFIG_MAPS, "{'metadata':{'name':'a'},'binaryData':{'k':'" + value + "'}}");
        Reply patch = requests.send("PATCH", SECRETS + "/there", MERGE, "{'data':{'k':'" + value + "'}}");

        assertThat(secret.code()).isEqualTo(400);
        assertThat(secret.reason()).isEqualTo("BadRequest");
        assertThat(secret.message()).isEqualTo("Secret in version \"v1\" cannot be handled as a Secret: " + text);
        assertThat(configMap.code()).isEqualTo(400);
        assertThat(patch.message()).contains(text);
        assertThat(requests.get(SECRETS + "/there").body().has("data")).isFalse();
    }

    /** In the form of {@code base64}'s output, in a YAML block. */
    @Test
    void bytes_inLines_areJoined() {
        Reply secret = requests.post(SECRETS, "{'metadata':{'name':'a'},'data':{'k':'aGVs\\nbG8=\\n'}}")
                .ok();
        Reply configMap = requests.post(CONFIG_MAPS, "{'metadata':{'name':'a'},'binaryData':{'k':'aGVs\\nbG8=\\n'}}")
                .ok();
        assertThat(secret.body().string("data", "k")).isEqualTo("aGVsbG8=");
        assertThat(configMap.body().string("binaryData", "k")).isEqualTo("aGVsbG8=");
    }

    @ParameterizedTest
    @ValueSource(strings = {"+1", "01", "", "abc", "2147483648", "1.0", " 1"})
    void deletionCost_thatIsNoWholeNumber_isRefused(String cost) {
        createPod("there");
        String annotations = "'annotations':{'controller.kubernetes.io/pod-deletion-cost':'" + cost + "'}";

        Reply created = requests.post(
                PODS, "{'metadata':{'name':'a'," + annotations + "},'spec':{'containers':[{'name':'c','image':'i'}]}}");
        Reply patched = requests.send("PATCH", PODS + "/there", MERGE, "{'metadata':{" + annotations + "}}");

        assertThat(created.code()).isEqualTo(422);
        assertThat(created.message())
                .isEqualTo("Pod \"a\" is invalid: metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: "
                        + "Invalid value: \""
                        + cost + "\": must be a 32bit integer");
        assertThat(patched.code()).isEqualTo(422);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-5", "-0", "2147483647", "-2147483648"})
    void deletionCost_thatIsAWholeNumber_isTaken(String cost) {
        createPod("a", ",'annotations':{'controller.kubernetes.io/pod-deletion-cost':'" + cost + "'}", "");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "reportingComponent | `` | reportingComponent: Required value",
                "reportingComponent | `/` | reportingComponent: Invalid value",
                "reportingInstance  | `` | reportingInstance: Required value",
                "action             | `` | action: Required value",
                "reason             | `` | reason: Required value",
                "involvedObject     | {`name`:`p`} | involvedObject.namespace: Invalid value",
            })
    void newEvent_withoutWhatItNeeds_isRefused(String field, String value, String problem) {
        String complete = "{'metadata':{'name':'a'},'involvedObject':{'namespace':'elsewhere','name':'p'},"
                + "'eventTime':'2026-01-01T00:00:00.000000Z','reportingComponent':'example.com/c',"
                + "'reportingInstance':'i','action':'A','reason':'R'}";
        requests.post("/api/v1/namespaces", "{'metadata':{'name':'shop'}}").ok();
        JsonObject event = JsonObject.parse(complete.replace('\'', '"'));
        JsonObject faulty = event.with(
                field,
                JsonObject.parse("{\"v\":" + value.replace('`', '"') + "}").get("v"));

        Reply refused = requests.post("/api/v1/namespaces/shop/events", faulty.toString());

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains(problem);
        requests.post("/api/v1/namespaces/shop/events", complete).ok();
    }

    @ParameterizedTest
    @CsvSource({"reportingInstance, 128", "action, 128", "reason, 128", "message, 1024"})
    void newEvent_withTooMuchToSay_isRefused(String field, int most) {
        String complete = "'metadata':{'name':'a'},'eventTime':'2026-01-01T00:00:00.000000Z',"
                + "'reportingComponent':'example.com/c','reportingInstance':'i','action':'A','reason':'R'";

        Reply refused = requests.post(
                "/api/v1/namespaces/default/events",
                "{" + complete + ",'" + field + "':'" + "x".repeat(most + 1) + "'}");

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .isEqualTo("Event \"a\" is invalid: " + field + ": Invalid value: \"\": can have at most " + most
                        + " characters");
        requests.post(
                        "/api/v1/namespaces/default/events",
                        "{" + complete + ",'" + field + "':'" + "x".repeat(most) + "'}")
                .ok();
    }

    @Test
    void environment_whoseValuesAreNoText_isRefused() {
        Reply refused = requests.post(
                PODS,
                "{'metadata':{'name':'a'},'spec':{'containers':[{'name':'c','image':'i','env':[{'name':'A',"
                        + "'value':1}]}]}}");
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message())
                .endsWith("json: cannot unmarshal number into Go struct field EnvVar.spec.containers.env.value of "
                        + "type string");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'replicas':-1}                   | status.replicas: Invalid value: -1: must be greater than or "
                        + "equal to 0",
                "{'replicas':1,'readyReplicas':2}  | status.readyReplicas: Invalid value: 2: cannot be greater than "
                        + "status.replicas",
                "{'replicas':1,'fullyLabeledReplicas':2} | status.fullyLabeledReplicas: Invalid value: 2: cannot be "
                        + "greater than status.replicas",
                "{'replicas':3,'readyReplicas':1,'availableReplicas':2} | status.availableReplicas: Invalid value: 2: "
                        + "cannot be greater than readyReplicas"
            })
    void replicas_thatDoNotAddUp_areRefused(String status, String problem) {
        requests.post(REPLICA_SETS, replicaSet("a", "")).ok();
        Reply refused = requests.send("PATCH", REPLICA_SETS + "/a/status", MERGE, "{'status':" + status + "}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains(problem);
    }

    @Test
    void replicaSet_withNegativeTimeUntilReady_isRefused() {
        Reply refused = requests.post(REPLICA_SETS, replicaSet("a", ",'minReadySeconds':-1"));
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .contains("spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "127.0.0.1   | may not be in the loopback range (127.0.0.0/8, ::1/128)",
                "::1         | may not be in the loopback range (127.0.0.0/8, ::1/128)",
                "169.254.1.2 | may not be in the link-local range (169.254.0.0/16, fe80::/10)",
                "224.0.0.1   | may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)",
                "0.0.0.0     | may not be unspecified (0.0.0.0)"
            })
    void endpoints_withAnAddressThatNobodyReaches_areRefused(String ip, String problem) {
        Reply refused = requests.post(
                "/api/v1/namespaces/default/endpoints",
                "{'metadata':{'name':'a'},'subsets':[{'addresses':[{'ip':'" + ip + "'}]}]}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("subsets[0].addresses[0].ip: Invalid value: \"" + ip + "\": " + problem);
    }

    @Test
    void tolerations_ofAPod_areOnlyAdded() {
        String any = "{'operator':'Exists'}"; // so that the server adds none
        createPod(
                "a",
                "",
                ",'tolerations':[{'key':'a','operator':'Exists','effect':'NoExecute','tolerationSeconds':5}," + any
                        + "]");
        String kept = "{'key':'a','operator':'Exists','effect':'NoExecute','tolerationSeconds':9}," + any;

        requests.send(
                        "PATCH",
                        PODS + "/a",
                        MERGE,
                        "{'spec':{'tolerations':[" + kept + ",{'key':'b','operator':'Exists'}]}}")
                .ok();
        Reply refused = requests.send("PATCH", PODS + "/a", MERGE, "{'spec':{'tolerations':[" + any + "]}}");

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .contains("spec.tolerations: Forbidden: existing toleration can not be modified except its "
                        + "tolerationSeconds");
    }

    @Test
    void deadline_ofAPod_isOnlyBroughtForward() {
        createPod("a");
        patchDeadline("100").ok();
        patchDeadline("50").ok();

        assertThat(patchDeadline("51").message())
                .contains(
                        "spec.activeDeadlineSeconds: Invalid value: 51: must be less than or equal to previous value");
        assertThat(patchDeadline("null").message())
                .contains("spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to "
                        + "nil value");
    }

    private Reply patchDeadline(String seconds) {
        return requests.send("PATCH", PODS + "/a", MERGE, "{'spec':{'activeDeadlineSeconds':" + seconds + "}}");
    }

    @Test
    void patch_withoutContent_isMalformed() {
        createConfigMap("a", "");
        assertThat(requests.send("PATCH", CONFIG_MAPS + "/a", MERGE, "").code()).isEqualTo(400);
    }

    @Test
    void patch_thatCopiesItselfOverAndOver_isRefused() {
        createConfigMap("a", "");
        StringBuilder patch = new StringBuilder("[{'op':'add','path':'/x','value':['0123456789']}");
        patch.append(",{'op':'copy','from':'/x','path':'/x/-'}".repeat(40)).append(']');

        Reply refused = requests.send("PATCH", CONFIG_MAPS + "/a", "application/json-patch+json", patch.toString());

        assertThat(refused.code()).isEqualTo(422);
        assertThat(requests.get(CONFIG_MAPS + "/a").body().has("x")).isFalse();
    }

    @Test
    void patch_ofMoreOperationsThanUpstreamAllows_isTooLarge() {
        createConfigMap("a", "");
        String patch = "[" + "{'op':'test','path':'/kind','value':'ConfigMap'},".repeat(10_000)
                + "{'op':'remove','path':'/data'}]";

        Reply refused = requests.send("PATCH", CONFIG_MAPS + "/a", "application/json-patch+json", patch);

        assertThat(refused.code()).isEqualTo(413);
        assertThat(refused.reason()).isEqualTo("RequestEntityTooLarge");
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-01T00:00:00Z,           Z,     .000000",
        "2026-01-01T00:00:00.123Z,       .123Z, .000000",
        "2026-01-01T00:00:00.123456789Z, 789Z,  Z07:00",
        "x,                              x,     2006"
    })
    void timeWithoutExactlySixDigits_isRefusedInLeasesAndEvents(String time, String rest, String wanted) {
        String problem = "parsing time \"" + time + "\" as \"2006-01-02T15:04:05.000000Z07:00\": cannot parse \"" + rest
                + "\" as \"" + wanted + "\"";
        String leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
        requests.post(leases, "{'metadata':{'name':'there'},'spec':{'renewTime':'2026-01-01T00:00:00.000001+02:00'}}")
                .ok();

        Reply lease = requests.post(leases, "{'metadata':{'name':'a'},'spec':{'renewTime':'" + time + "'}}");
        Reply event = requests.post(
                "/api/v1/namespaces/default/events", "{'metadata':{'name':'a'},'eventTime':'" + time + "'}");
        Reply patch = requests.send("PATCH", leases + "/there", MERGE, "{'spec':{'renewTime':'" + time + "'}}");

        assertThat(lease.code()).isEqualTo(400);
        assertThat(lease.message()).isEqualTo("Lease in version \"v1\" cannot be handled as a Lease: " + problem);
        assertThat(event.code()).isEqualTo(400);
        assertThat(event.message()).isEqualTo("Event in version \"v1\" cannot be handled as a Event: " + problem);
        assertThat(patch.code()).isEqualTo(422);
        assertThat(patch.message()).contains(problem);
    }

    @Test
    void deletion_withAPeriodThatIsNoNumber_deletesNothing() {
        createPod("a");
        Reply refused = requests.delete(PODS + "/a", "{'gracePeriodSeconds':'5'}");
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message())
                .isEqualTo("json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of "
                        + "type int64");
        assertThat(requests.get(PODS + "/a").code()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'metadata':{'name':'a'}} | invalid object type: /, Kind=",
                "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a','managedFields':[{'manager':'m'}]}} | "
                        + "metadata.managedFields must be nil"
            })
    void apply_ofSomethingThatCannotBeApplied_isRefused(String applied, String problem) {
        Reply refused =
                requests.send("PATCH", CONFIG_MAPS + "/a?fieldManager=m", "application/apply-patch+yaml", applied);
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message()).isEqualTo(problem);
    }

    @Test
    void force_ofAPatchThatIsNotApplied_isRefused() {
        createConfigMap("a", "");
        Reply refused = requests.send("PATCH", CONFIG_MAPS + "/a?force=true", MERGE, "{}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .isEqualTo("PatchOptions.meta.k8s.io \"\" is invalid: force: Forbidden: may not be specified for "
                        + "non-apply patch");
    }

    @Test
    void binding_ofAPodThatWaitsAtAGate_isRefused() {
        createPod("a", "", ",'schedulingGates':[{'name':'example.com/gate'}]");
        Reply refused =
                requests.post(PODS + "/a/binding", "{'metadata':{'name':'a'},'target':{'kind':'Node','name':'n'}}");
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.message())
                .isEqualTo("Operation cannot be fulfilled on pods/binding \"a\": pod a has non-empty "
                        + ".spec.schedulingGates");
    }
}
