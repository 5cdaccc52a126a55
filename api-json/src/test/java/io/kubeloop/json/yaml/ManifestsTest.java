/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.tree.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManifestsTest {

    @Test
    void read_severalDocuments_keepsTheirOrder() {
        List<JsonObject> objects = Manifests.read("f", """
                # a comment
                ---
                apiVersion: v1
                kind: Service
                metadata: {name: web}
                spec:
                  ports:
                  - port: 80
                    targetPort: http
                ---
                {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": "web"}}
                """);
        assertThat(objects).extracting(object -> object.string("kind")).containsExactly("Service", "ReplicaSet");
        assertThat(objects.get(0).array("spec", "ports")).hasToString("[{\"port\":80,\"targetPort\":\"http\"}]");
    }

    @Test
    void read_lists_areReplacedByTheirItems() {
        List<JsonObject> objects = Manifests.read("f", """
                apiVersion: v1
                kind: List
                items:
                - {apiVersion: v1, kind: Pod, metadata: {name: a}}
                - apiVersion: v1
                  kind: PodList
                  items:
                  - metadata: {name: b}
                  - {apiVersion: v1, kind: Pod, metadata: {name: c}}
                """);
        assertThat(objects)
                .extracting(object -> object.string("metadata", "name"))
                .containsExactly("a", "b", "c");
        assertThat(objects).extracting(object -> object.string("kind")).containsOnly("Pod");
        assertThat(objects.get(1))
                .hasToString("{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"b\"}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a\\n---\\nb|f, document 1, line 1: expected an object with apiVersion and kind, found \"a\"",
                "kind: Pod|f, document 1, line 1: the object has no apiVersion",
                "apiVersion: v1\\nkind: Pod\\n---\\n\\napiVersion: v1|f, document 2, line 5: the object has no kind",
                "apiVersion: v1\\nkind: List\\nitems:\\n- 5|f, document 1, line 1: expected an object",
            })
    void read_notAManifest_saysDocumentAndLine(String text, String message) {
        assertThatThrownBy(() -> Manifests.read("f", text.replace("\\n", "\n")))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining(message);
    }

    @Test
    void read_stream_readsToItsEnd() {
        byte[] text = "apiVersion: v1\nkind: Pod\n".getBytes(StandardCharsets.UTF_8);
        assertThat(Manifests.read("stdin", new ByteArrayInputStream(text))).hasSize(1);
    }

    @Test
    void read_directory_readsManifestsByName(@TempDir Path directory) throws IOException {
        Files.writeString(directory.resolve("b.yaml"), "apiVersion: v1\nkind: B\n");
        Files.writeString(directory.resolve("a.json"), "{\"apiVersion\":\"v1\",\"kind\":\"A\"}");
        Files.writeString(directory.resolve("c.yml"), "apiVersion: v1\nkind: C\n");
        Files.writeString(directory.resolve("notes.txt"), "not: [a manifest");
        Files.createDirectory(directory.resolve("d.yaml"));
        assertThat(Manifests.read(directory))
                .extracting(object -> object.string("kind"))
                .containsExactly("A", "B", "C");
    }

    @Test
    void read_missingFile_saysWhich(@TempDir Path directory) {
        assertThatThrownBy(() -> Manifests.read(directory.resolve("none.yaml")))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("none.yaml");
    }
}
