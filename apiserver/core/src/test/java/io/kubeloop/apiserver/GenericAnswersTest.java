/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.Calls.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The answers of the generic registry to bad requests, literally as kube-apiserver 1.36.3 returns them. */
class GenericAnswersTest extends GenericServerFixture {

    private static final String A = CONFIG_MAPS + "/a";
    private static final String MERGE = "application/merge-patch+json";
    private static final String STRATEGIC = "application/strategic-merge-patch+json";
    private static final String JSON_PATCH = "application/json-patch+json";
    private static final String APPLY = "application/apply-patch+yaml";
    private static final String SCHEME = "in scheme \"pkg/runtime/scheme.go:111\"";

    private void assertAnswer(Answer reply, int code, String message) {
        assertThat(reply.message()).isEqualTo(message);
        assertThat(reply.code()).isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'kind':'Nothing'} | no kind \"Nothing\" is registered for version \"v1\"",
                "{'apiVersion':'none.example.com/v9'} | no kind \"ConfigMap\" is registered for version "
                        + "\"none.example.com/v9\""
            })
    void post_kindThatNoServerKnows(String body, String problem) {
        Answer reply = requests.post(CONFIG_MAPS, body);
        assertThat(reply.code()).isEqualTo(400);
        assertThat(reply.message()).endsWith(" cannot be handled as a ConfigMap: " + problem + " " + SCHEME);
    }

    @Test
    void post_nestedTooDeep_isRefusedWithoutEndingTheThread() {
        String deep = "{'a':".repeat(20_000) + "1" + "}".repeat(20_000);
        assertAnswer(
                requests.post(CONFIG_MAPS, deep),
                400,
                "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse"
                        + " error: invalid character '{' exceeded max depth"
                        + " ({\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\": ...)");
    }

    @Test
    void post_withAVersion_isRefusedByTheStorageOnly() {
        String body = "{'metadata':{'name':'a','resourceVersion':'7'}}";
        assertThat(requests.post(CONFIG_MAPS + "?dryRun=All", body).ok().version())
                .isEqualTo("7");
        assertAnswer(
                requests.post(CONFIG_MAPS, body), 500, "resourceVersion should not be set on objects to be created");
        String invalid = "{'metadata':{'name':'A','resourceVersion':'7'}}";
        assertThat(requests.post(CONFIG_MAPS, invalid).code()).isEqualTo(422);
    }

    @Test
    void post_keepsAGenerationThatTheKindDoesNotCount() {
        String body = "{'metadata':{'name':'a','generation':7}}";
        assertThat(requests.post(CONFIG_MAPS, body).ok().body().number("metadata", "generation"))
                .isEqualTo(7);
        assertAnswer(
                requests.post(CONFIG_MAPS, "{'metadata':{'name':'b','generation':-1}}"),
                422,
                "ConfigMap \"b\" is invalid: metadata.generation: Invalid value: -1: must be greater than or "
                        + "equal to 0");
    }

    @ParameterizedTest
    @CsvSource({"POST,CreateOptions", "PUT,UpdateOptions", "DELETE,DeleteOptions"})
    void dryRun_withoutValue_isNoDryRun(String method, String options) {
        createConfigMap("a", "");
        Answer reply = requests.send(
                method,
                (method.equals("POST") ? CONFIG_MAPS : A) + "?dryRun=",
                method.equals("DELETE") ? null : "{'metadata':{'name':'a'}}");
        assertAnswer(
                reply,
                422,
                options + ".meta.k8s.io \"\" is invalid: dryRun: Unsupported value: [\"\"]: supported values: \"All\"");
        requests.get(A).ok();
    }

    @Test
    void put_anotherNamespace() {
        createConfigMap("a", "");
        assertAnswer(
                requests.send("PUT", A, "{'metadata':{'name':'b','namespace':'other'}}"),
                400,
                "the namespace of the provided object does not match the namespace sent on the request");
        assertAnswer(
                requests.send("PUT", A, "{'metadata':{'name':'b'}}"),
                400,
                "the name of the object (b) does not match the name on the URL (a)");
    }

    @Test
    void put_namesWithControlCharacters_areQuotedAsInGo() {
        assertAnswer(requests.get(CONFIG_MAPS + "/\u0000"), 404, "configmaps \"\\x00\" not found");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[{'op':'test','path':'/metadata/name','value':'b'}]",
                "[{'op':'remove','path':'/metadata/labels'}]",
                "[{'op':'add','path':'/x/y','value':1}]",
                "[{'op':'nothing','path':'/metadata'}]",
                "[{'op':'add','value':1}]",
            })
    void jsonPatch_thatDoesNotFit(String patch) {
        createConfigMap("a", "");
        Answer reply = requests.send("PATCH", A, JSON_PATCH, patch);
        assertAnswer(reply, 422, "the server rejected our request due to an error in our request");
        assertThat(reply.reason()).isEqualTo("Invalid");
        assertThat(reply.body().object("details").isEmpty()).isTrue();
        assertThat(reply.body().has("details")).isTrue();
    }

    @Test
    void jsonPatch_withTooManyOperations() {
        createConfigMap("a", "");
        String operation = "{'op':'test','path':'/kind','value':'ConfigMap'},";
        String patch = "[" + operation.repeat(10_000) + operation.substring(0, operation.length() - 1) + "]";
        assertAnswer(
                requests.send("PATCH", A, JSON_PATCH, patch),
                413,
                "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'metadata':{'labels':'x'}} | map[metadata:map[labels:x]] | cannot restore map from string",
                "{'data':{'a':1}}            | map[data:map[a:1]]          | cannot convert int64 to string",
                "{'data':{'a':{}}}           | map[data:map[a:map[]]]      | unrecognized type: string",
                "{'immutable':'x'}           | map[immutable:x]            | unrecognized type: bool",
                "{'metadata':{'finalizers':1}} | map[metadata:map[finalizers:1]] | cannot restore slice from int64",
                "{'metadata':{'ownerReferences':['x']}} | map[metadata:map[ownerReferences:[x]]] | cannot restore "
                        + "struct from: string",
                "{'binaryData':{'x':'!'}}    | map[binaryData:map[x:!]]    | error decoding from json: illegal base64 "
                        + "data at input byte 0",
            })
    void strategicPatch_ofAWrongType(String patch, String shown, String problem) {
        createConfigMap("a", "");
        assertAnswer(
                requests.send("PATCH", A, STRATEGIC, patch),
                422,
                " \"\" is invalid: patch: Invalid value: \"" + shown + "\": " + problem);
    }

    @Test
    void strategicPatch_withUnknownAndDuplicateFields_strictly() {
        createConfigMap("a", "");
        assertAnswer(
                requests.send("PATCH", A + "?fieldValidation=Strict", STRATEGIC, "{'nothing':1,'nothing':2}"),
                422,
                " \"\" is invalid: patch: Invalid value: \"map[nothing:2]\": strict decoding error: duplicate field"
                        + " \"nothing\", unknown field \"nothing\"");
        assertThat(requests.send("PATCH", A, STRATEGIC, "{'nothing':1}").ok().warnings())
                .hasSize(1);
    }

    @Test
    void mergePatch_thatChangesTheKind() {
        createConfigMap("a", "");
        Answer reply = requests.send("PATCH", A, MERGE, "{'kind':'Nothing'}");
        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.message()).endsWith("no kind \"Nothing\" is registered for version \"v1\" " + SCHEME);
        assertThat(reply.message())
                .contains("{\\\"apiVersion\\\":\\\"v1\\\",\\\"kind\\\":\\\"Nothing\\\",\\\"metadata\\\":"
                        + "{\\\"name\\\":\\\"a\\\",\\\"namespace\\\":\\\"default\\\",\\\"uid\\\":");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{a: b: c | did not find expected ',' or '}'",
                "a: b: c  | mapping values are not allowed in this context",
                "a: *x    | unknown anchor 'x' referenced",
                "@x       | found character that cannot start any token",
            })
    void apply_ofBadYaml(String body, String problem) {
        assertAnswer(
                requests.send("PATCH", A + "?fieldManager=one", APPLY, body),
                400,
                "error decoding patch: error converting YAML to JSON: yaml: " + problem);
    }

    @Test
    void apply_withKeysThatOccurTwice_afterTheApply() {
        String body = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: '1'\n  a: '2'\n";
        assertAnswer(
                requests.send("PATCH", A + "?fieldManager=one&fieldValidation=Strict", APPLY, body),
                400,
                "error strict decoding patch: error converting YAML to JSON: yaml: unmarshal errors:\n"
                        + "  line 6: key \"a\" already set in map");
        assertThat(requests.send("PATCH", A + "?fieldManager=one", APPLY, body)
                        .ok()
                        .warnings()
                        .toString())
                .contains("line 6: key \"a\" already set in map");
    }

    @Test
    void apply_ofAVersionThatCannotBeParsed() {
        assertAnswer(
                requests.send(
                        "PATCH",
                        A + "?fieldManager=one",
                        APPLY,
                        "{'apiVersion':'a/b/c','kind':'ConfigMap','metadata':{}}"),
                400,
                "invalid object type: /, Kind=");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'kind':'Pod','apiVersion':'v1'} | no kind \"Pod\" is registered for version \"v1\" in scheme "
                        + "\"pkg/runtime/scheme.go:111\"",
                "{'kind':'Pod'} | no kind \"Pod\" is registered for version \"meta.k8s.io/v1\" in scheme "
                        + "\"pkg/runtime/scheme.go:111\"",
                "{ | couldn't get version/kind; json parse error: unexpected end of JSON input",
                "{'gracePeriodSeconds':1.5} | json: cannot unmarshal number 1.5 into Go struct field "
                        + "DeleteOptions.gracePeriodSeconds of type int64",
            })
    void delete_withBadOptions(String options, String message) {
        createConfigMap("a", "");
        assertAnswer(requests.delete(A, options), 400, message);
        requests.get(A).ok();
    }

    @Test
    void delete_ignoresUnknownOptionsAndTheirVersion() {
        createConfigMap("a", "");
        requests.delete(A, "{'kind':'DeleteOptions','apiVersion':'none/v1','nothing':1}")
                .ok();
        assertThat(requests.get(A).code()).isEqualTo(404);
        createConfigMap("a", "");
        requests.delete(A, "null").ok();
        assertThat(requests.get(A).code()).isEqualTo(404);
    }

    @Test
    void put_emptyManagedFields_resetsThem() {
        createConfigMap("a", "");
        Answer reply = requests.send("PUT", A, "{'metadata':{'name':'a','managedFields':[]},'data':{'a':'1'}}");
        assertThat(reply.ok().body().object("metadata").has("managedFields")).isFalse();
    }

    @Test
    void documents_haveTheOrderOfGo() {
        String labels = "{'metadata':{'labels':{'a':'b'},'name':'a'},'data':{'a':'1'}}";
        String body = requests.post(CONFIG_MAPS, labels).ok().body().toString();
        assertThat(body)
                .startsWith("{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\",\"namespace\":"
                        + "\"default\",\"uid\":");
        assertThat(body).containsPattern("\"resourceVersion\":\"\\d+\",\"creationTimestamp\":\"[^\"]+\",\"labels\":");
    }
}
