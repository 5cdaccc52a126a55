/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.yaml;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.scan.Utf8;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Reads a stream of YAML documents into JSON trees. JSON is a subset of YAML, so it is accepted. Thread-safe:
 * stateless.
 *
 * <p>Limits: 32 million characters, 100 levels, 50 aliases of collections, a million values in all documents after
 * aliases are expanded.
 */
public final class YamlDocuments {

    private static final int MAX_CHARACTERS = 32 << 20;
    private static final int MAX_DEPTH = 100;
    private static final int MAX_ALIASES = 50;

    private YamlDocuments() {}

    /**
     * One document of a stream.
     *
     * @param value its content
     * @param index its number among the documents of the stream, from 1; empty documents count
     * @param line the line on which its content begins, from 1
     */
    public record Document(JsonValue value, int index, int line) {}

    /**
     * Reads all documents that are not empty.
     *
     * @param source names the stream in errors
     * @param text the stream
     * @throws DecodeException if it is not YAML, has a key twice, has a value without a JSON form, or exceeds the
     *     limits; the message contains the document and the line
     */
    public static List<Document> parse(String source, String text) {
        return parse(source, text, false);
    }

    /**
     * Returns the first document as Go's programs read it: the documents after it are not read, and if a key occurs
     * twice, the last one counts. O(n).
     *
     * @param source names the stream in errors
     * @param text the stream
     * @return the value; {@link JsonNull#NULL} if the first document is empty
     * @throws DecodeException if it is not YAML, has a value without a JSON form, or exceeds the limits; the message
     *     contains the line
     */
    public static JsonValue first(String source, String text) {
        List<Document> documents = parse(source, text, true);
        return documents.isEmpty() ? JsonNull.NULL : documents.get(0).value();
    }

    /**
     * Returns the text of a stream in UTF-8.
     *
     * @param source names the stream in errors
     * @throws DecodeException if the stream contains bytes that are no characters
     */
    public static String text(String source, byte[] stream) {
        String problem = Utf8.firstProblem(stream);
        if (problem.isEmpty()) {
            return new String(stream, StandardCharsets.UTF_8);
        }
        throw new DecodeException(at(source, 1, 0) + problem, new GoYamlText.RefusedTextException(problem));
    }

    /** As in Go's programs, JSON whose last key counts is YAML too, with the characters and escapes of YAML. */
    private static List<Document> parse(String source, String original, boolean asGo) {
        List<Document> documents = new ArrayList<>();
        int index = 1;
        try {
            JsonValue json = asGo && GoYamlText.hasNextLine(original) ? null : asJson(original);
            if (json == null || asGo) {
                GoYamlText.checkCharacters(original);
            }
            if (json != null) {
                if (asGo) {
                    GoYamlText.checkEscapes(original);
                }
                return List.of(new Document(asGo ? YamlScalar.asGo(json) : json, 1, 1));
            }
            String text = GoYamlText.normalized(original);
            Composer nodes = composer(text);
            GoYamlText.Escapes escapes = new GoYamlText.Escapes(text);
            YamlConverter converter = new YamlConverter(asGo, text.length());
            for (boolean more = true; more && nodes.checkNode(); index++, more = !asGo) {
                Node node = nodes.getNode();
                escapes.check(node);
                JsonValue value = converter.convert(node);
                if (value != JsonNull.NULL) {
                    documents.add(new Document(asGo ? YamlScalar.asGo(value) : value, index, YamlConverter.line(node)));
                }
            }
            return documents;
        } catch (YamlConverter.Refused e) {
            throw new DecodeException(at(source, index, e.line()) + e.getMessage(), e);
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
            String context = e.getContext() == null ? "" : e.getContext() + ", ";
            throw new DecodeException(at(source, index, line) + context + e.getProblem(), e);
        } catch (YAMLException e) {
            throw new DecodeException(at(source, index, 0) + e.getMessage(), e);
        } catch (NumberFormatException e) {
            // SnakeYAML reads an escape of no digits at the end of a text, such as "\\x, as a number.
            String message = "did not find expected hexdecimal number";
            throw new DecodeException(at(source, index, 0) + message, new GoYamlText.RefusedTextException(message));
        }
    }

    /**
     * Returns the only document if the text is JSON, else null. The YAML parser would reject tabs, and numbers would
     * lose their exact form.
     */
    private static @Nullable JsonValue asJson(String text) {
        String stripped = text.stripLeading();
        if (!stripped.startsWith("{") && !stripped.startsWith("[")) {
            return null;
        }
        try {
            return JsonValue.parse(text);
        } catch (DecodeException e) {
            // It may be YAML in flow style, or several documents. If not, the error of the YAML parser has a line.
            return null;
        }
    }

    /**
     * Returns the keys of the first document that occur twice in a mapping, in the words of kube-apiserver, such as
     * {@code line 5: key "a" already set in map}; empty if the text is not YAML. O(n).
     */
    public static List<String> duplicateKeys(String text) {
        try {
            Composer nodes = composer(GoYamlText.normalized(text));
            return nodes.checkNode() ? GoYamlErrors.duplicateKeys(nodes.getNode()) : List.of();
        } catch (YAMLException | NumberFormatException e) {
            return List.of(); // the parser of documents reports it
        }
    }

    /** Returns the message of kube-apiserver for a text that cannot be parsed (upstream: {@code go.yaml.in/yaml}). */
    public static String serverMessage(DecodeException error) {
        if (error.getCause() instanceof MarkedYAMLException marked) {
            return GoYamlErrors.message(marked);
        }
        return error.getCause() instanceof GoYamlText.RefusedTextException refused
                ? String.valueOf(refused.getMessage())
                : String.valueOf(error.getMessage());
    }

    /** Returns the place of an error, as the beginning of a message. */
    static String at(String source, int index, int line) {
        return source + ", document " + index + (line == 0 ? "" : ", line " + line) + ": ";
    }

    private static Composer composer(String text) {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(MAX_CHARACTERS);
        options.setNestingDepthLimit(MAX_DEPTH);
        options.setMaxAliasesForCollections(MAX_ALIASES);
        return new Composer(new ParserImpl(new WholeTextReader(text), options), new PlainResolver(), options);
    }

    /** Marks scalars without quotes and tag, and leaves their meaning to {@link YamlScalar}. */
    private static final class PlainResolver extends Resolver {

        @Override
        protected void addImplicitResolvers() {
            // None: SnakeYAML's rules would turn strings into dates, and ports into numbers in base 60.
        }

        @Override
        public Tag resolve(NodeId kind, String value, boolean implicit) {
            return kind == NodeId.scalar && implicit ? YamlConverter.PLAIN : super.resolve(kind, value, implicit);
        }
    }
}
