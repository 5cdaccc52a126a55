package io.kubeloop.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.UnknownFields;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A custom resource with a record of its own: how users add one. */
class CustomTypeTest {

    private static final ResourceType<Widget> WIDGETS =
            new ResourceType<>("example.com", "v1", "widgets", "Widget", ResourceType.Scope.NAMESPACED, Widget.class);

    private static final String JSON =
            "{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1\",\"metadata\":{\"name\":\"w\"},"
                    + "\"color\":\"\",\"size\":3,\"shape\":{\"corners\":4}}";

    record Widget(ObjectMeta metadata, String color, int size, UnknownFields unknownFields) implements KubeObject {

        @Override
        public Widget withMetadata(ObjectMeta metadata) {
            return new Widget(metadata, color, size, unknownFields);
        }
    }

    @Test
    void with_customType_readsAndWritesIt() {
        JsonCodec codec = JsonCodec.standard().with(WIDGETS);

        Widget widget = codec.decode(WIDGETS, new ByteArrayInputStream(JSON.getBytes(StandardCharsets.UTF_8)));

        assertThat(widget.metadata().name()).isEqualTo("w");
        assertThat(widget.size()).isEqualTo(3);
        assertThat(new String(codec.encode(WIDGETS, widget), StandardCharsets.UTF_8))
                .isEqualTo(JSON);
    }

    @Test
    void standard_customType_saysWhatIsMissing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JsonCodec.standard().decode(WIDGETS, new ByteArrayInputStream(new byte[0])))
                .withMessageContaining("widgets.example.com");
    }
}
