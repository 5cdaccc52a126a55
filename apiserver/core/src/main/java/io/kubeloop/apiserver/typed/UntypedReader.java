/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.typed;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.scan.JsonScanner;
import io.kubeloop.json.schema.TypeSchema;
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

/** Reads values without a type, and reports duplicate fields. Confined to one thread. */
final class UntypedReader {

    private final JsonScanner in;
    private final StrictErrors strict;

    UntypedReader(JsonScanner in, StrictErrors strict) {
        this.in = in;
        this.strict = strict;
    }

    JsonValue value() {
        int token = in.token();
        return switch (token) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> {
                int from = in.string("a string");
                yield new JsonString(in.text(from, in.position() - 1));
            }
            case 't', 'f' -> JsonBoolean.of(in.bool());
            case 'n' -> {
                in.skipValue();
                yield JsonNull.NULL;
            }
            default -> {
                int from = in.position();
                in.skipValue();
                yield number(in.rawText(from, in.position()));
            }
        };
    }

    private static JsonNumber number(String text) {
        if (ScalarForms.number(TypeSchema.Scalar.NUMBER, text) == null) {
            throw new DecodeException("json: cannot unmarshal number " + text + " into Go value of type float64", null);
        }
        return new JsonNumber(text);
    }

    private JsonObject object() {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        int path = strict.length();
        in.beginObject();
        while (in.hasNextMember()) {
            int from = in.name();
            String name = in.text(from, in.nameEnd());
            if (members.containsKey(name)) {
                strict.duplicate(name);
            }
            strict.push(name);
            members.put(name, value());
            strict.truncate(path);
        }
        return JsonObject.of(members);
    }

    private JsonArray array() {
        List<JsonValue> elements = new ArrayList<>();
        int path = strict.length();
        in.beginArray();
        while (in.hasNextElement()) {
            strict.push(elements.size());
            elements.add(value());
            strict.truncate(path);
        }
        return JsonArray.of(elements);
    }
}
