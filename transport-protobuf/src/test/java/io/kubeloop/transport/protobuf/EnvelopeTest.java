package io.kubeloop.transport.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeTest {

    /** Go writes the zero value of some times as null, and of some lists: absent says the same. */
    private static JsonValue withoutNulls(JsonValue value) {
        if (value instanceof JsonArray array) {
            return JsonArray.of(
                    array.elements().stream().map(EnvelopeTest::withoutNulls).toList());
        }
        if (!(value instanceof JsonObject object)) {
            return value;
        }
        JsonObject result = object;
        for (String name : List.copyOf(object.members().keySet())) {
            JsonValue member = object.members().get(name);
            result = member == JsonNull.NULL ? result.without(name) : result.with(name, withoutNulls(member));
        }
        return result;
    }

    private static JsonObject fromServer(String name) {
        return (JsonObject) withoutNulls(JsonObject.parse(Documents.json(name)));
    }

    static java.util.stream.Stream<String> documents() {
        return Documents.names();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void toJson_whatAServerSends_isWhatItSendsAsJson(String name) {
        assertThat(JsonObject.parse(Envelope.toJson(Documents.protobuf(name), false)))
                .isEqualTo(fromServer(name));
    }

    @ParameterizedTest
    @MethodSource("documents")
    void wrap_andBack_loosesNothing(String name) {
        JsonObject document = fromServer(name);

        byte[] wrapped = Envelope.wrap(document);

        assertThat(JsonObject.parse(Envelope.toJson(wrapped, false))).isEqualTo(document);
    }

    private static JsonObject pod(String spec) {
        return JsonObject.parse(
                "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"},\"spec\":" + spec + "}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"fromTheFuture\":1}",
                "{\"containers\":[{\"name\":\"a\",\"fromTheFuture\":{}}]}",
                "{\"containers\":{}}",
                "{\"containers\":[null]}",
                "{\"hostname\":7}",
                "{\"hostNetwork\":\"true\"}",
                "{\"priority\":2147483648}",
                "{\"priority\":1.5}",
                "{\"nodeSelector\":{\"a\":1}}",
                "{\"containers\":[{\"ports\":[{\"containerPort\":\"80\"}]}]}",
                "{\"containers\":[{\"livenessProbe\":{\"tcpSocket\":{\"port\":true}}}]}",
                "{\"overhead\":{\"cpu\":1}}",
                "{\"tolerations\":[{\"Key\":\"another case\"}]}",
                "7"
            })
    void wrap_whatTheTableHasNoPlaceFor_isRefused(String spec) {
        assertThatThrownBy(() -> Envelope.wrap(pod(spec))).isInstanceOf(NotInSchemaException.class);
    }

    @Test
    void wrap_aKindThatIsNotInTheTable_isNull() {
        assertThat(Envelope.wrap(JsonObject.parse("{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1\"}")))
                .isNull();
        assertThat(Envelope.wrap(JsonObject.parse("{\"kind\":\"Pod\",\"apiVersion\":\"v2\"}")))
                .isNull();
        assertThat(Envelope.wrap(JsonObject.parse("{\"metadata\":{}}"))).isNull();
    }

    @Test
    void toJson_aFieldThatIsNotInTheTable_isRefused_orLeftOutIfNobodyWantsIt() {
        byte[] known = Envelope.wrap(pod("{\"nodeName\":\"n\"}"));
        WireWriter extra = new WireWriter();
        extra.bytes(2000, new byte[] {1, 2, 3});
        byte[] more = extra.toByteArray();
        // The object's bytes are the last in the document: what is appended belongs to it once its length says so.
        byte[] document = Arrays.copyOf(known, known.length + more.length);
        System.arraycopy(more, 0, document, known.length, more.length);
        int length = new String(known, StandardCharsets.ISO_8859_1).indexOf("Pod") + "Pod".length() + 1;
        document[length] += (byte) more.length;

        assertThatThrownBy(() -> Envelope.toJson(document, false))
                .isInstanceOf(NotInSchemaException.class)
                .hasMessage("Pod has a field with number 2000");
        assertThat(JsonObject.parse(Envelope.toJson(document, true))).isEqualTo(pod("{\"nodeName\":\"n\"}"));
    }

    @Test
    void toJson_bytesThatWereDamaged_areADocumentOrAnErrorThatSaysSo() {
        byte[] whole = Documents.protobuf("1.36.3/pod");
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = Arrays.copyOf(whole, i % 4 == 0 ? random.nextInt(whole.length) : whole.length);
            for (int j = 0; damaged.length > 0 && j < 1 + i % 3; j++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            Throwable failure = catchThrowable(() -> Envelope.toJson(damaged, false));
            if (failure != null) {
                assertThat(failure).isInstanceOfAny(DecodeException.class, NotInSchemaException.class);
            }
        }
    }

    @Test
    void eventToJson_isTheEventOfTheObject() {
        WireWriter object = new WireWriter();
        object.bytes(1, Documents.protobuf("1.20.2/pod"));
        WireWriter event = new WireWriter();
        event.string(1, "MODIFIED");
        event.bytes(2, object.toByteArray());

        JsonObject json = JsonObject.parse(Envelope.eventToJson(event.toByteArray()));

        assertThat(json.string("type")).isEqualTo("MODIFIED");
        assertThat(json.object("object")).isEqualTo(fromServer("1.20.2/pod"));
    }
}
