/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.patch.JsonPatch;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WebhooksTest {

    record Part(int size, UnknownFields unknownFields) {}

    record Site(ObjectMeta metadata, Map<String, String> labels, int replicas, Part part, UnknownFields unknownFields)
            implements KubeObject {

        @Override
        public Site withMetadata(ObjectMeta changed) {
            return new Site(changed, labels, replicas, part, unknownFields);
        }
    }

    record NewSite(ObjectMeta metadata, Map<String, String> labels, int copies, Part part, UnknownFields unknownFields)
            implements KubeObject {

        @Override
        public NewSite withMetadata(ObjectMeta changed) {
            return new NewSite(changed, labels, copies, part, unknownFields);
        }
    }

    private static final ResourceType<Site> SITES =
            new ResourceType<>("example.com", "v1", "sites", "Site", ResourceType.Scope.NAMESPACED, Site.class);
    private static final ResourceType<NewSite> NEW_SITES =
            new ResourceType<>("example.com", "v2", "sites", "Site", ResourceType.Scope.NAMESPACED, NewSite.class);
    private static final JsonCodec CODEC = JsonCodec.standard().with(SITES).with(NEW_SITES);

    private static JsonObject review(String object) {
        return JsonObject.parse("""
                {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u1",\
                "resource":{"group":"example.com","version":"v1","resource":"sites"},\
                "operation":"CREATE","namespace":"default","name":"a","userInfo":{"username":"jane"},"object":%s}}
                """.formatted(object));
    }

    private static JsonObject answer(Webhooks webhooks, String path, JsonObject review) {
        JsonObject answer = JsonObject.parse(webhooks.answer(path, review.toBytes()));
        assertThat(answer.string("kind")).isEqualTo(review.string("kind"));
        assertThat(answer.string("response", "uid")).isEqualTo("u1");
        return answer.object("response");
    }

    private static Webhooks sites(AdmissionHandler<Site> handler) {
        return Webhooks.of(CODEC).admission("/sites", SITES, handler);
    }

    private static final String SITE = """
            {"apiVersion":"example.com/v1","kind":"Site","metadata":{"name":"a","namespace":"default"},\
            "labels":{"a/b":"1","c~d":"2"},"replicas":3,"part":{"size":1,"later":true}}""";

    @Test
    void handler_seesTheWrite() {
        JsonObject response = answer(
                sites(review -> {
                    assertThat(review.operation()).isEqualTo("CREATE");
                    assertThat(review.user()).isEqualTo("jane");
                    assertThat(review.oldObject()).isNull();
                    assertThat(review.object().replicas()).isEqualTo(3);
                    return AdmissionAnswer.<Site>allow().withWarnings("three is many");
                }),
                "/sites",
                review(SITE));
        assertThat(response.bool("allowed")).isTrue();
        assertThat(response.array("warnings").strings()).containsExactly("three is many");
        assertThat(response.has("patch")).isFalse();
    }

    @Test
    void denial_hasItsMessage() {
        JsonObject response = answer(sites(review -> AdmissionAnswer.deny("no")), "/sites", review(SITE));
        assertThat(response.bool("allowed")).isFalse();
        assertThat(response.string("status", "message")).isEqualTo("no");
    }

    @Test
    void changedRecord_becomesAPatchThatKeepsUnknownMembers() {
        JsonObject response = answer(
                sites(review -> {
                    Site site = review.object();
                    return AdmissionAnswer.change(new Site(
                            site.metadata(),
                            Map.of("a/b", "9", "new", "4"),
                            site.replicas(),
                            new Part(7, site.part().unknownFields()),
                            site.unknownFields()));
                }),
                "/sites",
                review(SITE));
        assertThat(response.string("patchType")).isEqualTo("JSONPatch");
        String patch = new String(Base64.getDecoder().decode(response.string("patch")), UTF_8);
        JsonObject expected = JsonObject.parse(SITE)
                .with("labels", JsonObject.EMPTY.with("a/b", "9").with("new", "4"))
                .with(List.of("part", "size"), JsonValue.parse("7"));
        assertThat(JsonPatch.of(JsonValue.parse(patch)).apply(JsonObject.parse(SITE)))
                .isEqualTo(expected);
    }

    @Test
    void reviewOfAnotherResource_isRefused() {
        Webhooks maps = Webhooks.of(CODEC)
                .admission("/maps", ResourceTypes.CONFIG_MAPS, review -> AdmissionAnswer.<ConfigMap>allow());
        assertThatThrownBy(() -> maps.answer("/maps", review(SITE).toBytes()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("configmaps");
        assertThatThrownBy(() -> maps.answer("/other", review(SITE).toBytes()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/maps");
        assertThatThrownBy(() -> maps.answer("/maps", "{}".getBytes(UTF_8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("uid");
        assertThatThrownBy(() -> maps.admission("/maps", SITES, review -> AdmissionAnswer.allow()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void conversion_worksBothWaysAndReportsWhatItCannotConvert() {
        Webhooks webhooks = Webhooks.of(CODEC)
                .conversion(
                        "/convert",
                        VersionConversions.of(CODEC)
                                .with(
                                        SITES,
                                        NEW_SITES,
                                        site -> new NewSite(
                                                site.metadata(),
                                                site.labels(),
                                                site.replicas(),
                                                site.part(),
                                                site.unknownFields()),
                                        site -> new Site(
                                                site.metadata(),
                                                site.labels(),
                                                site.copies(),
                                                site.part(),
                                                site.unknownFields())));
        JsonObject up = answer(webhooks, "/convert", conversion("example.com/v2", SITE));
        assertThat(up.string("result", "status")).isEqualTo("Success");
        JsonObject converted =
                up.array("convertedObjects").objects().findFirst().orElseThrow();
        assertThat(converted.number("copies")).isEqualTo(3);
        assertThat(converted.string("apiVersion")).isEqualTo("example.com/v2");

        JsonObject down = answer(webhooks, "/convert", conversion("example.com/v1", converted.toString()));
        assertThat(down.array("convertedObjects").objects().findFirst().orElseThrow())
                .isEqualTo(JsonObject.parse(SITE));

        JsonObject failed = answer(webhooks, "/convert", conversion("example.com/v3", SITE));
        assertThat(failed.string("result", "status")).isEqualTo("Failure");
        assertThat(failed.string("result", "message")).contains("example.com/v3");
    }

    private static JsonObject conversion(String wanted, String object) {
        return JsonObject.parse("""
                {"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"u1",\
                "desiredAPIVersion":"%s","objects":[%s]}}""".formatted(wanted, object));
    }
}
