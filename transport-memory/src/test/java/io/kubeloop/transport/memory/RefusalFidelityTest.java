package io.kubeloop.transport.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.Requests.Reply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What kube-apiserver refuses, beyond the recorded conversations: bodies that are not what the path is about, and the like. */
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
                .isEqualTo(
                        kind
                                + ".meta.k8s.io \"\" is invalid: dryRun: Unsupported value: [\"Some\"]: supported values: \"All\"");
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
                "service-account-token | {}                    | metadata.annotations[kubernetes.io/service-account.name]: Required value",
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
                .isEqualTo("ConfigMap \"a\" is invalid: []: Too long: must have at most 1048576 bytes");
        assertThat(secret.code()).isEqualTo(422);
        assertThat(secret.message())
                .isEqualTo("Secret \"a\" is invalid: data: Too long: must have at most 1048576 bytes");
    }

    @Test
    void configMap_withOneKeyTwice_isRefused() {
        Reply refused =
                requests.post(CONFIG_MAPS, "{'metadata':{'name':'a'},'data':{'k':'v'},'binaryData':{'k':'eA=='}}");

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("data[k]: Invalid value: \"k\": duplicate of key present in binaryData");
    }

    /** Whoever reads the list into typed objects would be able to read none of it. */
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
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("data[port]: Invalid value: 8080: must be a string");
    }

    @Test
    void environment_whoseValuesAreNoText_isRefused() {
        Reply refused = requests.post(
                PODS,
                "{'metadata':{'name':'a'},'spec':{'containers':[{'name':'c','image':'i','env':[{'name':'A','value':1}]}]}}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("spec.containers[0].env[0].value: Invalid value: 1: must be a string");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'replicas':-1}                   | status.replicas: Invalid value: -1: must be greater than or equal to 0",
                "{'replicas':1,'readyReplicas':2}  | status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas",
                "{'replicas':1,'fullyLabeledReplicas':2} | status.fullyLabeledReplicas: Invalid value: 2: cannot be greater than status.replicas",
                "{'replicas':3,'readyReplicas':1,'availableReplicas':2} | status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas"
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
                "0.0.0.0     | may not be unspecified (0.0.0.0 or ::)"
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
        createPod(
                "a", "", ",'tolerations':[{'key':'a','operator':'Exists','effect':'NoExecute','tolerationSeconds':5}]");
        String kept = "{'key':'a','operator':'Exists','effect':'NoExecute','tolerationSeconds':9}";

        requests.send("PATCH", PODS + "/a", MERGE, "{'spec':{'tolerations':[" + kept + ",{'operator':'Exists'}]}}")
                .ok();
        Reply refused = requests.send("PATCH", PODS + "/a", MERGE, "{'spec':{'tolerations':[" + kept + "]}}");

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .contains(
                        "spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds");
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
                .contains(
                        "spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value");
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
}
