/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.testing;

import com.squareup.moshi.JsonReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import okio.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * JSON as plain collections: {@code Map}, {@code List}, {@code String}, {@code BigDecimal}, {@code Boolean}, null.
 *
 * <p>For tests only. It is independent of the library's codec, so neither hides errors of the other.
 */
public final class Json {

    private Json() {}

    /** Parses one document. */
    public static @Nullable Object parse(String text) {
        try {
            JsonReader reader = JsonReader.of(new Buffer().writeUtf8(text));
            Object value = read(reader);
            if (reader.peek() != JsonReader.Token.END_DOCUMENT) {
                throw new IllegalArgumentException("something follows the document at " + reader.getPath());
            }
            return value;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static @Nullable Object read(JsonReader reader) throws IOException {
        switch (reader.peek()) {
            case BEGIN_OBJECT -> {
                Map<String, @Nullable Object> members = new LinkedHashMap<>();
                reader.beginObject();
                while (reader.hasNext()) {
                    members.put(reader.nextName(), read(reader));
                }
                reader.endObject();
                return members;
            }
            case BEGIN_ARRAY -> {
                List<@Nullable Object> elements = new ArrayList<>();
                reader.beginArray();
                while (reader.hasNext()) {
                    elements.add(read(reader));
                }
                reader.endArray();
                return elements;
            }
            case NUMBER -> {
                return new BigDecimal(reader.nextString());
            }
            case BOOLEAN -> {
                return reader.nextBoolean();
            }
            case NULL -> {
                return reader.nextNull();
            }
            default -> {
                return reader.nextString();
            }
        }
    }

    /** Writes a value of the types that {@link #parse} returns, or any other {@code Number}, without white space. */
    public static String write(@Nullable Object value) {
        StringBuilder out = new StringBuilder();
        write(out, value);
        return out.toString();
    }

    private static void write(StringBuilder out, @Nullable Object value) {
        if (value instanceof Map<?, ?> members) {
            String separator = "{";
            for (Map.Entry<?, ?> member : members.entrySet()) {
                out.append(separator);
                quote(out, (String) member.getKey());
                out.append(':');
                write(out, member.getValue());
                separator = ",";
            }
            out.append(members.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> elements) {
            String separator = "[";
            for (Object element : elements) {
                out.append(separator);
                write(out, element);
                separator = ",";
            }
            out.append(elements.isEmpty() ? "[]" : "]");
        } else if (value instanceof String text) {
            quote(out, text);
        } else if (value instanceof BigDecimal number) {
            out.append(number.toPlainString());
        } else {
            out.append(value);
        }
    }

    private static void quote(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
