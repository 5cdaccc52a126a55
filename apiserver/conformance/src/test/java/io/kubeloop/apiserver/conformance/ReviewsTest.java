/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.Requests.Reply;
import io.kubeloop.transport.memory.ServerFixture;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Questions about users, permissions and tokens; the server allows everything. */
class ReviewsTest extends ServerFixture {

    /** A certificate request of jane in the group devs. */
    private static final String REQUEST =
            "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIYU1JR0FBZ0VBTUI0eERUQUxCZ05WQkFvTUJH"
                    + "Umxkbk14RFRBTEJnTlZCQU1NQkdwaGJtVXdXVEFUQmdjcQpoa2pPUFFJQkJnZ3Foa2pPUFFNQkJ3TkNBQVJMeksr"
                    + "Z0UrMVhQSkJ2Y2RzZWJDalJRNlNwQklzZnBLR0xZNWgrCkVWSGpUYUJOMGUzTnExZjd4TWZEbEdRYXdTZkNCZnFC"
                    + "Q3d4YjFzVDhzQnI1Sk9qWG9BQXdDZ1lJS29aSXpqMEUKQXdJRFNRQXdSZ0loQVBwcVJwK2cxZGZNYWZ2bDNJS2Rn"
                    + "UEY5cGRTOXZOeHJObWpZMGNDME5mdmdBaUVBL1NvZwpNcURsMTlWMFlmbGYydUJMYmhkOFpuL0RsTzlvOXpSdHVY"
                    + "bEZ0SU09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=";

    private static final String AUTHORIZATION = "/apis/authorization.k8s.io/v1/";
    private static final String TOKENS = "/apis/authentication.k8s.io/v1/tokenreviews";
    private static final String HOOK = "'boundObjectRef':{'apiVersion':'admissionregistration.k8s.io/v1',"
            + "'kind':'ValidatingWebhookConfiguration','name':'w'}";
    private static final String ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";

    private Reply createToken(String spec) {
        return requests.post(ACCOUNTS + "/robot/token", "{'spec':" + spec + "}");
    }

    private JsonObject review(String token) {
        return requests.post(TOKENS, "{'spec':{'token':'" + token + "'}}")
                .ok()
                .body()
                .object("status");
    }

    @Test
    void accessReview_isAllowed_andKeepsItsQuestion() {
        Reply reply = requests.post(
                AUTHORIZATION + "selfsubjectaccessreviews",
                "{'spec':{'resourceAttributes':{'verb':'create','resource':'pods'}}}");

        assertThat(reply.code()).isEqualTo(201);
        assertThat(reply.body().object("status").get("allowed")).hasToString("true");
        assertThat(reply.body().string("spec", "resourceAttributes", "verb")).isEqualTo("create");
    }

    @Test
    void accessReview_withoutQuestionOrSubject_isInvalid() {
        Reply reply = requests.post(AUTHORIZATION + "subjectaccessreviews", "{'spec':{}}");

        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.message())
                .contains("exactly one of nonResourceAttributes or resourceAttributes must be specified")
                .contains("at least one of user or group must be specified");
    }

    @Test
    void localReview_ofAnotherNamespace_isABadRequest() {
        Reply reply = requests.post(
                AUTHORIZATION + "namespaces/default/localsubjectaccessreviews",
                "{'metadata':{'namespace':'other'},'spec':{'user':'a','resourceAttributes':{'namespace':'default'}}}");

        assertThat(reply.code()).isEqualTo(400);
        assertThat(reply.message())
                .isEqualTo("the namespace of the provided object does not match the namespace sent on the request");
    }

    @Test
    void metadata_isShownInItsOrder_withoutTheFieldsOfTheServer() {
        Reply reply = requests.post(
                AUTHORIZATION + "namespaces/default/localsubjectaccessreviews",
                "{'metadata':{'labels':{'a':'b'},'uid':'u','creationTimestamp':'2020-01-01T00:00:00Z'},"
                        + "'spec':{'user':'a','resourceAttributes':{'namespace':'default'}}}");

        assertThat(reply.message())
                .contains("metadata: Invalid value: {\"namespace\":\"default\",\"labels\":{\"a\":\"b\"},"
                        + "\"managedFields\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'attestations':{'admissionReviewAPIGroups':['apps']} | [spec.attestations: Invalid value: {"
                        + "\"admissionReviewAPIGroups\":[\"apps\"]}: attestations may only be specified with a "
                        + "webhook bound object reference]",
                "'audiences':['a','b'],HOOK,'attestations':{'admissionReviewAPIGroups':['apps']} | [spec.audiences: "
                        + "Invalid value: [\"a\",\"b\"]: must be length 1 when bound to a webhook config]",
                "'audiences':['a'],HOOK | [spec.attestations: Invalid value: null: webhook bound requests require "
                        + "exactly one admissionReviewAPIGroups attestation]",
                "'audiences':['a'],HOOK,'attestations':{'x':['y']} | [spec.attestations[x]: Unsupported value: \"x\": "
                        + "supported values: \"admissionReviewAPIGroups\"]",
                "'audiences':['a'],HOOK,'attestations':{'admissionReviewAPIGroups':['a','b']} | [spec.attestations["
                        + "admissionReviewAPIGroups]: Invalid value: [\"a\",\"b\"]: must specify a single value]",
                "'audiences':['a'],HOOK,'attestations':{'admissionReviewAPIGroups':['']} | [spec.attestations["
                        + "admissionReviewAPIGroups][0]: Invalid value: \"\": may not be an empty string]",
            })
    void attestations_areForWebhooksOnly(String spec, String errors) {
        requests.post(ACCOUNTS, "{'metadata':{'name':'robot'}}").ok();
        Reply refused = createToken("{" + spec.replace("HOOK", HOOK) + "}");

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.body().array("details", "causes").objects())
                .map(cause -> cause.string("field") + ": " + cause.string("message"))
                .hasToString(errors);
    }

    @Test
    void token_forAWebhook_isBehindAFeatureThatIsOff() {
        requests.post(ACCOUNTS, "{'metadata':{'name':'robot'}}").ok();
        Reply refused =
                createToken("{'audiences':['a']," + HOOK + ",'attestations':{'admissionReviewAPIGroups':['*']}}");

        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message())
                .isEqualTo("cannot bind token to object of type admissionregistration.k8s.io/v1,"
                        + " Kind=ValidatingWebhookConfiguration (feature gate APIServerWebhookAuthenticationToken is"
                        + " disabled)");
    }

    @Test
    void rulesReview_namesEverything() {
        JsonObject status = requests.post(AUTHORIZATION + "selfsubjectrulesreviews", "{'spec':{'namespace':'default'}}")
                .ok()
                .body()
                .object("status");

        assertThat(status.array("resourceRules").objects())
                .singleElement()
                .satisfies(rule -> assertThat(rule.array("verbs").strings()).containsExactly("*"));
    }

    @Test
    void selfReview_namesTheUser() {
        assertThat(requests.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}")
                        .ok()
                        .body()
                        .string("status", "userInfo", "username"))
                .isEqualTo("admin");
    }

    @Test
    void token_isVerified_untilItsAccountIsGone() {
        requests.post(ACCOUNTS, "{'metadata':{'name':'robot'}}").ok();
        Reply issued = createToken("{'expirationSeconds':600}").ok();
        String token = issued.body().string("status", "token");

        assertThat(issued.code()).isEqualTo(201);
        assertThat(review(token).string("user", "username")).isEqualTo("system:serviceaccount:default:robot");
        assertThat(review(token).array("audiences").strings()).containsExactly("https://kubernetes.default.svc");

        requests.delete(ACCOUNTS + "/robot").ok();
        requests.post(ACCOUNTS, "{'metadata':{'name':'robot'}}").ok();
        assertThat(review(token).has("authenticated"))
                .as("another account of the name")
                .isFalse();
    }

    @Test
    void token_expired_orChanged_isInvalid() {
        requests.post(ACCOUNTS, "{'metadata':{'name':'robot'}}").ok();
        String token = createToken("{'expirationSeconds':600}").ok().body().string("status", "token");
        int middle = token.indexOf('.') + 5;
        char other = token.charAt(middle) == 'A' ? 'B' : 'A';

        assertThat(review(token.substring(0, middle) + other + token.substring(middle + 1))
                        .string("error"))
                .isEqualTo("invalid bearer token");
        assertThat(review("a.b.c").string("error")).isEqualTo("invalid bearer token");
        assertThat(review("plain").string("error")).isEqualTo("invalid bearer token");
        clock.advance(Duration.ofSeconds(601));
        assertThat(review(token).string("error")).isEqualTo("invalid bearer token");
    }

    @Test
    void token_forTooShort_orOfAMissingAccount_isRejected() {
        requests.post(ACCOUNTS, "{'metadata':{'name':'robot'}}").ok();

        assertThat(createToken("{'expirationSeconds':599}").message())
                .contains("may not specify a duration less than 10 minutes");
        assertThat(requests.post(ACCOUNTS + "/none/token", "{}").code()).isEqualTo(404);
    }

    @Test
    void token_boundToAPod_endsWithIt() {
        requests.post(ACCOUNTS, "{'metadata':{'name':'robot'}}").ok();
        createPod("p", "", ",'serviceAccountName':'robot','nodeName':'n'");
        String reference = "{'boundObjectRef':{'apiVersion':'v1','kind':'Pod','name':'p'}}";
        String token = createToken(reference).ok().body().string("status", "token");

        JsonObject extra = review(token).object("user", "extra");
        assertThat(extra.array("authentication.kubernetes.io/pod-name")).hasToString("[\"p\"]");
        assertThat(extra.array("authentication.kubernetes.io/node-name")).hasToString("[\"n\"]");
        requests.delete(PODS + "/p?gracePeriodSeconds=0").ok();
        assertThat(review(token).string("error")).isEqualTo("invalid bearer token");
    }

    @Test
    void token_isBoundToThingsThatExistOnly() {
        requests.post(ACCOUNTS, "{'metadata':{'name':'robot'}}").ok();
        createPod("other");
        String bound = "{'boundObjectRef':{'apiVersion':'v1','kind':'%s','name':'%s'%s}}";
        assertThat(createToken(String.format(bound, "Pod", "none", "")).message())
                .isEqualTo("pods \"none\" not found");
        assertThat(createToken(String.format(bound, "Service", "s", "")).message())
                .isEqualTo("cannot bind token to object of type /v1, Kind=Service");
        assertThat(createToken(String.format(bound, "Pod", "other", "")).message())
                .isEqualTo("cannot bind token for serviceaccount \"robot\" to pod running with different serviceaccount"
                        + " name.");
        requests.post(SECRETS, "{'metadata':{'name':'s'}}").ok();
        assertThat(createToken(String.format(bound, "Secret", "s", ",'uid':'x'"))
                        .code())
                .isEqualTo(409);
        createToken(String.format(bound, "Secret", "s", "")).ok();
    }

    @Test
    void approval_changesTheConditionsAlone() {
        String path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
        Reply created = requests.post(
                path,
                "{'metadata':{'name':'c'},'spec':{'request':'" + REQUEST + "','signerName':'example.com/s',"
                        + "'usages':['client auth']}}");
        JsonObject approved = created.ok()
                .body()
                .with("spec", JsonObject.EMPTY.with("signerName", "example.com/other"))
                .with(
                        "status",
                        JsonObject.parse("{\"certificate\":\"eA==\","
                                + "\"conditions\":[{\"type\":\"Approved\",\"status\":\"True\"}]}"));

        JsonObject stored = requests.put(path + "/c/approval", approved).ok().body();

        assertThat(stored.string("spec", "signerName")).isEqualTo("example.com/s");
        assertThat(stored.array("status", "conditions").objects()).hasSize(1);
        assertThat(stored.object("status").has("certificate")).isFalse();
    }
}
