/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.json.tree.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ForeignCodecTest {

    /** A model whose classes hold the JSON that they were made of, and that accepts no object of the color red. */
    private static final ForeignModel MODEL = new ForeignModel() {
        @Override
        public <V> V read(byte[] json, int offset, int length, Class<V> type) throws IOException {
            JsonObject tree = JsonObject.parse(Arrays.copyOfRange(json, offset, offset + length));
            if (tree.toString().contains("red")) {
                throw new IOException("no red things");
            }
            return type.cast(new Thing(tree));
        }

        @Override
        public byte[] write(Object value) throws IOException {
            if (value instanceof Thing thing) {
                return thing.json().toString().getBytes(StandardCharsets.UTF_8);
            }
            throw new IOException("not a thing");
        }
    };

    private static final ForeignCodec CODEC = ForeignCodec.of(MODEL).with(ResourceTypes.PODS, Thing.class);
    private static final ResourceType<ForeignObject<Thing>> THINGS = CODEC.type(Thing.class);

    private static final String FIRST = "{\"metadata\":{\"name\":\"a\",\"namespace\":\"n\",\"resourceVersion\":\"4\","
            + "\"managedFields\":[{\"manager\":\"m\"}]},\"spec\":{\"more\":[1,2]}}";

    private record Thing(JsonObject json) {}

    private static ByteArrayInputStream stream(String json) {
        return new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void type_registeredClass_hasThePathsOfItsResource() {
        assertThat(THINGS.objectPath(new ObjectName("n", "a"))).isEqualTo("/api/v1/namespaces/n/pods/a");
    }

    @Test
    void decodeList_elements_haveValueAndMetadata() {
        KubeList<ForeignObject<Thing>> list = CODEC.decodeList(
                THINGS,
                new TrickleStream(("{\"kind\":\"PodList\",\"metadata\":{\"resourceVersion\":\"9\"},\"items\":[ " + FIRST
                                + " , {\"metadata\":{\"name\":\"b\"}}]}")
                        .getBytes(StandardCharsets.UTF_8)));

        assertThat(list.metadata().resourceVersion()).isEqualTo("9");
        assertThat(list.items())
                .extracting(object -> object.value().json().toString())
                .containsExactly(FIRST, "{\"metadata\":{\"name\":\"b\"}}");
        assertThat(list.items())
                .extracting(ForeignObject::objectName)
                .containsExactly(new ObjectName("n", "a"), new ObjectName("", "b"));
    }

    @Test
    void decodeEvent_objectBeforeType_isRead() {
        WatchEvent<ForeignObject<Thing>> event = CODEC.decodeEvent(
                THINGS, ("{\"object\":" + FIRST + ",\"type\":\"ADDED\"}").getBytes(StandardCharsets.UTF_8));

        assertThat(event)
                .isInstanceOfSatisfying(
                        WatchEvent.Added.class,
                        added -> assertThat(((ForeignObject<?>) added.object())
                                        .metadata()
                                        .resourceVersion())
                                .isEqualTo("4"));
    }

    @Test
    void encode_object_writesTheValue() {
        ForeignObject<Thing> object = CODEC.object(new Thing(JsonObject.parse(FIRST)));

        assertThat(object.objectName()).isEqualTo(new ObjectName("n", "a"));
        assertThat(CODEC.encode(THINGS, object)).asString().isEqualTo(FIRST);
    }

    @Test
    void withMetadata_label_isInTheValueToo() {
        ForeignObject<Thing> object = CODEC.decode(THINGS, stream(FIRST));
        ObjectMeta labeled = ObjectMetaBuilder.builder(object.metadata())
                .labels(Map.of("app", "web"))
                .build();

        ForeignObject<Thing> changed = object.withMetadata(labeled);

        assertThat(changed.metadata()).isEqualTo(labeled);
        assertThat(changed.value().json().toString())
                .contains("\"labels\":{\"app\":\"web\"}")
                .contains("\"managedFields\":[{\"manager\":\"m\"}]")
                .contains("\"spec\":{\"more\":[1,2]}");
        assertThat(object.value().json().toString()).isEqualTo(FIRST);
    }

    @Test
    void recordsOfThisProject_besideForeignClasses_areReadAndWritten() {
        String json =
                "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"c\"},\"data\":{\"k\":\"v\"}}";

        ConfigMap map = CODEC.decode(ResourceTypes.CONFIG_MAPS, stream(json));

        assertThat(CODEC.encode(ResourceTypes.CONFIG_MAPS, map)).asString().isEqualTo(json);
    }

    @Test
    void decodeList_elementThatTheModelRefuses_isNamed() {
        String json = "{\"items\":[{\"metadata\":{\"name\":\"a\"}},{\"metadata\":{\"name\":\"b\"},\"color\":\"red\"}]}";

        assertThatExceptionOfType(DecodeException.class)
                .isThrownBy(() -> CODEC.decodeList(THINGS, stream(json)))
                .withMessageContaining("$.items[1]")
                .withMessageContaining("no red things");
    }

    @Test
    void decode_otherKind_isRefused() {
        assertThatExceptionOfType(DecodeException.class)
                .isThrownBy(() -> CODEC.decode(THINGS, stream("{\"kind\":\"Node\",\"metadata\":{}}")))
                .withMessageContaining("Node");
    }

    @Test
    void type_unknownClass_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CODEC.type(String.class))
                .withMessageContaining("java.lang.String")
                .withMessageContaining("ForeignCodec.with");
    }

    @Test
    void with_classThatIsRegistered_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CODEC.with(ResourceTypes.NODES, Thing.class))
                .withMessageContaining("for nodes")
                .withMessageContaining("for pods");
    }
}
