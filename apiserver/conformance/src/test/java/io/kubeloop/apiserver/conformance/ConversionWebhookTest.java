/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.client.ApiStream;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.testing.ClosedPort;
import io.kubeloop.transport.memory.Requests;
import io.kubeloop.transport.memory.Requests.Reply;
import io.kubeloop.transport.memory.ServerFixture;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Conversion webhooks of custom resources. The resource has {@code v1}, in which it is stored, with {@code
 * spec.hostPort}; and {@code v2} with {@code spec.host} and {@code spec.port}. The messages are those of kube-apiserver
 * 1.36.3.
 */
class ConversionWebhookTest extends ServerFixture {

    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String DEFINITION = DEFINITIONS + "/links.example.com";
    private static final String V1 = "/apis/example.com/v1/namespaces/default/links";
    private static final String V2 = "/apis/example.com/v2/namespaces/default/links";
    private static final String MERGE = "application/merge-patch+json";
    private static final String APPLY = "application/apply-patch+yaml";
    private static final String FAILED = "conversion webhook for example.com/v1, Kind=Link failed: ";

    private ScriptedWebhook webhook;

    @BeforeEach
    void startWebhook(@TempDir Path dir) throws Exception {
        webhook = ScriptedWebhook.start(dir, "ip:127.0.0.1,dns:hook.default.svc");
    }

    @AfterEach
    void stopWebhook() {
        webhook.close();
    }

    private static String version(String name, boolean stored, String fields) {
        return "{'name':'" + name + "','served':true,'storage':" + stored + ",'subresources':{'status':{},"
                + "'scale':{'specReplicasPath':'.spec.replicas','statusReplicasPath':'.status.replicas'}},"
                + "'selectableFields':[{'jsonPath':'.spec." + fields + "'}],'schema':{'openAPIV3Schema':{"
                + "'type':'object','properties':{'spec':{'type':'object','properties':{'" + fields
                + "':{'type':'string'},'port':{'type':'string'},'replicas':{'type':'integer'},'weight':{'type':"
                + "'number'}}},"
                + "'status':{'type':'object','properties':{'replicas':{'type':'integer'}}}}}}}";
    }

    private String url(String path) {
        return "'url':'https://127.0.0.1:" + webhook.port() + path + "'";
    }

    private String definition(String client) {
        return "{'metadata':{'name':'links.example.com'},'spec':{'group':'example.com','scope':'Namespaced',"
                + "'names':{'plural':'links','kind':'Link'},'versions':[" + version("v1", true, "hostPort") + ","
                + version("v2", false, "host") + "],'conversion':{'strategy':'Webhook','webhook':{"
                + "'conversionReviewVersions':['v1'],'clientConfig':{" + client + ",'caBundle':'"
                + webhook.caBundle() + "'}}}}}";
    }

    private void define() {
        requests.post(DEFINITIONS, definition(url("/convert"))).ok();
        webhook.answerConversions("/convert", ConversionWebhookTest::convert);
    }

    private static JsonObject convert(JsonObject request) {
        String wanted = request.string("desiredAPIVersion");
        return ScriptedWebhook.converted(request.array("objects")
                .objects()
                .map(object -> convert(object, wanted))
                .toList());
    }

    private static JsonObject convert(JsonObject object, String wanted) {
        JsonObject spec = object.object("spec");
        if (wanted.endsWith("/v2")) {
            String[] parts = spec.string("hostPort").split(":", -1);
            spec = spec.without("hostPort").with("host", parts[0]).with("port", parts[1]);
        } else {
            String joined = spec.string("host") + ":" + spec.string("port");
            spec = spec.without("host").without("port").with("hostPort", joined);
        }
        JsonObject labels = object.object("metadata", "labels").with("converted-to", wanted.substring(12));
        return object.with("apiVersion", wanted)
                .with("spec", spec)
                .with("metadata", object.object("metadata").with("labels", labels));
    }

    private void answerWith(UnaryOperator<JsonObject> change) {
        requests.post(DEFINITIONS, definition(url("/changed"))).ok();
        webhook.answerConversions("/changed", request -> change.apply(convert(request)));
    }

    private static UnaryOperator<JsonObject> firstObject(UnaryOperator<JsonObject> change) {
        return response -> ScriptedWebhook.converted(List.of(change.apply(
                response.array("convertedObjects").objects().toList().get(0))));
    }

    private Reply create(String path, String spec) {
        return create(path, "a", spec);
    }

    private Reply create(String path, String name, String spec) {
        String version = path.startsWith(V1) ? "v1" : "v2";
        return requests.post(
                path,
                "{'apiVersion':'example.com/" + version + "','kind':'Link','metadata':{'name':'" + name + "'},'spec':{"
                        + spec + "}}");
    }

    private int calls() {
        return webhook.requests().size();
    }

    @Test
    void number_isStoredAsGoWritesIt_butCountsAsSentForTheScale() {
        define();

        Reply created = create(V1, "'hostPort':'a:1','weight':2.0").ok();
        assertThat(created.body().get("spec", "weight")).hasToString("2");
        assertThat(create(V1, "b", "'hostPort':'a:1','replicas':3.0").message())
                .endsWith(".spec.replicas accessor error: 3 is of the type float64, expected int64");
    }

    @Test
    void objectOfAnotherKind_isInvalidUnderItsOwn() {
        define();
        Reply refused = requests.post(
                V1, "{'apiVersion':'example.com/v1','kind':'Other','metadata':{'name':'a'},'spec':{'hostPort':'a:1'}}");

        assertThat(refused.message())
                .isEqualTo("Other.example.com \"a\" is invalid: kind: Invalid value: \"Other\": must be Link");
    }

    @Test
    void objectsOfTheStorageVersion_needNoWebhook() {
        define();

        create(V1, "'hostPort':'a:1'").ok();
        requests.get(V1 + "/a").ok();
        requests.get(V1).ok();

        assertThat(calls()).isZero();
    }

    @Test
    void anObject_isReadAndWrittenInBothVersions() {
        define();

        JsonObject created =
                create(V2, "'host':'a','port':'1','unknown':true").ok().body();
        JsonObject stored = requests.get(V1 + "/a").ok().body();
        JsonObject read = requests.get(V2 + "/a").ok().body();

        assertThat(created.object("spec")).isEqualTo(JsonObject.parse("{\"host\":\"a\",\"port\":\"1\"}"));
        assertThat(stored.object("spec")).isEqualTo(JsonObject.parse("{\"hostPort\":\"a:1\"}"));
        assertThat(stored.string("apiVersion")).isEqualTo("example.com/v1");
        assertThat(read).isEqualTo(created);
        assertThat(read.string("metadata", "labels", "converted-to")).isEqualTo("v2");
        assertThat(read.number("metadata", "generation")).isEqualTo(1);
    }

    @Test
    void review_hasUpstreamsForm() {
        define();

        create(V2, "'host':'a','port':'1'").ok();

        JsonObject request = webhook.requests().get(0);
        assertThat(request.members()).containsOnlyKeys("uid", "desiredAPIVersion", "objects");
        assertThat(request.string("desiredAPIVersion")).isEqualTo("example.com/v1");
        JsonObject sent = request.array("objects").objects().toList().get(0);
        assertThat(sent.string("apiVersion")).isEqualTo("example.com/v2");
        assertThat(sent.object("metadata").has("resourceVersion")).isFalse();
        assertThat(sent.object("metadata").has("uid")).isTrue();
        assertThat(webhook.paths().get(0)).isEqualTo("/convert?timeout=30s");
    }

    @Test
    void updates_arePreparedInTheVersionOfTheRequest() {
        define();
        create(V1, "'hostPort':'a:1'").ok();

        JsonObject patched = requests.send("PATCH", V2 + "/a", MERGE, "{'spec':{'port':'2'}}")
                .ok()
                .body();
        JsonObject same = requests.put(V2 + "/a", patched).ok().body();
        JsonObject applied = requests.send(
                        "PATCH",
                        V2 + "/a?fieldManager=me",
                        APPLY,
                        "{'apiVersion':'example.com/v2','kind':'Link','spec':{'replicas':3}}")
                .ok()
                .body();

        assertThat(patched.number("metadata", "generation")).isEqualTo(2);
        assertThat(same.string("metadata", "resourceVersion")).isEqualTo(patched.string("metadata", "resourceVersion"));
        assertThat(applied.number("spec", "replicas")).isEqualTo(3);
        assertThat(requests.get(V1 + "/a").body().string("spec", "hostPort")).isEqualTo("a:2");
        assertThat(applied.array("metadata", "managedFields")
                        .objects()
                        .map(entry -> entry.string("manager") + " " + entry.string("apiVersion")))
                .containsExactlyInAnyOrder("me example.com/v2", "unknown example.com/v1", "unknown example.com/v2");
    }

    @Test
    void statusAndScale_areConvertedToo() {
        define();
        create(V1, "'hostPort':'a:1','replicas':1").ok();

        JsonObject status = requests.send("PATCH", V2 + "/a/status", MERGE, "{'status':{'replicas':1}}")
                .ok()
                .body();
        JsonObject scale = requests.send("PATCH", V2 + "/a/scale", MERGE, "{'spec':{'replicas':5}}")
                .ok()
                .body();

        assertThat(status.string("spec", "host")).isEqualTo("a");
        assertThat(status.number("metadata", "generation")).isEqualTo(1);
        assertThat(scale.number("spec", "replicas")).isEqualTo(5);
        JsonObject stored = requests.get(V1 + "/a").body();
        assertThat(stored.number("spec", "replicas")).isEqualTo(5);
        assertThat(stored.number("status", "replicas")).isEqualTo(1);
    }

    @Test
    void list_convertsItsObjectsInOneRequest_andSelectsTheConvertedOnes() {
        define();
        create(V1, "a", "'hostPort':'a:1'").ok();
        create(V1, "b", "'hostPort':'b:2'").ok();
        create(V2, "c", "'host':'a','port':'3'").ok();
        int before = calls();

        Reply list = requests.get(V2).ok();

        assertThat(calls()).isEqualTo(before + 1);
        assertThat(list.body().array("items").objects().map(item -> item.string("spec", "host")))
                .containsExactly("a", "b", "a");
        assertThat(names(requests.get(V2 + "?fieldSelector=spec.host=a"))).containsExactly("a", "c");
        assertThat(names(requests.get(V1 + "?fieldSelector=spec.hostPort=b:2"))).containsExactly("b");
        assertThat(names(requests.get(V2 + "?labelSelector=converted-to=v2"))).hasSize(3);
        assertThat(names(requests.get(V2 + "?limit=1"))).containsExactly("a");
    }

    private static List<String> names(Reply list) {
        return list.ok()
                .body()
                .array("items")
                .objects()
                .map(item -> item.string("metadata", "name"))
                .toList();
    }

    @Test
    void watch_showsTheConvertedObjects() {
        define();
        create(V1, "'hostPort':'a:1'").ok();
        try (ApiStream all = requests.watch(V2 + "?resourceVersion=0");
                ApiStream selected = requests.watch(V2 + "?resourceVersion=0&fieldSelector=spec.host=b")) {
            assertThat(Requests.frame(all).string("object", "spec", "host")).isEqualTo("a");

            requests.send("PATCH", V1 + "/a", MERGE, "{'spec':{'hostPort':'b:1'}}")
                    .ok();
            requests.send("PATCH", V1 + "/a", MERGE, "{'spec':{'hostPort':'c:1'}}")
                    .ok();
            requests.delete(V1 + "/a").ok();

            assertThat(Requests.frame(all).string("object", "spec", "host")).isEqualTo("b");
            assertThat(Requests.frame(all).string("object", "spec", "host")).isEqualTo("c");
            JsonObject deleted = Requests.frame(all);
            assertThat(deleted.string("type")).isEqualTo("DELETED");
            assertThat(deleted.string("object", "apiVersion")).isEqualTo("example.com/v2");
            assertThat(Requests.frame(selected).string("type")).isEqualTo("ADDED");
            assertThat(Requests.frame(selected).string("type")).isEqualTo("DELETED");
        }
    }

    @Test
    void watch_endsWithAnError_whenTheWebhookFails() {
        requests.post(DEFINITIONS, definition(url("/none"))).ok();
        webhook.answer("/none", 503, "down");
        create(V1, "'hostPort':'a:1'").ok();

        try (ApiStream stream = requests.watch(V2 + "?resourceVersion=0")) {
            JsonObject frame = Requests.frame(stream);
            assertThat(frame.string("type")).isEqualTo("ERROR");
            assertThat(frame.string("object", "message"))
                    .isEqualTo(FAILED + "the server is currently unable to handle the request");
            assertThat(stream.next()).isNull();
        }
    }

    @Test
    void deletion_convertsTheObject() {
        define();
        create(V1, "'hostPort':'a:1'").ok();

        JsonObject deleted = requests.delete(V2 + "/a").ok().body();

        assertThat(deleted.string("status")).isEqualTo("Success");
        assertThat(requests.get(V1 + "/a").code()).isEqualTo(404);
    }

    @Test
    void anAdmissionWebhook_seesItsOwnVersion_andItsPatchIsConvertedBack() {
        define();
        webhook.answer(
                "/patch",
                request -> ScriptedWebhook.patch("[{'op':'replace','path':'/spec/hostPort','value':'patched:9'}]"));
        requests.post(
                        "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
                        "{'metadata':{'name':'m'},'webhooks':[{'name':'a.example.com','clientConfig':{"
                                + url("/patch") + ",'caBundle':'" + webhook.caBundle() + "'},"
                                + "'admissionReviewVersions':['v1'],'sideEffects':'None','rules':[{"
                                + "'apiGroups':['example.com'],'apiVersions':['v1'],'operations':['CREATE'],"
                                + "'resources':['links']}]}]}")
                .ok();

        JsonObject created = create(V2, "'host':'a','port':'1'").ok().body();

        assertThat(created.string("spec", "host")).isEqualTo("patched");
        assertThat(created.string("spec", "port")).isEqualTo("9");
    }

    @Test
    void failures_reachTheClient() {
        requests.post(DEFINITIONS, definition(url("/failed"))).ok();
        webhook.answerConversions(
                "/failed",
                request -> JsonObject.parse("{\"result\":{\"status\":\"Failure\",\"message\":\"not today\"}}"));
        create(V1, "'hostPort':'a:1'").ok();

        Reply read = requests.get(V2 + "/a");

        assertThat(read.code()).isEqualTo(500);
        assertThat(read.reason()).isEmpty();
        assertThat(read.message()).isEqualTo(FAILED + "not today");
        assertThat(requests.get(V2).message()).isEqualTo(FAILED + "not today");
        assertThat(requests.delete(V2 + "/a").message()).isEqualTo(FAILED + "not today");
        assertThat(create(V2, "b", "'host':'a','port':'1'").message())
                .isEqualTo("conversion webhook for example.com/v2, Kind=Link failed: not today");
        assertThat(requests.get(V1 + "/b").code()).isEqualTo(404);
        assertThat(requests.delete(V1 + "/a").code()).isEqualTo(200);
    }

    @Test
    void answers_thatAreNoReview_areRejected() {
        requests.post(DEFINITIONS, definition(url("/text"))).ok();
        webhook.answer("/text", 200, "hello");
        create(V1, "'hostPort':'a:1'").ok();
        assertThat(requests.get(V2 + "/a").message())
                .startsWith(FAILED + "couldn't get version/kind; json parse error: ");

        requests.send(
                        "PATCH",
                        DEFINITION,
                        MERGE,
                        "{'spec':{'conversion':{'webhook':{'clientConfig':{" + url("/empty") + "}}}}}")
                .ok();
        webhook.answer("/empty", 200, "{}");
        assertThat(requests.get(V2 + "/a").message())
                .isEqualTo(FAILED + "expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got"
                        + " /, Kind=");

        requests.send(
                        "PATCH",
                        DEFINITION,
                        MERGE,
                        "{'spec':{'conversion':{'webhook':{'clientConfig':{" + url("/failed") + "}}}}}")
                .ok();
        webhook.answer("/failed", 500, "out of order");
        assertThat(requests.get(V2 + "/a").message())
                .isEqualTo(
                        FAILED + "an error on the server (\"out of order\") has prevented the request from succeeding");
    }

    @Test
    void answers_withoutAKind_areRejected() {
        answerWith(firstObject(object -> object.without("kind")));
        create(V1, "'hostPort':'a:1'").ok();

        assertThat(requests.get(V2 + "/a").message()).startsWith("Object 'Kind' is missing in '{");
    }

    @Test
    void anUnreachableWebhook_isNamedInTheMessage() throws Exception {
        try (ClosedPort closed = new ClosedPort()) {
            String address = "127.0.0.1:" + closed.number();
            requests.post(DEFINITIONS, definition("'url':'https://" + address + "/x'"))
                    .ok();
            create(V1, "'hostPort':'a:1'").ok();

            assertThat(requests.get(V2 + "/a").message())
                    .isEqualTo(FAILED + "Post \"https://" + address + "/x?timeout=30s\": dial tcp " + address
                            + ": connect: connection refused");
        }
    }

    /** As in kube-apiserver 1.36.3: a write other than an apply forgets the managers, an apply fails. */
    @Test
    void anUnreachableWebhook_doesNotPreventWritesInTheStorageVersion() throws Exception {
        define();
        requests.send("PATCH", V1 + "/a?fieldManager=one", APPLY, applied("v1", "'hostPort':'a:1'"))
                .ok();
        requests.send("PATCH", V2 + "/a?fieldManager=two", APPLY, applied("v2", "'replicas':2"))
                .ok();
        assertThat(managers()).containsExactly("one", "two");
        try (ClosedPort closed = new ClosedPort()) {
            String url = "{'spec':{'conversion':{'webhook':{'clientConfig':{'url':'https://127.0.0.1:" + closed.number()
                    + "/x'}}}}}";
            requests.send("PATCH", DEFINITION, MERGE, url).ok();

            Reply refused =
                    requests.send("PATCH", V1 + "/a?fieldManager=one", APPLY, applied("v1", "'hostPort':'b:2'"));
            assertThat(refused.code()).isEqualTo(500);
            assertThat(refused.message()).startsWith(FAILED + "Post ");
            assertThat(managers()).containsExactly("one", "two");

            requests.send("PATCH", V1 + "/a", MERGE, "{'metadata':{'labels':{'l':'1'}}}")
                    .ok();
            assertThat(managers()).isEmpty();
            requests.send("PATCH", V1 + "/a/status", MERGE, "{'status':{'replicas':1}}")
                    .ok();
            JsonObject read = requests.get(V1 + "/a").ok().body();
            requests.put(V1 + "/a", read.with(List.of("spec", "hostPort"), "c:3"))
                    .ok();
            assertThat(requests.get(V1 + "/a").body().string("spec", "hostPort"))
                    .isEqualTo("c:3");
            assertThat(requests.get(V2 + "/a").code()).isEqualTo(500);
        }
    }

    private static String applied(String version, String spec) {
        return "{'apiVersion':'example.com/" + version + "','kind':'Link','metadata':{'name':'a'},'spec':{" + spec
                + "}}";
    }

    private List<String> managers() {
        return requests.get(V1 + "/a")
                .body()
                .array("metadata", "managedFields")
                .objects()
                .map(entry -> entry.string("manager"))
                .toList();
    }

    @Test
    void aService_isFoundByItsName() {
        requests.post(
                        SERVICES,
                        "{'metadata':{'name':'hook'},'spec':{'type':'ExternalName','externalName':'localhost'}}")
                .ok();
        String service =
                "'service':{'name':'hook','namespace':'default','path':'/convert','port':" + webhook.port() + "}";
        requests.post(DEFINITIONS, definition(service)).ok();
        webhook.answerConversions("/convert", ConversionWebhookTest::convert);
        create(V1, "'hostPort':'a:1'").ok();

        assertThat(requests.get(V2 + "/a").ok().body().string("spec", "port")).isEqualTo("1");
    }

    @Test
    void answers_withTheWrongNumberOfObjects_areRejected() {
        answerWith(response -> ScriptedWebhook.converted(List.of()));
        create(V1, "'hostPort':'a:1'").ok();

        assertThat(requests.get(V2 + "/a").message())
                .isEqualTo("conversion webhook for example.com/v1, Kind=Link returned 0 objects, expected 1");
    }

    @Test
    void answers_inAnotherVersion_areRejected() {
        answerWith(firstObject(object -> object.with("apiVersion", "example.com/v9")));
        create(V1, "'hostPort':'a:1'").ok();

        assertThat(requests.get(V2 + "/a").message())
                .isEqualTo("conversion webhook for example.com/v1, Kind=Link returned invalid object at index 0: "
                        + "invalid groupVersion (expected example.com/v2, received example.com/v9)");
    }

    @Test
    void answers_thatNameAnotherObject_areRejected() {
        answerWith(firstObject(object -> withMetadata(object, "name", JsonValue.parse("\"b\""))));
        create(V1, "'hostPort':'a:1'").ok();

        assertThat(requests.get(V2 + "/a").message())
                .isEqualTo("conversion webhook for example.com/v1, Kind=Link returned invalid object: "
                        + "must have the same name: a != b");
    }

    @Test
    void answers_canChangeLabelsAndAnnotationsOnly() {
        answerWith(firstObject(object -> withMetadata(
                withMetadata(object, "finalizers", JsonValue.parse("[\"example.com/x\"]")),
                "annotations",
                JsonValue.parse("{\"a\":\"b\"}"))));
        create(V1, "'hostPort':'a:1'").ok();

        JsonObject metadata = requests.get(V2 + "/a").ok().body().object("metadata");

        assertThat(metadata.has("finalizers")).isFalse();
        assertThat(metadata.string("annotations", "a")).isEqualTo("b");
    }

    @Test
    void answers_withInvalidLabels_areRejected() {
        answerWith(firstObject(object -> withMetadata(object, "labels", JsonValue.parse("{\"a\":1}"))));
        create(V1, "'hostPort':'a:1'").ok();

        assertThat(requests.get(V2 + "/a").message())
                .isEqualTo("conversion webhook for example.com/v1, Kind=Link returned invalid metadata: "
                        + "metadata.labels[a] must be a string, but is int64 in converted object");
    }

    private static JsonObject withMetadata(JsonObject object, String field, JsonValue value) {
        return object.with("metadata", object.object("metadata").with(field, value));
    }

    @Test
    void aNewStorageVersion_appliesToTheNextWrite() {
        define();
        create(V1, "'hostPort':'a:1'").ok();
        JsonObject definition = requests.get(DEFINITION).body();
        String swapped = definition
                .toString()
                .replace("\"storage\":true", "\"storage\":null")
                .replace("\"storage\":false", "\"storage\":true")
                .replace("\"storage\":null", "\"storage\":false");
        requests.put(DEFINITION, JsonObject.parse(swapped)).ok();
        int before = calls();

        requests.get(V1 + "/a").ok();
        assertThat(calls()).isEqualTo(before); // still stored in v1
        requests.send("PATCH", V1 + "/a", MERGE, "{'spec':{'replicas':2}}").ok();
        before = calls();
        requests.get(V2 + "/a").ok();

        assertThat(calls()).isEqualTo(before);
        assertThat(requests.get(V1 + "/a").ok().body().string("spec", "hostPort"))
                .isEqualTo("a:1");
    }

    @Test
    void theObjectsOfADeletedDefinition_areRemovedWithoutTheWebhook() {
        requests.post(DEFINITIONS, definition(url("/none"))).ok();
        webhook.answer("/none", 503, "down");
        create(V1, "'hostPort':'a:1'").ok();

        requests.delete(DEFINITION).ok();

        assertThat(requests.get(DEFINITION).code()).isEqualTo(404);
    }
}
