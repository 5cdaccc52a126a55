/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.http.BearerTokens;
import io.kubeloop.apiserver.http.HttpApiServer;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.Requests;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Roles decide what the clients of the HTTP front end may do, in the words of kube-apiserver 1.36.3. Each test has
 * users of its own.
 */
class AuthorizationTest {

    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";
    private static final String REVIEWS = "/apis/authorization.k8s.io/v1/";
    private static final String PODS = "/api/v1/namespaces/default/pods";

    /** A request for a client certificate of the controller manager. */
    private static final String REQUEST =
            "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIa01JR0xBZ0VBTUNreEp6QWxCZ05WQkFNTUhuTjVjM1Js"
                    + "YlRwcmRXSmxMV052Ym5SeWIyeHNaWEl0YldGdQpZV2RsY2pCWk1CTUdCeXFHU000OUFnRUdDQ3FHU000OUF3RUhBMElBQkxB"
                    + "bmtqejlXVmx0d05DY0ZpblNhRkswClo5TUljVXgyUTFYbUdwaXE3ZFpNTkk2MUlEaCtYVFRnZWZla1BFbE9kQWVobllrK01O"
                    + "NjBQK1pXOEQ3KytRNmcKQURBS0JnZ3Foa2pPUFFRREFnTklBREJGQWlBSjhCc2puUHFwdzhzM05saWVKMmJXQTdIQ1lqT2xI"
                    + "d3M2OHBubgo2b21iV1FJaEFKRFMwM0VNcXFqdlhQeTlmdmM0SzEvUGtjREhqNEdWR2VXZTdyWmlVcnFtCi0tLS0tRU5EIENF"
                    + "UlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=";

    /** A request for the certificate of a pod, without a name of its owner. */
    private static final String STUB =
            "MIHRMHkCAQAwFzEVMBMGA1UEAwwMY29udmVyc2F0aW9uMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEnhKtS4KzXCJq9ogd"
                    + "mzMxYxsPCYu30MFrvX6QCUQSXBcwZQ0QeSCzBGw0kYLoZFHDYnAAbdL7M2DpdyQooLTtrKAAMAoGCCqGSM49BAMCA0gA"
                    + "MEUCIDaIhqfBf9kXF5wS9aY8wzqwzQY+tkJQC2OX2CoNXVLuAiEAt2l0hJ9wFWtjRskojcg/RdxNjxGV3Molf+CUvLEV"
                    + "vV8=";

    private static ControlPlane plane;
    private static Requests admin;
    private static HttpClient client;

    /** A response over HTTP. */
    private record Answer(int code, JsonObject body) {

        String message() {
            return body.string("message");
        }
    }

    @BeforeAll
    static void start() {
        HttpApiServer.Config config = HttpApiServer.Config.DEFAULT.withTokens(BearerTokens.of(Map.of(
                "root", new BearerTokens.User("root", "", List.of("system:masters")),
                "dev", new BearerTokens.User("dan", "", List.of("devs")))));
        plane = ControlPlane.builder().http(config).roles(true).start();
        admin = new Requests(plane.transport());
        client = HttpClient.newHttpClient();
    }

    @AfterAll
    static void stop() {
        plane.close();
    }

    private static Answer send(String token, String method, String path, String body, String... headers)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(plane.uri().resolve(path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')));
        if (headers.length > 0) {
            request.headers(headers);
        }
        HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        String text = response.body();
        return new Answer(response.statusCode(), text.startsWith("{") ? JsonObject.parse(text) : JsonObject.EMPTY);
    }

    private static Answer as(String user, String method, String path, String body) throws Exception {
        return send("root", method, path, body, "Impersonate-User", user);
    }

    private static Answer as(String user, String path) throws Exception {
        return as(user, "GET", path, "");
    }

    private static void bind(String scope, String name, String role, String subject) {
        String kind = scope.isEmpty() ? "clusterrolebindings" : "namespaces/" + scope + "/rolebindings";
        admin.post(
                        RBAC + kind,
                        "{'metadata':{'name':'" + name + "'},'subjects':[" + subject + "],'roleRef':{'apiGroup':"
                                + "'rbac.authorization.k8s.io'," + role + "}}")
                .ok();
    }

    private static String user(String name) {
        return "{'apiGroup':'rbac.authorization.k8s.io','kind':'User','name':'" + name + "'}";
    }

    @Test
    void userWithoutRoles_isForbidden() throws Exception {
        Answer list = as("nobody", PODS);
        assertThat(list.code()).isEqualTo(403);
        assertThat(list.body().string("reason")).isEqualTo("Forbidden");
        assertThat(list.message())
                .isEqualTo("pods is forbidden: User \"nobody\" cannot list resource \"pods\" in API group \"\" in the"
                        + " namespace \"default\"");
        assertThat(list.body().object("details")).hasToString("{\"kind\":\"pods\"}");
        assertThat(as("nobody", "PUT", "/apis/apps/v1/namespaces/a/deployments/d/scale", "{}")
                        .message())
                .isEqualTo("deployments.apps \"d\" is forbidden: User \"nobody\" cannot update resource"
                        + " \"deployments/scale\" in API group \"apps\" in the namespace \"a\"");
        assertThat(as("nobody", "/api/v1/nodes?watch=1").message())
                .isEqualTo("nodes is forbidden: User \"nobody\" cannot watch resource \"nodes\" in API group \"\" at"
                        + " the cluster scope");
        assertThat(as("nobody", "DELETE", PODS, "").message()).contains("cannot deletecollection resource");
        assertThat(as("nobody", "/metrics").message())
                .isEqualTo("forbidden: User \"nobody\" cannot get path \"/metrics\"");
        assertThat(as("nobody", "/api/v1/namespaces/kube-system").message())
                .contains("cannot get resource \"namespaces\" in API group \"\" in the namespace \"kube-system\"");
    }

    @Test
    void everyUser_canDiscover() throws Exception {
        for (String path : List.of("/api", "/apis", "/apis/apps/v1", "/version", "/healthz", "/openapi/v3")) {
            assertThat(as("reader", path).code()).as(path).isEqualTo(200);
        }
    }

    /** The answer to the certificate request of a pod needs a permission for the signer beside that of the status. */
    @Test
    void podCertificate_isSignedByUsersOfItsSigner() throws Exception {
        String requests = "/apis/certificates.k8s.io/v1/namespaces/default/podcertificaterequests";
        admin.post(
                        requests,
                        "{'metadata':{'name':'r'},'spec':{'signerName':'example.com/signer','podName':'p','podUID':'1',"
                                + "'serviceAccountName':'s','serviceAccountUID':'2','nodeName':'n','nodeUID':'3',"
                                + "'maxExpirationSeconds':86400,'stubPKCS10Request':'" + STUB + "'}}")
                .ok();
        createRole("pod-certificates", "'podcertificaterequests/status'", "'get','update','patch'", "");
        createRole("pod-signer", "'signers'", "'sign'", ",'resourceNames':['example.com/signer']");
        for (String name : List.of("scribe", "signer")) {
            bind("", name + "-status", "'kind':'ClusterRole','name':'pod-certificates'", user(name));
        }
        bind("", "signer-sign", "'kind':'ClusterRole','name':'pod-signer'", user("signer"));
        String denial = "{'status':{'conditions':[{'type':'Denied','status':'True','reason':'No','message':'no',"
                + "'lastTransitionTime':'2026-01-01T00:00:00Z'}]}}";

        Answer refused = patch("scribe", requests + "/r/status", denial);
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .isEqualTo(
                        "PodCertificateRequest.certificates.k8s.io \"r\" is invalid: spec.signerName: Forbidden: User"
                                + " \"scribe\" is not permitted to \"sign\" for signer \"example.com/signer\"");
        Answer denied = patch("signer", requests + "/r/status", denial);
        assertThat(denied.code()).as(denied.message()).isEqualTo(200);
        // A write that changes nothing needs no permission.
        assertThat(patch("scribe", requests + "/r/status", denial).code()).isEqualTo(200);
    }

    private static Answer patch(String user, String path, String patch) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(plane.uri().resolve(path))
                .header("Authorization", "Bearer root")
                .header("Impersonate-User", user)
                .header("Content-Type", "application/merge-patch+json")
                .method("PATCH", HttpRequest.BodyPublishers.ofString(patch.replace('\'', '"')))
                .build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        return new Answer(response.statusCode(), JsonObject.parse(response.body()));
    }

    private static void createRole(String name, String resources, String verbs, String more) {
        admin.post(
                        RBAC + "clusterroles",
                        "{'metadata':{'name':'" + name + "'},'rules':[{'apiGroups':['certificates.k8s.io'],"
                                + "'resources':[" + resources + "],'verbs':[" + verbs + "]" + more + "}]}")
                .ok();
    }

    @Test
    void aggregatedRole_appliesInTheNamespaceOfItsBinding() throws Exception {
        bind("default", "jane", "'kind':'ClusterRole','name':'edit'", user("jane"));

        assertThat(as("jane", PODS).code()).isEqualTo(200);
        assertThat(as("jane", "POST", "/api/v1/namespaces/default/configmaps", "{'metadata':{'name':'c'}}")
                        .code())
                .isEqualTo(201);
        assertThat(as("jane", "/api/v1/namespaces/kube-system/pods").code()).isEqualTo(403);
        assertThat(as("jane", "/api/v1/pods").code()).isEqualTo(403);
        assertThat(as("jane", RBAC + "namespaces/default/roles").code()).isEqualTo(403);
    }

    @Test
    void rules_canNameObjectsSubresourcesAndPaths() throws Exception {
        admin.post(
                        RBAC + "clusterroles",
                        "{'metadata':{'name':'special'},'rules':[{'apiGroups':[''],'resources':['configmaps'],"
                                + "'resourceNames':['one'],'verbs':['get','list']},{'apiGroups':['*'],"
                                + "'resources':['*/scale'],"
                                + "'verbs':['*']},{'nonResourceURLs':['/logs/*'],'verbs':['get']}]}")
                .ok();
        bind("", "sam", "'kind':'ClusterRole','name':'special'", user("sam"));
        String maps = "/api/v1/namespaces/default/configmaps";

        assertThat(as("sam", maps + "/one").code()).isEqualTo(404);
        assertThat(as("sam", maps + "/two").code()).isEqualTo(403);
        assertThat(as("sam", maps).code()).isEqualTo(403);
        assertThat(as("sam", maps + "?fieldSelector=metadata.name%3Done").code())
                .isEqualTo(200);
        assertThat(as("sam", "/apis/apps/v1/namespaces/default/deployments/d/scale")
                        .code())
                .isEqualTo(404);
        assertThat(as("sam", "/apis/apps/v1/namespaces/default/deployments/d").code())
                .isEqualTo(403);
        assertThat(as("sam", "/logs/x").code()).isEqualTo(404);
    }

    @Test
    void serviceAccount_hasTheRolesOfItsBindings() throws Exception {
        String token = admin.post("/api/v1/namespaces/default/serviceaccounts/default/token", "{'spec':{}}")
                .ok()
                .body()
                .string("status", "token");
        assertThat(send(token, "GET", PODS, "").message())
                .startsWith("pods is forbidden: User \"system:serviceaccount:default:default\" cannot list");

        bind("default", "sa", "'kind':'ClusterRole','name':'view'", "{'kind':'ServiceAccount','name':'default'}");
        assertThat(send(token, "GET", PODS, "").code()).isEqualTo(200);
    }

    @Test
    void impersonation_needsAPermission() throws Exception {
        assertThat(send("dev", "GET", PODS, "", "Impersonate-User", "jim").message())
                .isEqualTo("users \"jim\" is forbidden: User \"dan\" cannot impersonate resource \"users\" in API"
                        + " group \"\" at the cluster scope");
        assertThat(send("dev", "GET", PODS, "", "Impersonate-User", "system:serviceaccount:a:b")
                        .message())
                .isEqualTo("serviceaccounts \"b\" is forbidden: User \"dan\" cannot impersonate resource"
                        + " \"serviceaccounts\" in API group \"\" in the namespace \"a\"");
        admin.post(
                        RBAC + "clusterroles",
                        "{'metadata':{'name':'actor'},'rules':[{'apiGroups':[''],'resources':['users'],"
                                + "'verbs':['impersonate']}]}")
                .ok();
        bind(
                "",
                "dan",
                "'kind':'ClusterRole','name':'actor'",
                "{'apiGroup':'rbac.authorization.k8s.io','kind':'Group','name':'devs'}");

        assertThat(send("dev", "GET", PODS, "", "Impersonate-User", "jim").message())
                .startsWith("pods is forbidden: User \"jim\"");
        assertThat(send("dev", "GET", PODS, "", "Impersonate-User", "jim", "Impersonate-Group", "system:masters")
                        .message())
                .contains("cannot impersonate resource \"groups\"");
    }

    @Test
    void reviews_answerByRoles() throws Exception {
        bind("default", "rita", "'kind':'ClusterRole','name':'view'", user("rita"));
        bind("default", "rita-lost", "'kind':'Role','name':'lost'", user("rita"));
        String list = "{'spec':{'resourceAttributes':{'verb':'list','resource':'pods','namespace':'%s'}}}";

        Answer yes = as("rita", "POST", REVIEWS + "selfsubjectaccessreviews", String.format(list, "default"));
        assertThat(yes.body().object("status"))
                .isEqualTo(JsonObject.EMPTY
                        .with("allowed", true)
                        .with(
                                "reason",
                                "RBAC: allowed by RoleBinding \"rita/default\" of ClusterRole \"view\" to "
                                        + "User \"rita\""));
        Answer no = as("rita", "POST", REVIEWS + "selfsubjectaccessreviews", String.format(list, "other"));
        assertThat(no.body().object("status")).isEqualTo(JsonObject.EMPTY.with("allowed", false));
        JsonObject other = admin.post(
                        REVIEWS + "subjectaccessreviews",
                        "{'spec':{'user':'rita','resourceAttributes':{'verb':'delete','resource':'pods',"
                                + "'namespace':'default'}}}")
                .ok()
                .body();
        assertThat(other.object("status"))
                .isEqualTo(JsonObject.EMPTY
                        .with("allowed", false)
                        .with("reason", "RBAC: role.rbac.authorization.k8s.io \"lost\" not found"));
        JsonObject rules = as("rita", "POST", REVIEWS + "selfsubjectrulesreviews", "{'spec':{'namespace':'default'}}")
                .body()
                .object("status");
        assertThat(rules.array("resourceRules").objects())
                .anyMatch(rule -> rule.array("resources").strings().anyMatch("pods"::equals));
        assertThat(rules.array("nonResourceRules").objects())
                .anyMatch(rule -> rule.array("nonResourceURLs").strings().anyMatch("/healthz"::equals));
    }

    private static void allow(String user, String rules) {
        admin.post(RBAC + "clusterroles", "{'metadata':{'name':'role-of-" + user + "'},'rules':[" + rules + "]}")
                .ok();
        bind("", user, "'kind':'ClusterRole','name':'role-of-" + user + "'", user(user));
    }

    private static final String WRITES_ROLES =
            "{'apiGroups':['rbac.authorization.k8s.io'],'resources':['*'],'verbs':['create','update','patch','get']}";

    @Test
    void role_needsThePermissionsThatItGrants() throws Exception {
        allow("rob", WRITES_ROLES + ",{'apiGroups':[''],'resources':['pods'],'verbs':['get','list']}");
        String role = "{'metadata':{'name':'r'},'rules':[{'apiGroups':['','apps'],'resources':['pods'],"
                + "'verbs':['get','delete']},{'nonResourceURLs':['/x'],'verbs':['get']},{'apiGroups':[''],"
                + "'resources':['secrets'],'resourceNames':['a'],'verbs':['*']}]}";

        Answer refused = as("rob", "POST", RBAC + "clusterroles", role);

        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.message())
                .isEqualTo("clusterroles.rbac.authorization.k8s.io \"r\" is forbidden: user \"rob\" (groups=[\"system:"
                        + "authenticated\"]) is attempting to grant RBAC permissions not currently held:\n"
                        + "{APIGroups:[\"\"], Resources:[\"pods\"], Verbs:[\"delete\"]}\n"
                        + "{APIGroups:[\"\"], Resources:[\"secrets\"], ResourceNames:[\"a\"], Verbs:[\"*\"]}\n"
                        + "{APIGroups:[\"apps\"], Resources:[\"pods\"], Verbs:[\"get\" \"delete\"]}\n"
                        + "{NonResourceURLs:[\"/x\"], Verbs:[\"get\"]}");
        assertThat(refused.body().object("details"))
                .isEqualTo(JsonObject.parse(
                        "{\"name\":\"r\",\"group\":\"rbac.authorization.k8s.io\",\"kind\":\"clusterroles\"}"));
        String held = "{'metadata':{'name':'held'},'rules':[{'apiGroups':[''],'resources':['pods'],'verbs':['get']}]}";
        assertThat(as("rob", "POST", RBAC + "namespaces/default/roles", held).code())
                .isEqualTo(201);
        assertThat(as("rob", "PUT", RBAC + "namespaces/default/roles/held", held.replace("'pods'", "'pods','nodes'"))
                        .message())
                .startsWith("roles.rbac.authorization.k8s.io \"held\" is forbidden: user \"rob\"")
                .endsWith("\n{APIGroups:[\"\"], Resources:[\"nodes\"], Verbs:[\"get\"]}");
    }

    @Test
    void role_ofAUserThatMayEscalate_isAccepted() throws Exception {
        allow("eve", WRITES_ROLES.replace("'get'", "'get','escalate'"));

        assertThat(as(
                                "eve",
                                "POST",
                                RBAC + "clusterroles",
                                "{'metadata':{'name':'e'},'rules':[{'apiGroups':['*'],'resources':['*'],'verbs':['*']}"
                                        + "]}")
                        .code())
                .isEqualTo(201);
    }

    @Test
    void aggregationRule_needsEveryPermission() throws Exception {
        allow("amy", WRITES_ROLES);
        admin.post(
                        RBAC + "clusterroles",
                        "{'metadata':{'name':'agg'},'aggregationRule':{'clusterRoleSelectors':[{'matchLabels':"
                                + "{'a':'b'}}]}}")
                .ok();
        String refusal = "must have cluster-admin privileges to use the aggregationRule";

        assertThat(as(
                                "amy",
                                "POST",
                                RBAC + "clusterroles",
                                "{'metadata':{'name':'agg2'},'aggregationRule':{'clusterRoleSelectors':[{}]}}")
                        .message())
                .endsWith(refusal);
        assertThat(as("amy", "PUT", RBAC + "clusterroles/agg", "{'metadata':{'name':'agg'}}")
                        .message())
                .endsWith(refusal);
    }

    @Test
    void aChangeOfFieldsOfTheCollector_grantsNothing() throws Exception {
        allow("gus", WRITES_ROLES);
        JsonObject role = admin.post(
                        RBAC + "clusterroles",
                        "{'metadata':{'name':'big','finalizers':['example.com/a']},'rules':[{'apiGroups':['*'],"
                                + "'resources':['*'],'verbs':['*']}]}")
                .ok()
                .body();
        String without = role.toString().replace("\"finalizers\":[\"example.com/a\"],", "");

        assertThat(as("gus", "PUT", RBAC + "clusterroles/big", without).code()).isEqualTo(200);
    }

    @Test
    void binding_needsThePermissionsOfItsRole_orTheVerbBind() throws Exception {
        allow("ben", WRITES_ROLES);
        String bindings = RBAC + "namespaces/default/rolebindings";
        String body = "{'metadata':{'name':'%s'},'subjects':[" + user("x") + "],'roleRef':{'apiGroup':"
                + "'rbac.authorization.k8s.io','kind':'%s','name':'%s'}}";

        Answer refused = as("ben", "POST", bindings, String.format(body, "b", "ClusterRole", "cluster-admin"));
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.message())
                .isEqualTo("rolebindings.rbac.authorization.k8s.io \"b\" is forbidden: user \"ben\" (groups=[\"system:"
                        + "authenticated\"]) is attempting to grant RBAC permissions not currently held:\n"
                        + "{APIGroups:[\"*\"], Resources:[\"*\"], Verbs:[\"*\"]}\n"
                        + "{NonResourceURLs:[\"*\"], Verbs:[\"*\"]}");
        assertThat(as("ben", "POST", RBAC + "clusterrolebindings", String.format(body, "b", "ClusterRole", "view"))
                        .code())
                .isEqualTo(403);
        Answer missing = as("ben", "POST", bindings, String.format(body, "b", "Role", "none"));
        assertThat(missing.code()).isEqualTo(404);
        assertThat(missing.message()).isEqualTo("rolebindings.rbac.authorization.k8s.io \"none\" not found");
        assertThat(as("ben", "POST", RBAC + "clusterrolebindings", String.format(body, "b", "Role", "none"))
                        .message())
                .isEqualTo("Namespace parameter required.");

        admin.post(
                        RBAC + "clusterroles",
                        "{'metadata':{'name':'binder'},'rules':[{'apiGroups':['rbac.authorization.k8s.io'],"
                                + "'resources':['clusterroles'],'resourceNames':['view'],'verbs':['bind']}]}")
                .ok();
        bind("default", "ben-binds", "'kind':'ClusterRole','name':'binder'", user("ben"));
        assertThat(as("ben", "POST", bindings, String.format(body, "b", "ClusterRole", "view"))
                        .code())
                .isEqualTo(201);
        assertThat(as("ben", "POST", bindings, String.format(body, "c", "ClusterRole", "edit"))
                        .code())
                .isEqualTo(403);
    }

    @Test
    void restoredRoles_areThoseOfTheServer() {
        JsonObject role = admin.get(RBAC + "clusterroles/cluster-admin").ok().body();
        assertThat(role.string("metadata", "labels", "kubernetes.io/bootstrapping"))
                .isEqualTo("rbac-defaults");
        assertThat(role.string("metadata", "uid")).isNotEqualTo("@uid").isNotEmpty();
        JsonObject again =
                admin.put(RBAC + "clusterroles/cluster-admin", role).ok().body();
        assertThat(again).isEqualTo(role);
    }

    @Test
    void restoredBindings_referToRestoredRoles() {
        List<String> roles = admin.get(RBAC + "clusterroles")
                .ok()
                .body()
                .array("items")
                .objects()
                .map(role -> role.string("metadata", "name"))
                .toList();
        List<String> referred = admin.get(RBAC + "clusterrolebindings")
                .ok()
                .body()
                .array("items")
                .objects()
                .filter(binding -> binding.object("metadata", "labels").has("kubernetes.io/bootstrapping"))
                .map(binding -> binding.string("roleRef", "name"))
                .toList();
        assertThat(referred).contains("cluster-admin", "system:discovery", "system:controller:deployment-controller");
        assertThat(roles).containsAll(referred);
    }

    private static void grant(String user, String rules) {
        admin.post(RBAC + "clusterroles", "{'metadata':{'name':'" + user + "'},'rules':[" + rules + "]}")
                .ok();
        bind("", user, "'kind':'ClusterRole','name':'" + user + "'", user(user));
    }

    /** Whoever may update requests only must not approve a certificate of another user. */
    @Test
    void certificates_needPermissionsForTheirSigner() throws Exception {
        String requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
        admin.post(
                        requests,
                        "{'metadata':{'name':'x'},'spec':{'signerName':'example.com/clients','usages':['client "
                                + "auth'],'request':'"
                                + REQUEST + "'}}")
                .ok();
        grant(
                "mallory",
                "{'apiGroups':['certificates.k8s.io'],'resources':['certificatesigningrequests',"
                        + "'certificatesigningrequests/approval',"
                        + "'certificatesigningrequests/status'],'verbs':['get','update','patch']}");
        String approved = "{'status':{'conditions':[{'type':'Approved','status':'True','reason':'x'}]}}";
        String signed = "{'status':{'conditions':[{'type':'Failed','status':'True','reason':'x'}]}}";
        String merge = "application/merge-patch+json";

        Answer refused = patch("mallory", requests + "/x/approval", merge, approved);
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.message())
                .isEqualTo("certificatesigningrequests.certificates.k8s.io \"x\" is forbidden: user not permitted to "
                        + "approve"
                        + " requests with signerName \"example.com/clients\"");
        assertThat(patch("mallory", requests + "/x/status", merge, signed).message())
                .isEqualTo(
                        "certificatesigningrequests.certificates.k8s.io \"x\" is forbidden: user not permitted to sign"
                                + " requests with signerName \"example.com/clients\"");
        assertThat(patch("mallory", requests + "/x/status", merge, "{'metadata':{'labels':{'a':'b'}}}")
                        .code())
                .isEqualTo(200);

        grant(
                "approver",
                "{'apiGroups':['certificates.k8s.io'],'resources':['certificatesigningrequests/approval'],"
                        + "'verbs':['patch']},"
                        + "{'apiGroups':['certificates.k8s.io'],'resources':['signers'],"
                        + "'resourceNames':['example.com/*'],'verbs':['approve']}");
        assertThat(patch("approver", requests + "/x/approval", merge, approved).code())
                .isEqualTo(200);
    }

    private static Answer patch(String user, String path, String type, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(plane.uri().resolve(path))
                .headers("Authorization", "Bearer root", "Content-Type", type, "Impersonate-User", user)
                .method("PATCH", HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')))
                .build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        return new Answer(response.statusCode(), JsonObject.parse(response.body()));
    }

    /** An update or an apply that creates an object needs the verb create, too. */
    @Test
    void creationByUpdate_needsTheVerbCreate() throws Exception {
        grant(
                "updater",
                "{'apiGroups':['','coordination.k8s.io'],'resources':['configmaps','leases'],'verbs':['get','update',"
                        + "'patch']}");
        String apply = "application/apply-patch+yaml";
        String maps = "/api/v1/namespaces/default/configmaps/";
        String map = "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'applied'}}";
        Answer refused = patch("updater", maps + "applied?fieldManager=m", apply, map);
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.message())
                .isEqualTo(
                        "configmaps \"applied\" is forbidden: User \"updater\" cannot create resource \"configmaps\" in"
                                + " API group \"\" in the namespace \"default\"");
        assertThat(as(
                                "updater",
                                "PUT",
                                "/apis/coordination.k8s.io/v1/namespaces/default/leases/put",
                                "{'metadata':{'name':'put'}}")
                        .message())
                .isEqualTo("leases.coordination.k8s.io \"put\" is forbidden: User \"updater\" cannot create resource"
                        + " \"leases\" in API group \"coordination.k8s.io\" in the namespace \"default\"");
        admin.post("/api/v1/namespaces/default/configmaps", "{'metadata':{'name':'applied'}}")
                .ok();
        assertThat(patch("updater", maps + "applied?fieldManager=m", apply, map).code())
                .isEqualTo(200);
        assertThat(patch("updater", maps + "absent", "application/merge-patch+json", "{}")
                        .code())
                .isEqualTo(404);
    }

    /** A WebSocket is opened by GET, for which the verb get is not enough since 1.35. */
    @Test
    void commandsInContainers_needTheVerbCreate() throws Exception {
        grant("reader", "{'apiGroups':[''],'resources':['pods','pods/exec','pods/log'],'verbs':['get']}");
        admin.post(
                        "/api/v1/namespaces/default/pods",
                        "{'metadata':{'name':'run'},'spec':{'containers':[{'name':'c','image':'i'}]}}")
                .ok();
        String pod = "/api/v1/namespaces/default/pods/run/";
        assertThat(as("reader", "GET", pod + "exec?command=x", "").message())
                .isEqualTo(
                        "pods \"run\" is forbidden: User \"reader\" cannot create resource \"pods/exec\" in API group"
                                + " \"\" in the namespace \"default\"");
        assertThat(as("reader", "GET", pod + "log", "").code()).isEqualTo(200);
        assertThat(as("reader", "GET", pod + "attach", "").message()).contains("cannot get resource \"pods/attach\"");
    }

    private static JsonObject review(String spec) {
        return admin.post(
                        "/apis/authentication.k8s.io/v1/tokenreviews",
                        "{'apiVersion':'authentication.k8s.io/v1','kind':'TokenReview','spec':{" + spec + "}}")
                .ok()
                .body()
                .object("status");
    }

    /** A review knows the same tokens as the front end. */
    @Test
    void reviewsOfTokens_knowTheTokensOfTheFrontEnd() {
        assertThat(review("'token':'dev'").toString().replace('"', '\''))
                .isEqualTo("{'authenticated':true,'user':{'username':'dan','groups':['devs','system:authenticated']},"
                        + "'audiences':['https://kubernetes.default.svc']}");
        assertThat(review("'token':'dev','audiences':['x','https://kubernetes.default.svc']")
                        .array("audiences"))
                .hasToString("[\"https://kubernetes.default.svc\"]");
        for (String unknown : List.of("'token':'dev','audiences':['x']", "'token':'other'")) {
            assertThat(review(unknown).toString().replace('"', '\''))
                    .isEqualTo("{'user':{},'error':'invalid bearer token'}");
        }
    }
}
