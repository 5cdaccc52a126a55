package io.kubeloop.transport.http;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/** Reads one YAML or JSON document into a tree, without making any object that the document asks for. */
final class YamlDocument {

    private static final int MAX_CHARACTERS = 8 << 20;
    private static final int MAX_ALIASES = 50;
    private static final int MAX_DEPTH = 50;

    private YamlDocument() {}

    /**
     * Returns the document; an empty text is an empty object.
     *
     * @throws IllegalArgumentException if it cannot be read or is not a map; the message gives the place and never quotes
     *     the text, which may hold secrets
     */
    static JsonObject parse(String text) {
        if (text.stripLeading().startsWith("{")) {
            try {
                return JsonObject.parse(text);
            } catch (RuntimeException notJson) {
                // A flow mapping of YAML's looks alike; if it is neither, YAML's complaint tells the line.
            }
        }
        Object value;
        try {
            value = yaml().load(text);
        } catch (MarkedYAMLException e) {
            Mark mark = e.getProblemMark();
            throw new IllegalArgumentException(
                    "not valid YAML" + (mark == null ? "" : ", line " + (mark.getLine() + 1)) + ": " + e.getProblem());
        } catch (YAMLException e) {
            throw new IllegalArgumentException("not valid YAML: " + e.getMessage());
        }
        if (value == null) {
            return JsonObject.EMPTY;
        }
        if (tree(value) instanceof JsonObject object) {
            return object;
        }
        throw new IllegalArgumentException("expected a map of settings at the top");
    }

    private static Yaml yaml() {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(MAX_CHARACTERS);
        options.setMaxAliasesForCollections(MAX_ALIASES);
        options.setNestingDepthLimit(MAX_DEPTH);
        options.setAllowRecursiveKeys(false);
        DumperOptions unused = new DumperOptions();
        return new Yaml(new SafeConstructor(options), new Representer(unused), unused, options, new PlainResolver());
    }

    private static JsonValue tree(@Nullable Object value) {
        if (value == null) {
            return JsonNull.NULL;
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, JsonValue> members = new LinkedHashMap<>();
            map.forEach((key, member) -> members.put(String.valueOf(key), tree(member)));
            return JsonObject.of(members);
        }
        if (value instanceof Iterable<?> list) {
            List<JsonValue> elements = new ArrayList<>();
            list.forEach(element -> elements.add(tree(element)));
            return JsonArray.of(elements);
        }
        if (value instanceof Boolean bool) {
            return bool ? JsonBoolean.TRUE : JsonBoolean.FALSE;
        }
        if (value instanceof Number number) {
            return new JsonNumber(number.toString());
        }
        if (value instanceof byte[]) {
            throw new IllegalArgumentException("!!binary values have no meaning here");
        }
        return new JsonString(value.toString());
    }

    /** Knows the scalars that JSON knows: a password 1:30 is no number, and a token 2026-01-01 is no date. */
    private static final class PlainResolver extends Resolver {

        private static final Pattern WHOLE = Pattern.compile("[-+]?(?:0|[1-9][0-9]*)");
        private static final Pattern DECIMAL = Pattern.compile("[-+]?[0-9]+(?:\\.[0-9]*)?(?:[eE][-+]?[0-9]+)?");

        @Override
        protected void addImplicitResolvers() {
            addImplicitResolver(Tag.BOOL, BOOL, "yYnNtTfFoO");
            addImplicitResolver(Tag.INT, WHOLE, "-+0123456789");
            addImplicitResolver(Tag.FLOAT, DECIMAL, "-+0123456789");
            addImplicitResolver(Tag.MERGE, MERGE, "<");
            addImplicitResolver(Tag.NULL, NULL, "~nN\0");
            addImplicitResolver(Tag.NULL, EMPTY, null);
        }
    }
}
