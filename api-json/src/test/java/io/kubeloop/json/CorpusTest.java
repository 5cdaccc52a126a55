/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.KubeList;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceType.Scope;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.testing.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Reads and writes what a kube-apiserver (v1.20.2) has answered: an object read and written back is the same (I11). */
class CorpusTest {

    private static final JsonCodec CODEC = JsonCodec.standard();

    @TestFactory
    Stream<DynamicTest> roundTrip_recordedObject_isTheInput() {
        return files("corpus").flatMap(file -> {
            String text = text(file);
            Map<String, Object> tree = tree(text);
            List<DynamicTest> tests = new ArrayList<>();
            tests.add(dynamicTest(file.getFileName() + " as any object", () -> checkRoundTrip(generic(tree), text)));
            typed(tree)
                    .ifPresent(type -> tests.add(
                            dynamicTest(file.getFileName() + " as " + type.kind(), () -> checkRoundTrip(type, text))));
            return tests.stream();
        });
    }

    @Test
    void corpus_hasEnoughKinds() {
        List<Path> files = files("corpus").toList();
        TreeSet<Object> kinds = new TreeSet<>();
        files.forEach(file -> kinds.add(tree(text(file)).get("kind")));

        assertThat(files).hasSizeGreaterThanOrEqualTo(60);
        assertThat(kinds).hasSizeGreaterThanOrEqualTo(15);
    }

    @TestFactory
    Stream<DynamicTest> decodeList_recordedList_isItsObjects() {
        return files("lists")
                .map(file -> dynamicTest(file.getFileName().toString(), () -> {
                    String text = text(file);
                    Map<String, Object> tree = tree(text);
                    String kind = tree.get("kind").toString().replaceFirst("List$", "");
                    String apiVersion = tree.get("apiVersion").toString();
                    checkList(generic(Map.of("kind", kind, "apiVersion", apiVersion)), text, tree);
                    typed(Map.of("kind", kind, "apiVersion", apiVersion))
                            .ifPresent(type -> checkList(type, text, tree));
                }));
    }

    @Test
    void decodeEvent_recordedFrames_haveTheirObjects() throws IOException {
        List<String> kinds = new ArrayList<>();
        for (String frame : Files.readAllLines(directory("watch").resolve("services.jsonl"))) {
            Map<String, Object> expected = tree(frame);
            WatchEvent<?> event = CODEC.decodeEvent(ResourceTypes.SERVICES, frame.getBytes(StandardCharsets.UTF_8));
            kinds.add(event.getClass().getSimpleName());
            KubeObject object = event instanceof WatchEvent.Added<?> added
                    ? (KubeObject) added.object()
                    : event instanceof WatchEvent.Modified<?> modified
                            ? (KubeObject) modified.object()
                            : event instanceof WatchEvent.Deleted<?> deleted ? (KubeObject) deleted.object() : null;
            if (object != null) {
                assertThat(encoded(ResourceTypes.SERVICES, object)).isEqualTo(expected.get("object"));
            } else {
                assertThat(((WatchEvent.Bookmark<?>) event).metadata().resourceVersion())
                        .isNotEmpty();
            }
        }
        assertThat(kinds).containsExactly("Modified", "Added", "Deleted", "Bookmark");
    }

    private static <T extends KubeObject> void checkRoundTrip(ResourceType<T> type, String text) {
        T object = CODEC.decode(type, new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        byte[] written = CODEC.encode(type, object);

        assertThat(Json.parse(new String(written, StandardCharsets.UTF_8))).isEqualTo(Json.parse(text));
        assertThat(CODEC.decode(type, new ByteArrayInputStream(written))).isEqualTo(object);
        assertThat(CODEC.decode(type, new TrickleStream(text.getBytes(StandardCharsets.UTF_8))))
                .isEqualTo(object);
    }

    private static <T extends KubeObject> void checkList(ResourceType<T> type, String text, Map<String, Object> tree) {
        KubeList<T> list = CODEC.decodeList(type, new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));

        assertThat(CODEC.decodeList(type, new TrickleStream(text.getBytes(StandardCharsets.UTF_8))))
                .isEqualTo(list);
        List<Object> written = new ArrayList<>();
        for (T item : list.items()) {
            Map<String, Object> object = encoded(type, item);
            object.keySet().removeAll(List.of("kind", "apiVersion"));
            written.add(object);
        }
        assertThat(written).isEqualTo(tree.get("items"));
        assertThat(list.metadata().resourceVersion())
                .isEqualTo(((Map<?, ?>) tree.get("metadata")).get("resourceVersion"));
    }

    @SuppressWarnings("unchecked") // the object is of the type's class
    private static <T extends KubeObject> Map<String, Object> encoded(ResourceType<T> type, KubeObject object) {
        return tree(new String(CODEC.encode(type, (T) object), StandardCharsets.UTF_8));
    }

    private static ResourceType<GenericObject> generic(Map<String, Object> tree) {
        String apiVersion = tree.get("apiVersion").toString();
        int slash = apiVersion.indexOf('/');
        return ResourceTypes.generic(
                slash < 0 ? "" : apiVersion.substring(0, slash),
                apiVersion.substring(slash + 1),
                "any",
                tree.get("kind").toString(),
                Scope.NAMESPACED);
    }

    private static Optional<ResourceType<?>> typed(Map<String, Object> tree) {
        return ResourceTypes.all().stream()
                .filter(type -> type.kind().equals(tree.get("kind"))
                        && type.apiVersion().equals(tree.get("apiVersion")))
                .findFirst();
    }

    @SuppressWarnings("unchecked") // the documents are objects
    private static Map<String, Object> tree(String text) {
        return (Map<String, Object>) Json.parse(text);
    }

    private static Stream<Path> files(String folder) {
        try (Stream<Path> files = Files.list(directory(folder))) {
            return files.sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path directory(String folder) {
        try {
            return Path.of(CorpusTest.class.getResource("/" + folder).toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
