/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources;

import static io.kubeloop.apiserver.customresources.CustomServer.DEFINITIONS;
import static io.kubeloop.apiserver.customresources.CustomServer.WIDGETS;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.registry.WatchFrame;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A definition from its creation to its deletion, with its objects. */
class CrdLifecycleTest {

    private static final String PATH = DEFINITIONS + "/widgets.example.com";
    private static final JsonObject WIDGET = CustomServer.definition("widgets", "Widget");

    private final CustomServer server = new CustomServer();

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void createdDefinition_watchSeesItsNamesAcceptedAndThenEstablished() throws InterruptedException {
        ServerResponse.Frames watch = server.watch(DEFINITIONS + "?watch=true&timeoutSeconds=1");

        server.post(DEFINITIONS, WIDGET);

        assertThat(conditions(watch, 3))
                .containsExactly(
                        "ADDED ",
                        "MODIFIED NamesAccepted=True/NoConflicts,Established=False/Installing",
                        "MODIFIED NamesAccepted=True/NoConflicts,Established=True/InitialNamesAccepted");
    }

    private static List<String> conditions(ServerResponse.Frames watch, int count) throws InterruptedException {
        List<String> seen = new ArrayList<>();
        for (WatchFrame frame = watch.next(); frame != null && seen.size() < count; frame = watch.next()) {
            List<String> conditions = frame.object()
                    .array("status", "conditions")
                    .objects()
                    .map(condition -> condition.string("type") + "=" + condition.string("status") + "/"
                            + condition.string("reason"))
                    .toList();
            seen.add(frame.type() + " " + String.join(",", conditions));
        }
        watch.close();
        return seen;
    }

    @Test
    void createdDefinition_itsResourceIsServedWhenTheRequestReturns() {
        assertThat(server.get(WIDGETS).code()).isEqualTo(404);

        server.post(DEFINITIONS, WIDGET);

        assertThat(server.get(WIDGETS).code()).isEqualTo(200);
        assertThat(server.post(WIDGETS, CustomServer.object("Widget", "a")).code())
                .isEqualTo(201);
    }

    @Test
    void dryRun_servesNothing() {
        assertThat(server.post(DEFINITIONS + "?dryRun=All", WIDGET).code()).isEqualTo(201);

        assertThat(server.get(PATH).code()).isEqualTo(404);
        assertThat(server.get(WIDGETS).code()).isEqualTo(404);
    }

    @Test
    void namesOfAnotherDefinition_areNotAcceptedUntilTheyAreFree() {
        server.post(DEFINITIONS, WIDGET);
        server.post(DEFINITIONS, CustomServer.definition("gadgets", "Widget"));

        JsonObject conflicting =
                server.get(DEFINITIONS + "/gadgets.example.com").body();
        assertThat(conflicting.array("status", "conditions").toString())
                .contains("\"reason\":\"ListKindConflict\",\"message\":\"\\\"WidgetList\\\" is already in use\"")
                .contains("\"reason\":\"NotAccepted\",\"message\":\"not all names are accepted\"");
        assertThat(conflicting.string("status", "acceptedNames", "plural")).isEqualTo("gadgets");
        assertThat(conflicting.string("status", "acceptedNames", "kind")).isEmpty();
        assertThat(server.get("/apis/example.com/v1/gadgets").code()).isEqualTo(404);

        server.delete(PATH);

        assertThat(server.get("/apis/example.com/v1/gadgets").code()).isEqualTo(200);
    }

    @Test
    void deletedDefinition_deletesItsObjectsAndIsGone() throws InterruptedException {
        server.post(DEFINITIONS, WIDGET);
        server.post(WIDGETS, CustomServer.object("Widget", "a"));
        ServerResponse.Frames watch = server.watch(WIDGETS + "?watch=true");

        CustomServer.Answer answer = server.delete(PATH);

        assertThat(answer.body().array("metadata", "finalizers"))
                .isEqualTo(JsonArray.ofStrings(List.of("customresourcecleanup.apiextensions.k8s.io")));
        assertThat(answer.body().array("status", "conditions").toString())
                .contains("\"reason\":\"InstanceDeletionPending\"");
        assertThat(server.get(PATH).code()).isEqualTo(404);
        assertThat(server.get(WIDGETS).code()).isEqualTo(404);
        assertThat(types(watch)).containsExactly("ADDED", "DELETED");
    }

    /** Returns the types of all events until the watch ends. */
    private static List<String> types(ServerResponse.Frames watch) throws InterruptedException {
        List<String> types = new ArrayList<>();
        for (WatchFrame frame = watch.next(); frame != null; frame = watch.next()) {
            types.add(frame.type());
        }
        return types;
    }

    @Test
    void objectWithFinalizer_keepsTheDefinitionTerminating() {
        server.post(DEFINITIONS, WIDGET);
        server.post(WIDGETS, CustomServer.object("Widget", "a"));
        server.merge(WIDGETS + "/a", "{\"metadata\":{\"finalizers\":[\"example.com/hold\"]}}");

        server.delete(PATH);

        assertThat(server.get(PATH).body().array("status", "conditions").toString())
                .contains("\"reason\":\"InstanceDeletionInProgress\"");
        CustomServer.Answer refused = server.post(WIDGETS, CustomServer.object("Widget", "b"));
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.body().string("message"))
                .isEqualTo("widgets.example.com \"b\" is forbidden: create not allowed while custom resource definition"
                        + " is terminating");
        assertThat(server.get(WIDGETS + "/a").body().string("metadata", "deletionTimestamp"))
                .isNotEmpty();

        server.merge(WIDGETS + "/a", "{\"metadata\":{\"finalizers\":null}}");

        assertThat(server.get(PATH).code()).isEqualTo(404);
        assertThat(server.get(WIDGETS).code()).isEqualTo(404);
    }

    @Test
    void definitionCreatedAgain_hasNoneOfTheOldObjects() {
        server.post(DEFINITIONS, WIDGET);
        server.post(WIDGETS, CustomServer.object("Widget", "a"));
        server.delete(PATH);

        server.post(DEFINITIONS, WIDGET);

        assertThat(server.get(WIDGETS).body().array("items")).isEqualTo(JsonArray.EMPTY);
    }

    @Test
    void changedDefinition_endsTheWatchesOfItsObjects() throws InterruptedException {
        server.post(DEFINITIONS, WIDGET);
        ServerResponse.Frames watch = server.watch(WIDGETS + "?watch=true");

        server.merge(PATH, "{\"spec\":{\"names\":{\"shortNames\":[\"wd\"]}}}");

        assertThat(types(watch)).isEmpty();
        assertThat(server.get(PATH).body().array("status", "acceptedNames", "shortNames"))
                .isEqualTo(JsonArray.ofStrings(List.of("wd")));
    }

    @Test
    void versionThatIsNoLongerServed_isGone() {
        server.post(DEFINITIONS, WIDGET);
        JsonObject version =
                WIDGET.array("spec", "versions").objects().findFirst().orElseThrow();
        JsonObject spec = JsonObject.of("versions", JsonArray.of(version.with("served", false)));

        server.merge(PATH, JsonObject.of("spec", spec).toString());

        assertThat(server.get(WIDGETS).code()).isEqualTo(404);
    }

    @Test
    void definitionOfAProtectedGroup_statesItsApproval() {
        JsonObject definition = JsonObject.parse(WIDGET.toString()
                .replace("example.com", "widgets.k8s.io")
                .replace(
                        "\"metadata\":{",
                        "\"metadata\":{\"annotations\":{\"api-approved.kubernetes.io\":\"unapproved, a test\"},"));

        assertThat(server.post(DEFINITIONS, definition).code()).isEqualTo(201);

        assertThat(server.get(DEFINITIONS + "/widgets.widgets.k8s.io")
                        .body()
                        .array("status", "conditions")
                        .toString())
                .contains("\"type\":\"KubernetesAPIApprovalPolicyConformant\",\"status\":\"False\"")
                .contains(
                        "\"reason\":\"UnapprovedAnnotation\",\"message\":\"not approved: \\\"unapproved, a test\\\"\"");
    }

    @Test
    void celRules_areNamedInAWarning() {
        JsonObject definition = JsonObject.parse(WIDGET.toString()
                .replace(
                        "\"spec\":{\"type\":\"object\",",
                        "\"spec\":{\"type\":\"object\",\"x-kubernetes-validations\":[{\"rule\":\"self.a > 1\"}],"));

        assertThat(server.post(DEFINITIONS, definition).warnings())
                .containsExactly("x-kubernetes-validations of"
                        + " spec.versions[0].schema.openAPIV3Schema.properties[spec]: not evaluated");
    }

    private static JsonObject withWebhook(String caBundle) {
        String webhook = "\"conversion\":{\"strategy\":\"Webhook\",\"webhook\":{\"conversionReviewVersions\":[\"v1\"],"
                + "\"clientConfig\":{\"url\":\"https://example.com/\",\"caBundle\":\"" + caBundle + "\"}}},\"group\"";
        return JsonObject.parse(WIDGET.toString().replace("\"group\"", webhook));
    }

    @Test
    void conversionWebhook_withAnInvalidBundle_keepsTheDefinitionFromBeingEstablished() {
        String invalid = "bm9uc2Vuc2U=";

        server.post(DEFINITIONS, withWebhook(invalid));
        JsonObject waiting = server.get(PATH).body();
        server.merge(PATH, "{\"spec\":{\"conversion\":{\"webhook\":{\"clientConfig\":{\"caBundle\":null}}}}}");
        JsonObject established = server.get(PATH).body();
        String refusal = server.merge(
                        PATH,
                        "{\"spec\":{\"conversion\":{\"webhook\":{\"clientConfig\":{\"caBundle\":\"" + invalid
                                + "\"}}}}}")
                .body()
                .string("message");

        assertThat(condition(waiting, "Established"))
                .contains("\"status\":\"False\"")
                .contains("\"reason\":\"InvalidCABundle\",\"message\":\"The conversion webhook CABundle is invalid\"");
        assertThat(condition(established, "Established")).contains("\"status\":\"True\"");
        assertThat(refusal)
                .contains("spec.conversion.webhookClientConfig.caBundle: Invalid value:")
                .endsWith("unable to load root certificates: unable to parse bytes as PEM block");
    }

    private static String condition(JsonObject definition, String type) {
        return definition
                .array("status", "conditions")
                .objects()
                .filter(condition -> condition.string("type").equals(type))
                .findFirst()
                .orElseThrow()
                .toString();
    }

    @Test
    void operator_appliesItsDefinitionAndManagesItsObjects() {
        assertThat(server.apply(PATH, WIDGET).code()).isEqualTo(201);
        assertThat(server.apply(PATH, WIDGET).code()).isEqualTo(200);
        JsonObject widget = CustomServer.object("Widget", "a").with("spec", JsonObject.EMPTY.with("size", 1));
        assertThat(server.apply(WIDGETS + "/a", widget).code()).isEqualTo(201);

        server.merge(WIDGETS + "/a", "{\"metadata\":{\"finalizers\":[\"example.com/operator\"]}}");
        server.merge(WIDGETS + "/a/status", "{\"status\":{\"ready\":true}}");
        JsonObject current = server.apply(WIDGETS + "/a", widget.with("spec", JsonObject.EMPTY.with("size", 2)))
                .body();
        assertThat(current.number("metadata", "generation")).isEqualTo(2);
        assertThat(current.bool("status", "ready")).isTrue();
        assertThat(current.array("metadata", "managedFields").size()).isEqualTo(3);

        assertThat(server.delete(WIDGETS + "/a").body().string("metadata", "deletionTimestamp"))
                .isNotEmpty();
        server.merge(WIDGETS + "/a", "{\"metadata\":{\"finalizers\":null}}");
        assertThat(server.get(WIDGETS + "/a").code()).isEqualTo(404);
    }
}
