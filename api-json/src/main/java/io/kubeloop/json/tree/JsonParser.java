/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.tree;

import com.squareup.moshi.JsonDataException;
import com.squareup.moshi.JsonReader;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.scan.JsonText;
import io.kubeloop.json.scan.Utf8;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import okio.Buffer;
import okio.BufferedSource;
import okio.Okio;
import org.jspecify.annotations.Nullable;

/**
 * Reads trees. The reader rejects nesting deeper than 255 levels, which bounds the recursion. Thread-safe: stateless.
 */
final class JsonParser {

    /** Longer runs of spaces or digits are shortened: okio finds a byte in a time that grows with its offset. */
    private static final int LONGEST_RUN = 2 * JsonNumber.MAX_LENGTH;

    private JsonParser() {}

    static JsonValue parse(byte[] original) {
        byte[] document = withoutLongRuns(original);
        boolean isValid = Utf8.firstProblem(document).isEmpty();
        Buffer buffer = new Buffer();
        return parse(
                isValid ? buffer.write(document) : buffer.writeUtf8(JsonText.decode(document, 0, document.length)));
    }

    private static byte[] withoutLongRuns(byte[] document) {
        byte @Nullable [] copy = null;
        int length = 0;
        int run = 0;
        int kind = 0;
        boolean quoted = false;
        for (int i = 0; i < document.length; i++) {
            byte b = document[i];
            boolean escapes = quoted && b == '\\' && i + 1 < document.length;
            int previous = kind;
            kind = quoted ? 0 : kind(b);
            run = kind != 0 && kind == previous ? run + 1 : 0;
            if (run == LONGEST_RUN && copy == null) {
                copy = document.clone();
            }
            if (run < LONGEST_RUN) {
                length = put(copy, length, b);
            }
            if (escapes) {
                length = put(copy, length, document[++i]);
            } else if (b == '"') {
                quoted = !quoted;
            }
        }
        return copy == null ? document : Arrays.copyOf(copy, length);
    }

    private static int put(byte @Nullable [] copy, int at, byte b) {
        if (copy != null) {
            copy[at] = b;
        }
        return at + 1;
    }

    /** Returns 1 for a space, 2 for a character of numbers, and 0 for any other. */
    private static int kind(byte b) {
        if (b == ' ' || b == '\n' || b == '\t' || b == '\r') {
            return 1;
        }
        return (b >= '0' && b <= '9') || b == '-' || b == '+' || b == '.' || b == 'e' || b == 'E' ? 2 : 0;
    }

    static JsonValue parse(InputStream document) {
        return parse(Okio.buffer(Okio.source(document)));
    }

    private static JsonValue parse(BufferedSource source) {
        JsonReader reader = JsonReader.of(source);
        try {
            JsonValue value = read(reader);
            if (reader.peek() != JsonReader.Token.END_DOCUMENT) {
                throw new DecodeException("expected the end of the JSON document, found " + reader.peek(), null);
            }
            return value;
        } catch (EOFException e) {
            throw new DecodeException("the JSON document ends too early, at path " + reader.getPath(), e);
        } catch (IOException | JsonDataException e) {
            throw new DecodeException("cannot read a JSON document: " + withPath(e, reader), e);
        }
    }

    private static String withPath(Exception e, JsonReader reader) {
        String message = String.valueOf(e.getMessage());
        return message.contains("$") ? message : message + " at path " + reader.getPath();
    }

    private static JsonValue read(JsonReader reader) throws IOException {
        return switch (reader.peek()) {
            case BEGIN_OBJECT -> readObject(reader);
            case BEGIN_ARRAY -> readArray(reader);
            case STRING -> new JsonString(reader.nextString());
            case NUMBER -> readNumber(reader);
            case BOOLEAN -> JsonBoolean.of(reader.nextBoolean());
            case NULL -> {
                reader.nextNull();
                yield JsonNull.NULL;
            }
            case END_ARRAY, END_OBJECT, NAME, END_DOCUMENT ->
                throw new DecodeException(
                        "expected a JSON value at path " + reader.getPath() + ", found " + reader.peek(), null);
        };
    }

    /** If several members have the same name, the last one counts, as in Go. */
    private static JsonObject readObject(JsonReader reader) throws IOException {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        reader.beginObject();
        while (reader.hasNext()) {
            members.put(reader.nextName(), read(reader));
        }
        reader.endObject();
        return JsonObject.wrap(members);
    }

    private static JsonArray readArray(JsonReader reader) throws IOException {
        List<JsonValue> elements = new ArrayList<>();
        reader.beginArray();
        while (reader.hasNext()) {
            elements.add(read(reader));
        }
        reader.endArray();
        return JsonArray.wrap(elements);
    }

    private static JsonNumber readNumber(JsonReader reader) throws IOException {
        String path = reader.getPath();
        String text = reader.nextString();
        if (text.length() > JsonNumber.MAX_LENGTH) {
            throw new DecodeException(
                    "the number at path " + path + " has more than " + JsonNumber.MAX_LENGTH + " characters", null);
        }
        return new JsonNumber(text);
    }
}
