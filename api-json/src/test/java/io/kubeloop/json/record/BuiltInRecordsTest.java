/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ListMeta;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Status;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * A native image reflects only on types that the metadata names. Every record that the standard codec reads must be
 * there.
 */
class BuiltInRecordsTest {

    private static final String METADATA =
            "/META-INF/native-image/io.kubeloop/kubeloop-api-json/reachability-metadata.json";

    @Test
    void metadata_namesEveryRecordOfTheStandardCodec() throws IOException {
        Set<String> records = new TreeSet<>();
        ResourceTypes.all().forEach(type -> add(type.objectClass(), records));
        for (Class<?> type : Set.of(GenericObject.class, PartialObjectMetadata.class, Status.class, ListMeta.class)) {
            add(type, records);
        }
        try (InputStream in = BuiltInRecordsTest.class.getResourceAsStream(METADATA)) {
            JsonObject metadata = JsonObject.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            assertThat(metadata.array("reflection").objects())
                    .extracting(entry -> entry.string("type"))
                    .containsExactlyElementsOf(records);
            assertThat(metadata.array("reflection").objects())
                    .allMatch(entry -> entry.bool("allDeclaredConstructors") && entry.bool("allDeclaredMethods"));
        }
    }

    private static void add(Class<?> type, Set<String> records) {
        if (records.add(type.getName())) {
            new RecordShape(type).nested().forEach(nested -> add(nested.type(), records));
        }
    }
}
