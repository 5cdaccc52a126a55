/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ControllerRevision;
import io.kubeloop.api.core.PodTemplateSpec;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Compares data and names with those of Kubernetes' own functions, recorded by {@code e2e/record-sets.sh}. */
class RevisionDataTest {

    @TestFactory
    Stream<DynamicTest> revision_isThatOfUpstream() throws IOException {
        List<JsonObject> vectors = vectors();
        assertThat(vectors).hasSizeGreaterThan(30);
        return vectors.stream()
                .map(vector -> DynamicTest.dynamicTest(vector.string("name"), () -> {
                    PodTemplateSpec template =
                            template(vector.object("template").toString());
                    Integer collisions = Objects.requireNonNull(vector.number("collisionCount"))
                            .intValue();
                    String data = RevisionData.of(template);
                    assertThat(data).isEqualTo(vector.string("data"));
                    assertThat(RevisionData.name("web", RevisionData.hash(data, collisions)))
                            .isEqualTo(vector.string("name"));
                    assertThat(RevisionData.hash(data, null)).isEqualTo(vector.string("bareHash"));

                    ControllerRevision revision = revision(data);
                    assertThat(RevisionData.of(revision)).isEqualTo(data);
                    assertThat(RevisionData.of(RevisionData.template(revision, PodTemplateSpec.EMPTY)))
                            .isEqualTo(data);
                }));
    }

    private static List<JsonObject> vectors() throws IOException {
        try (InputStream in = RevisionDataTest.class.getResourceAsStream("/vectors/revision-data.json")) {
            String list = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            return JsonObject.parse("{\"list\":" + list + "}")
                    .array("list")
                    .objects()
                    .toList();
        }
    }

    private static PodTemplateSpec template(String json) {
        String owner = "{\"spec\":{\"template\":" + json + "}}";
        return JsonCodec.standard()
                .decode(ResourceTypes.REPLICA_SETS, new ByteArrayInputStream(owner.getBytes(StandardCharsets.UTF_8)))
                .spec()
                .template();
    }

    private static ControllerRevision revision(String data) {
        return new ControllerRevision(
                ObjectMeta.EMPTY,
                1,
                JsonObject.of("data", JsonObject.parse(data)).toUnknownFields());
    }

    @Test
    void data_ofOlderServers_equalsThatOfLaterOnes() {
        assertThat(RevisionData.of(
                        template("{'metadata':{'creationTimestamp':null,'labels':{'a':'b'}}}".replace('\'', '"'))))
                .isEqualTo("{'spec':{'template':{'$patch':'replace','metadata':{'labels':{'a':'b'}}}}}"
                        .replace('\'', '"'));
    }

    @Test
    void data_numbers_areThoseThatGoReadsAsFloatingPoint() {
        String spec = "{'spec':{'containers':[],'securityContext':{'runAsUser':9007199254740993}}}".replace('\'', '"');
        assertThat(RevisionData.of(template(spec))).contains("\"runAsUser\":9007199254740992");
    }

    @Test
    void template_ofARevisionWithoutOne_isThatOfTheOwner() {
        PodTemplateSpec base = template("{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
        assertThat(RevisionData.template(revision("{\"other\":1}"), base)).isSameAs(base);
        assertThat(RevisionData.of(new ControllerRevision(ObjectMeta.EMPTY, 1, ObjectMeta.EMPTY.unknownFields())))
                .isEqualTo("null");
    }

    @Test
    void name_isShortenedSoThatTheHashFits() {
        assertThat(RevisionData.name("x".repeat(253), "abc")).isEqualTo("x".repeat(223) + "-abc");
    }
}
