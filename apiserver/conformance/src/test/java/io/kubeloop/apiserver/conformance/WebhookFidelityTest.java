/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.apiserver.access.AccessRequest;
import io.kubeloop.apiserver.rest.ClientPresence;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.testing.ClosedPort;
import io.kubeloop.transport.memory.Requests.Reply;
import io.kubeloop.transport.memory.ServerFixture;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Admission webhooks: which requests they receive, what they can change, and how their answers reach the client. */
class WebhookFidelityTest extends ServerFixture {

    private static final String HOOKS = "/apis/admissionregistration.k8s.io/v1/";
    private static final String MERGE = "application/merge-patch+json";
    private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
    private static final String DEPLOYMENT = "{'metadata':{'name':'d'},'spec':{'selector':{'matchLabels':{'a':'b'}},"
            + "'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}}";
    private static final String CONFIG_MAP_RULE = rule("CREATE','UPDATE','DELETE", "configmaps");
    private static final String NOT_KUBE = ",'namespaceSelector':{'matchExpressions':["
            + "{'key':'kubernetes.io/metadata.name','operator':'NotIn','values':['default']}]}";

    private ScriptedWebhook webhook;

    @BeforeEach
    void startWebhook(@TempDir Path dir) throws Exception {
        webhook = ScriptedWebhook.start(dir, "ip:127.0.0.1,dns:hook.default.svc");
    }

    @AfterEach
    void stopWebhook() {
        webhook.close();
    }

    private static String rule(String operations, String resources) {
        return "'rules':[{'apiGroups':['*'],'apiVersions':['v1'],'operations':['" + operations + "'],'resources':['"
                + resources + "']}]";
    }

    private String url(String path) {
        return "'url':'https://127.0.0.1:" + webhook.port() + path + "'";
    }

    private String hook(String name, String client, String more) {
        return "{'name':'" + name + ".example.com','clientConfig':{" + client + ",'caBundle':'" + webhook.caBundle()
                + "'},'admissionReviewVersions':['v1'],'sideEffects':'None'," + more + "}";
    }

    private void validating(String name, String... hooks) {
        configuration("Validating", name, hooks);
    }

    private void mutating(String name, String... hooks) {
        configuration("Mutating", name, hooks);
    }

    private void configuration(String kind, String name, String... hooks) {
        requests.post(
                        HOOKS + kind.toLowerCase(Locale.ROOT) + "webhookconfigurations",
                        "{'metadata':{'name':'" + name + "'},'webhooks':[" + String.join(",", hooks) + "]}")
                .ok();
    }

    private Reply configMap(String name) {
        return requests.post(CONFIG_MAPS, "{'metadata':{'name':'" + name + "'}}");
    }

    @Test
    void denial_hasTheCodeAndTheMessageOfTheWebhook() {
        webhook.answer(
                "/no", request -> ScriptedWebhook.deny("{'code':403,'message':'not here','reason':'Forbidden'}"));
        validating("v", hook("no", url("/no"), CONFIG_MAP_RULE));

        Reply reply = configMap("c");

        assertThat(reply.code()).isEqualTo(403);
        assertThat(reply.reason()).isEqualTo("Forbidden");
        assertThat(reply.message()).isEqualTo("admission webhook \"no.example.com\" denied the request: not here");
        assertThat(requests.get(CONFIG_MAPS + "/c").code()).isEqualTo(404);
    }

    /** No webhook receives the reviews, and the configurations of files cannot be created. */
    @Test
    void rules_withoutEffect_causeWarnings() {
        String path = HOOKS + "validatingwebhookconfigurations?dryRun=All";
        String hook = hook(
                "yes",
                url("/yes"),
                "'rules':[{'apiGroups':['*'],'apiVersions':['v1'],'operations':['*'],'resources':['tokenreviews']},"
                        + "{'apiGroups':['authentication.k8s.io'],'apiVersions':['v1'],'operations':['*'],"
                        + "'resources':['tokenreviews','selfsubjectreviews']}]");

        assertThat(requests.post(path, "{'metadata':{'name':'v'},'webhooks':[" + hook + "]}")
                        .ok()
                        .warnings())
                .containsExactly(
                        "299 - \"webhooks[0].rules[1]: tokenreviews.authentication.k8s.io is excluded from admission"
                                + " webhooks; this rule will have no effect\"",
                        "299 - \"webhooks[0].rules[1]: selfsubjectreviews.authentication.k8s.io is excluded from"
                                + " admission webhooks; this rule will have no effect\"");
        assertThat(requests.post(path, "{'metadata':{'name':'v.static.k8s.io'},'webhooks':[" + hook + "]}")
                        .message())
                .endsWith("metadata.name: Invalid value: \"v.static.k8s.io\": names ending with \".static.k8s.io\" are"
                        + " reserved for static manifest-based configurations and cannot be managed via the API");
    }

    @Test
    void path_isCleaned() {
        webhook.answer("/no", request -> ScriptedWebhook.deny("{}"));
        validating("v", hook("no", url("//no/"), CONFIG_MAP_RULE));

        configMap("c");

        assertThat(webhook.paths()).containsExactly("/no?timeout=10s");
    }

    @Test
    void denial_withoutStatus_isABadRequestWithoutExplanation() {
        webhook.answer("/no", request -> ScriptedWebhook.deny("{}"));
        validating("v", hook("no", url("/no"), CONFIG_MAP_RULE));

        Reply reply = configMap("c");

        assertThat(reply.code()).isEqualTo(400);
        assertThat(reply.message())
                .isEqualTo("admission webhook \"no.example.com\" denied the request without explanation");
    }

    @Test
    void review_describesTheRequest() {
        webhook.answer("/yes", request -> ScriptedWebhook.warn("watch out"));
        validating("v", hook("yes", url("/yes"), CONFIG_MAP_RULE));

        Reply created = configMap("c").ok();
        requests.send("PATCH", CONFIG_MAPS + "/c", MERGE, "{'data':{'a':'b'}}").ok();
        requests.send("DELETE", CONFIG_MAPS + "/c?dryRun=All", null).ok();

        assertThat(created.warnings()).containsExactly("299 - \"watch out\"");
        JsonObject create = webhook.requests().get(0);
        assertThat(create.string("operation")).isEqualTo("CREATE");
        assertThat(create.string("name")).isEqualTo("c");
        assertThat(create.string("namespace")).isEqualTo("default");
        assertThat(create.object("kind")).hasToString("{\"group\":\"\",\"version\":\"v1\",\"kind\":\"ConfigMap\"}");
        assertThat(create.string("requestResource", "resource")).isEqualTo("configmaps");
        assertThat(create.string("userInfo", "username")).isEqualTo("admin");
        assertThat(create.string("options", "kind")).isEqualTo("CreateOptions");
        assertThat(create.string("object", "metadata", "uid"))
                .isEqualTo(created.body().string("metadata", "uid"));
        assertThat(create.get("oldObject")).isEqualTo(JsonNull.NULL);
        JsonObject update = webhook.requests().get(1);
        assertThat(update.string("operation")).isEqualTo("UPDATE");
        assertThat(update.string("object", "data", "a")).isEqualTo("b");
        assertThat(update.object("oldObject").has("data")).isFalse();
        JsonObject delete = webhook.requests().get(2);
        assertThat(delete.string("operation")).isEqualTo("DELETE");
        assertThat(delete.get("object")).isEqualTo(JsonNull.NULL);
        assertThat(delete.string("oldObject", "data", "a")).isEqualTo("b");
        assertThat(delete.bool("dryRun")).isTrue();
        assertThat(delete.string("options", "kind")).isEqualTo("DeleteOptions");
    }

    @Test
    void deletion_canBeDenied() {
        webhook.answer("/keep", request -> ScriptedWebhook.deny("{'message':'keep it'}"));
        configMap("c").ok();
        validating("v", hook("keep", url("/keep"), rule("DELETE", "configmaps")));

        assertThat(requests.send("DELETE", CONFIG_MAPS + "/c", null).message()).endsWith("denied the request: keep it");
        assertThat(requests.send("DELETE", CONFIG_MAPS, null).message()).endsWith("denied the request: keep it");
        requests.get(CONFIG_MAPS + "/c").ok();
    }

    @Test
    void patch_changesTheObject_whichIsThenDefaultedAndValidated() {
        webhook.answer(
                "/patch",
                request -> ScriptedWebhook.patch("[{'op':'add','path':'/spec/template/spec/initContainers',"
                        + "'value':[{'name':'i','image':'x'}]},{'op':'add','path':'/spec/unknown','value':1}]"));
        mutating("m", hook("patch", url("/patch"), rule("CREATE", "deployments")));
        String body = "{'metadata':{'generateName':'d-'},'spec':{'selector':{'matchLabels':{'a':'b'}},"
                + "'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}}";

        JsonObject created = requests.post(DEPLOYMENTS, body).ok().body();

        JsonObject seen = webhook.requests().get(0);
        assertThat(seen.has("name")).isFalse();
        assertThat(seen.object("object", "metadata").members()).doesNotContainKeys("uid", "name", "creationTimestamp");
        assertThat(seen.number("object", "spec", "replicas")).isEqualTo(1);
        JsonObject init = created.array("spec", "template", "spec", "initContainers")
                .objects()
                .findFirst()
                .orElseThrow();
        assertThat(init.string("imagePullPolicy")).isEqualTo("Always");
        assertThat(created.object("spec").has("unknown")).isFalse();
        assertThat(created.number("metadata", "generation")).isEqualTo(1);
        assertThat(created.string("metadata", "name")).startsWith("d-");
    }

    @Test
    void patch_thatMakesTheObjectInvalid_isRejectedByValidation() {
        webhook.answer(
                "/patch",
                request -> ScriptedWebhook.patch("[{'op':'add','path':'/metadata/labels','value':{'a':'!'}}]"));
        mutating("m", hook("patch", url("/patch"), CONFIG_MAP_RULE));

        assertThat(configMap("c").code()).isEqualTo(422);
    }

    @Test
    void patch_ofAnUpdate_countsAsGeneration_andCannotChangeServerFields() {
        JsonObject created = requests.post(DEPLOYMENTS, DEPLOYMENT).ok().body();
        webhook.answer(
                "/patch",
                request -> ScriptedWebhook.patch("[{'op':'replace','path':'/spec/replicas','value':3},"
                        + "{'op':'replace','path':'/metadata/uid','value':'other'}]"));
        mutating("m", hook("patch", url("/patch"), rule("UPDATE", "deployments")));

        JsonObject updated = requests.send("PATCH", DEPLOYMENTS + "/d", MERGE, "{'metadata':{'labels':{'x':'y'}}}")
                .ok()
                .body();

        assertThat(updated.number("spec", "replicas")).isEqualTo(3);
        assertThat(updated.number("metadata", "generation")).isEqualTo(2);
        assertThat(updated.string("metadata", "uid")).isEqualTo(created.string("metadata", "uid"));
    }

    @Test
    void webhooks_areCalledByConfigurationName_andAgainIfTheyNeedIt() {
        webhook.answer("/a", request -> ScriptedWebhook.allow());
        webhook.answer(
                "/b",
                request -> request.object("object").has("data")
                        ? ScriptedWebhook.allow()
                        : ScriptedWebhook.patch("[{'op':'add','path':'/data','value':{'k':'v'}}]"));
        mutating("z", hook("b", url("/b"), CONFIG_MAP_RULE));
        mutating(
                "y",
                hook("a", url("/a"), CONFIG_MAP_RULE + ",'reinvocationPolicy':'IfNeeded'"),
                hook("once", url("/a"), CONFIG_MAP_RULE));

        configMap("c").ok();

        assertThat(webhook.requests().stream()
                        .map(request -> request.object("object").has("data")))
                .containsExactly(false, false, false, true);
    }

    @Test
    void selectors_andExactVersions_limitTheCalls() {
        webhook.answer("/no", request -> ScriptedWebhook.deny("{}"));
        validating(
                "v",
                hook("namespaces", url("/no"), CONFIG_MAP_RULE + NOT_KUBE),
                hook("objects", url("/no"), CONFIG_MAP_RULE + ",'objectSelector':{'matchLabels':{'a':'b'}}"),
                hook("scope", url("/no"), CONFIG_MAP_RULE.replace("}]", ",'scope':'Cluster'}]")),
                hook("parts", url("/no"), rule("*", "configmaps/status")));

        configMap("c").ok();
        assertThat(requests.send("PATCH", CONFIG_MAPS + "/c", MERGE, "{'metadata':{'labels':{'a':'b'}}}")
                        .message())
                .contains("objects.example.com");
    }

    @Test
    void equivalentVersions_areConverted() {
        webhook.answer("/no", request -> ScriptedWebhook.deny("{}"));
        String rules = "'rules':[{'apiGroups':['autoscaling'],'apiVersions':['v1'],'operations':['CREATE'],"
                + "'resources':['horizontalpodautoscalers']}]";
        validating("v", hook("exact", url("/no"), rules + ",'matchPolicy':'Exact'"));
        String scalers = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
        String body = "{'metadata':{'name':'%s'},'spec':{'maxReplicas':3,'scaleTargetRef':{'kind':'Deployment',"
                + "'name':'d','apiVersion':'apps/v1'},'metrics':[{'type':'Resource','resource':{'name':'cpu',"
                + "'target':{'type':'Utilization','averageUtilization':70}}}]}}";

        requests.post(scalers, String.format(body, "one")).ok();
        validating("w", hook("equivalent", url("/no"), rules));
        assertThat(requests.post(scalers, String.format(body, "two")).code()).isEqualTo(400);

        JsonObject seen = webhook.requests().get(0);
        assertThat(seen.string("kind", "version")).isEqualTo("v1");
        assertThat(seen.string("requestKind", "version")).isEqualTo("v2");
        assertThat(seen.number("object", "spec", "targetCPUUtilizationPercentage"))
                .isEqualTo(70);
    }

    @Test
    void namespace_isSelectedByItsOwnLabels() {
        webhook.answer("/no", request -> ScriptedWebhook.deny("{}"));
        validating(
                "v",
                hook(
                        "no",
                        url("/no"),
                        rule("CREATE", "namespaces") + ",'namespaceSelector':{'matchLabels':{'team':'a'}}"));

        requests.post("/api/v1/namespaces", "{'metadata':{'name':'n'}}").ok();
        assertThat(requests.post("/api/v1/namespaces", "{'metadata':{'name':'m','labels':{'team':'a'}}}")
                        .code())
                .isEqualTo(400);
        assertThat(webhook.requests().get(0).string("namespace")).isEqualTo("m");
    }

    @Test
    void scale_isReviewedAsItself() {
        webhook.answer("/no", request -> ScriptedWebhook.deny("{}"));
        requests.post(DEPLOYMENTS, DEPLOYMENT).ok();
        validating("v", hook("whole", url("/no"), rule("UPDATE", "deployments")));

        requests.send("PATCH", DEPLOYMENTS + "/d/scale", MERGE, "{'spec':{'replicas':2}}")
                .ok();
        validating("w", hook("scale", url("/no"), rule("UPDATE", "deployments/scale")));
        assertThat(requests.send("PATCH", DEPLOYMENTS + "/d/scale", MERGE, "{'spec':{'replicas':3}}")
                        .code())
                .isEqualTo(400);

        JsonObject seen = webhook.requests().get(0);
        assertThat(seen.object("kind"))
                .hasToString("{\"group\":\"autoscaling\",\"version\":\"v1\",\"kind\":\"Scale\"}");
        assertThat(seen.number("object", "spec", "replicas")).isEqualTo(3);
        assertThat(seen.number("oldObject", "spec", "replicas")).isEqualTo(2);
    }

    @Test
    void scale_isChanged_andThenValidated() {
        requests.post(DEPLOYMENTS, DEPLOYMENT).ok();
        webhook.answer("/two", request -> replicas(2));
        webhook.answer("/none", request -> replicas(-1));
        mutating("m", hook("two", url("/two"), rule("UPDATE", "deployments/scale")));
        String wanted = "{'spec':{'replicas':7}}";

        JsonObject scale = requests.send("PATCH", DEPLOYMENTS + "/d/scale", MERGE, wanted)
                .ok()
                .body();
        mutating("n", hook("none", url("/none"), rule("UPDATE", "deployments/scale")));
        Reply refused = requests.send("PATCH", DEPLOYMENTS + "/d/scale", MERGE, wanted);

        assertThat(scale.number("spec", "replicas")).isEqualTo(2);
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .isEqualTo(
                        "Scale.autoscaling \"d\" is invalid: spec.replicas: Invalid value: -1: must be greater than or"
                                + " equal to 0");
        JsonObject stored = requests.get(DEPLOYMENTS + "/d").ok().body();
        assertThat(stored.number("spec", "replicas")).isEqualTo(2);
        assertThat(stored.number("metadata", "generation")).isEqualTo(2);
    }

    private static JsonObject replicas(int count) {
        return ScriptedWebhook.patch("[{'op':'replace','path':'/spec/replicas','value':" + count + "}]");
    }

    @Test
    void configurationsOfWebhooks_areExempt() {
        webhook.answer("/no", request -> ScriptedWebhook.deny("{}"));
        validating("v", hook("no", url("/no"), rule("*", "*")));

        requests.send("DELETE", HOOKS + "validatingwebhookconfigurations/v", null)
                .ok();
        configMap("c").ok();
    }

    @Test
    void failurePolicy_decidesAboutAWebhookThatCannotBeReached() throws Exception {
        try (ClosedPort closed = new ClosedPort()) {
            String address = "127.0.0.1:" + closed.number();
            validating("v", hook("gone", "'url':'https://" + address + "/x'", CONFIG_MAP_RULE));

            Reply reply = configMap("c");

            assertThat(reply.code()).isEqualTo(500);
            assertThat(reply.message())
                    .isEqualTo("Internal error occurred: failed calling webhook \"gone.example.com\": failed to call"
                            + " webhook: Post \"https://" + address + "/x?timeout=10s\": dial tcp " + address
                            + ": connect: connection refused");
            requests.send(
                            "PATCH",
                            HOOKS + "validatingwebhookconfigurations/v",
                            "application/json-patch+json",
                            "[{'op':'replace','path':'/webhooks/0/failurePolicy','value':'Ignore'}]")
                    .ok();
            configMap("c").ok();
        }
    }

    @Test
    void timeout_endsTheCall() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        webhook.answer("/slow", request -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return ScriptedWebhook.allow();
        });
        validating("v", hook("slow", url("/slow"), CONFIG_MAP_RULE + ",'timeoutSeconds':1"));

        Reply reply = configMap("c");
        end.countDown();

        assertThat(reply.code()).isEqualTo(500);
        assertThat(reply.message()).endsWith("/slow?timeout=1s\": context deadline exceeded");
    }

    /** As with kube-apiserver, nothing is stored, although the webhook ignores failures. */
    @Test
    void clientThatLeaves_endsTheCall_andNothingIsStored() {
        AtomicReference<Runnable> left = new AtomicReference<>();
        CountDownLatch end = new CountDownLatch(1);
        webhook.answer("/slow", request -> {
            left.get().run();
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return ScriptedWebhook.allow();
        });
        mutating("m", hook("slow", url("/slow"), CONFIG_MAP_RULE + ",'failurePolicy':'Ignore'"));

        Reply reply = ClientPresence.during(
                client -> {
                    left.set(client);
                    return () -> left.set(null);
                },
                () -> configMap("c"));
        end.countDown();

        assertThat(reply.code()).isEqualTo(504);
        assertThat(left.get()).isNull();
        assertThat(requests.get(CONFIG_MAPS + "/c").code()).isEqualTo(404);
    }

    @Test
    void answers_thatAreNoReview_areFailures() {
        webhook.answer("/broken", 500, "out of order");
        webhook.answer("/absent", 404, "");
        webhook.answer("/empty", 200, "{}");
        webhook.answer("/huge", 200, " ".repeat(9 << 20));
        webhook.answer("/patching", request -> ScriptedWebhook.patch("[]"));
        String[] messages = {
            "an error on the server (\"out of order\") has prevented the request from succeeding",
            "the server could not find the requested resource",
            "received invalid webhook response: webhook response was absent",
            " bytes",
            "received invalid webhook response: validating webhook may not return response.patch"
        };
        String[] paths = {"/broken", "/absent", "/empty", "/huge", "/patching"};
        for (int i = 0; i < paths.length; i++) {
            validating("v" + i, hook("h" + i, url(paths[i]), CONFIG_MAP_RULE));
            assertThat(configMap("c").message()).endsWith(messages[i]);
            requests.send("DELETE", HOOKS + "validatingwebhookconfigurations/v" + i, null)
                    .ok();
        }
    }

    @Test
    void service_isReachedThroughItsExternalName_withTheCertificateOfTheService() {
        webhook.answer("/no", request -> ScriptedWebhook.deny("{'message':'reached'}"));
        String client = "'service':{'namespace':'default','name':'hook','path':'/no','port':" + webhook.port() + "}";
        validating("v", hook("no", client, CONFIG_MAP_RULE));

        assertThat(configMap("c").message())
                .isEqualTo("Internal error occurred: failed calling webhook \"no.example.com\": failed to call"
                        + " webhook: Post \"https://hook.default.svc:" + webhook.port()
                        + "/no?timeout=10s\": service \"hook\" not found");
        requests.post(
                        SERVICES,
                        "{'metadata':{'name':'hook'},'spec':{'type':'ExternalName','externalName':'localhost'}}")
                .ok();
        assertThat(configMap("c").message()).endsWith("denied the request: reached");
    }

    @Test
    void service_withoutEndpoints_isAFailure() {
        requests.post(SERVICES, "{'metadata':{'name':'hook'},'spec':{'ports':[{'port':443}]}}")
                .ok();
        validating("v", hook("no", "'service':{'namespace':'default','name':'hook'}", CONFIG_MAP_RULE));

        assertThat(configMap("c").message())
                .endsWith("\"https://hook.default.svc:443/?timeout=10s\": no endpoints available for service \"hook\"");
    }

    @Test
    void certificate_ofAnotherName_isRejected() {
        webhook.answer("/yes", request -> ScriptedWebhook.allow());
        validating("v", hook("yes", "'url':'https://localhost:" + webhook.port() + "/yes'", CONFIG_MAP_RULE));

        assertThat(configMap("c").code()).isEqualTo(500);
    }

    @Test
    void connection_isShownAsItsOptions() {
        webhook.answer("/no", request -> ScriptedWebhook.deny("{'code':403,'message':'no shells'}"));
        mutating("m", hook("no", url("/no"), rule("CONNECT", "pods/exec")));
        JsonObject options = JsonObject.parse(
                "{\"kind\":\"PodExecOptions\",\"apiVersion\":\"v1\",\"stdout\":true,\"command\":[\"sh\"]}");

        assertThatThrownBy(() -> server.server()
                        .admitConnection(
                                UserInfo.ADMIN, new AccessRequest.Target("", "pods", "exec", "default", "p"), options))
                .isInstanceOf(StatusException.class)
                .hasMessageContaining("admission webhook \"no.example.com\" denied the request: no shells");
        server.server()
                .admitConnection(
                        UserInfo.ADMIN, new AccessRequest.Target("", "pods", "attach", "default", "p"), options);

        assertThat(webhook.requests()).hasSize(1);
        JsonObject seen = webhook.requests().get(0);
        assertThat(seen.without("uid").without("userInfo").toString()).isEqualTo("""
                        {"kind":{"group":"","version":"v1","kind":"PodExecOptions"},\
                        "resource":{"group":"","version":"v1","resource":"pods"},"subResource":"exec",\
                        "requestKind":{"group":"","version":"v1","kind":"PodExecOptions"},\
                        "requestResource":{"group":"","version":"v1","resource":"pods"},"requestSubResource":"exec",\
                        "name":"p","namespace":"default","operation":"CONNECT",\
                        "object":{"kind":"PodExecOptions","apiVersion":"v1","stdout":true,"command":["sh"]},\
                        "oldObject":null,"dryRun":false,"options":null}""");
    }
}
