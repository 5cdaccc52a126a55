/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.yaml;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads manifests: files with any number of objects in YAML or JSON. Lists, such as {@code kind: List}, are replaced by
 * their items. Thread-safe: stateless. Methods block while they read; an interrupt has no effect.
 */
public final class Manifests {

    private Manifests() {}

    /**
     * Reads a file, or every file of a directory that ends in {@code .yaml}, {@code .yml} or {@code .json}, by name.
     *
     * @throws DecodeException if a document is not an object with {@code apiVersion} and {@code kind}
     * @throws UncheckedIOException if the file does not exist or cannot be read
     */
    public static List<JsonObject> read(Path path) {
        try {
            if (!Files.isDirectory(path)) {
                return read(path.toString(), Files.readString(path));
            }
            List<Path> files;
            try (Stream<Path> entries = Files.list(path)) {
                files = entries.filter(Manifests::isManifest).sorted().toList();
            }
            List<JsonObject> objects = new ArrayList<>();
            for (Path file : files) {
                objects.addAll(read(file.toString(), Files.readString(file)));
            }
            return objects;
        } catch (NoSuchFileException e) {
            throw new UncheckedIOException("cannot read manifests: there is no " + path, e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read manifests from " + path + ": " + e.getMessage(), e);
        }
    }

    private static boolean isManifest(Path file) {
        String name = String.valueOf(file.getFileName());
        return (name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json")) && Files.isRegularFile(file);
    }

    /**
     * Reads a stream to its end. Does not close it.
     *
     * @param source names the stream in errors
     * @throws DecodeException if a document is not an object with {@code apiVersion} and {@code kind}
     * @throws UncheckedIOException if the stream fails
     */
    public static List<JsonObject> read(String source, InputStream in) {
        try {
            return read(source, YamlDocuments.text(source, in.readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read manifests from " + source + ": " + e.getMessage(), e);
        }
    }

    /**
     * Reads a text: documents in YAML, or JSON objects one after the other. As for kubectl, the last line ends with a
     * line break even if the text does not.
     *
     * @param source names the text in errors
     * @throws DecodeException if a document is not an object with {@code apiVersion} and {@code kind}; the message
     *     contains the document and the line
     */
    public static List<JsonObject> read(String source, String text) {
        List<YamlDocuments.Document> documents = jsonObjects(text);
        if (documents.isEmpty()) {
            documents = YamlDocuments.parse(source, text.endsWith("\n") ? text : text + "\n");
        }
        List<JsonObject> objects = new ArrayList<>();
        for (YamlDocuments.Document document : documents) {
            String at = YamlDocuments.at(source, document.index(), document.line());
            expand(objects, document.value(), at, "");
        }
        return objects;
    }

    /**
     * Returns the documents if the text consists of JSON objects, and of comments and separators between them;
     * otherwise none. O(n).
     */
    private static List<YamlDocuments.Document> jsonObjects(String text) {
        List<YamlDocuments.Document> documents = new ArrayList<>();
        int line = 1;
        int start = 0;
        int depth = 0;
        boolean isQuoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            line += c == '\n' ? 1 : 0;
            if (isQuoted) {
                i += c == '\\' ? 1 : 0;
                isQuoted = c != '"';
            } else if (c == '"' && depth > 0) {
                isQuoted = true;
            } else if (c == '{' && depth++ == 0) {
                start = i;
            } else if (c == '}' && --depth == 0) {
                try {
                    JsonValue value = JsonValue.parse(text.substring(start, i + 1));
                    documents.add(new YamlDocuments.Document(value, documents.size() + 1, line));
                } catch (DecodeException e) {
                    return List.of(); // it may be YAML; if not, the error of the YAML parser has a line
                }
            } else if (depth == 0 && (c == '#' || text.startsWith("---", i))) {
                int end = text.indexOf('\n', i);
                String rest = text.substring(c == '#' ? i + 1 : i + 3, end < 0 ? text.length() : end)
                        .strip();
                if (c == '-' && !rest.isEmpty() && !rest.startsWith("#")) {
                    return List.of();
                }
                i = end < 0 ? text.length() : end - 1;
            } else if (depth <= 0 && " \t\r\n".indexOf(c) < 0) {
                return List.of();
            }
        }
        return depth == 0 ? documents : List.of();
    }

    private static void expand(List<JsonObject> objects, JsonValue value, String at, String inherited) {
        if (!(value instanceof JsonObject object)) {
            throw new DecodeException(
                    at + "expected an object with apiVersion and kind, found " + excerpt(value), null);
        }
        JsonObject typed = object;
        if (!inherited.isEmpty() && object.string("kind").isEmpty()) {
            int slash = inherited.indexOf(' ');
            typed = JsonObject.builder()
                    .put("apiVersion", inherited.substring(0, slash))
                    .put("kind", inherited.substring(slash + 1))
                    .build()
                    .withAll(object);
        }
        String apiVersion = typed.string("apiVersion");
        String kind = typed.string("kind");
        if (apiVersion.isEmpty() || kind.isEmpty()) {
            throw new DecodeException(at + "the object has no " + (kind.isEmpty() ? "kind" : "apiVersion"), null);
        }
        if (kind.endsWith("List") && typed.has("items")) {
            String itemType = kind.equals("List") ? "" : apiVersion + " " + kind.substring(0, kind.length() - 4);
            for (JsonValue item : typed.array("items")) {
                expand(objects, item, at, itemType);
            }
        } else {
            objects.add(typed);
        }
    }

    private static String excerpt(JsonValue value) {
        String text = value.toString();
        return text.length() <= 40 ? text : text.substring(0, 40) + "...";
    }
}
