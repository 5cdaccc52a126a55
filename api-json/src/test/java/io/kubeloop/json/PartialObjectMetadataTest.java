/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.WatchEvent;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Objects of which no more than the metadata is wanted, as servers send them that can and that cannot leave out the
 * rest.
 */
class PartialObjectMetadataTest {

    private static final ResourceType<PartialObjectMetadata> PODS = ResourceTypes.metadataOf(ResourceTypes.PODS);

    private static final String METADATA =
            "\"metadata\":{\"name\":\"a\",\"namespace\":\"n\",\"resourceVersion\":\"3\",\"labels\":{\"l\":\"v\"}}";
    private static final String PARTIAL =
            "{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\"," + METADATA + "}";
    private static final String WHOLE = "{\"kind\":\"Pod\",\"apiVersion\":\"v1\"," + METADATA
            + ",\"spec\":{\"containers\":[{\"name\":\"c\"}]},\"status\":{\"phase\":\"Running\"}}";

    private final JsonCodec codec = JsonCodec.standard();

    private static ByteArrayInputStream in(String json) {
        return new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8));
    }

    private static void check(PartialObjectMetadata object) {
        assertThat(object.objectName()).isEqualTo(new ObjectName("n", "a"));
        assertThat(object.metadata().labels()).containsEntry("l", "v");
        assertThat(object.unknownFields().length()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {PARTIAL, WHOLE})
    void decode_whateverTheServerSends_keepsTheMetadata(String object) {
        check(codec.decode(PODS, in(object)));
        WatchEvent<PartialObjectMetadata> event = codec.decodeEvent(
                PODS, ("{\"type\":\"ADDED\",\"object\":" + object + "}").getBytes(StandardCharsets.UTF_8));
        check(((WatchEvent.Added<PartialObjectMetadata>) event).object());
    }

    @ParameterizedTest
    @ValueSource(strings = {"PartialObjectMetadataList", "PodList", "List"})
    void decodeList_whateverTheServerSends_keepsTheMetadata(String kind) {
        KubeList<PartialObjectMetadata> list = codec.decodeList(
                PODS,
                in("{\"kind\":\"" + kind + "\",\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[" + PARTIAL + ","
                        + WHOLE + "]}"));
        assertThat(list.metadata().resourceVersion()).isEqualTo("7");
        assertThat(list.items()).hasSize(2).allSatisfy(PartialObjectMetadataTest::check);
    }

    @ParameterizedTest
    @ValueSource(strings = WHOLE)
    void encode_isRefused_asTheRestWouldBeLost(String object) {
        PartialObjectMetadata read = codec.decode(PODS, in(object));
        assertThatThrownBy(() -> codec.encode(PODS, read))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("n/a");
        check(codec.decode(PODS, in(object)));
    }
}
