/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.typed;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.protobuf.Documents;
import io.kubeloop.json.protobuf.ProtobufDocument;
import io.kubeloop.json.schema.GeneratedObjects;
import io.kubeloop.json.schema.StatedKind;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.TypeCatalog;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link ProtobufDocument#decode} returns the form in which {@link TypedJson} decodes the same object in JSON. */
class DecodedProtobufTest {

    private static void isTheDecodedJson(byte[] document) {
        StatedKind stated = ProtobufDocument.identity(document);
        StructSchema type = Objects.requireNonNull(TypeCatalog.kubernetes().type(stated.apiVersion(), stated.kind()));
        byte[] json = ProtobufDocument.toJson(document, true).toBytes();

        assertThat(ProtobufDocument.decode(document))
                .hasToString(TypedJson.decode(type, json).object().toString());
    }

    static Stream<TypeCatalog.Kind> kinds() {
        return TypeCatalog.kubernetes().kinds().stream();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyKindWithAMessage(TypeCatalog.Kind kind) {
        for (int seed = 0; seed < 20; seed++) {
            byte[] document = ProtobufDocument.ofJson(new GeneratedObjects(seed).ofKind(kind), false);
            if (document != null) {
                isTheDecodedJson(document);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.kubeloop.json.protobuf.Documents#names")
    void whatAServerSends(String name) {
        isTheDecodedJson(Documents.protobuf(name));
    }
}
