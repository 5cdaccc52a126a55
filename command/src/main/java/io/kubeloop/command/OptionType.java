/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.command;

import io.kubeloop.api.GoDuration;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The type of an option. An option that is given several times has its last value; lists are appended, and maps are
 * merged. Messages about values that do not parse are those of Go's library, on which scripts and operators rely.
 */
public enum OptionType {
    /** A flag that needs no value: {@code --profiling} is {@code --profiling=true}. */
    BOOL("true|false") {
        @Override
        public Boolean parse(String text) {
            return switch (text) {
                case "1", "t", "T", "true", "TRUE", "True" -> true;
                case "0", "f", "F", "false", "FALSE", "False" -> false;
                default -> throw invalid("strconv.ParseBool: parsing \"" + text + "\": invalid syntax");
            };
        }

        @Override
        public JsonValue json(Object value) {
            return JsonBoolean.of((Boolean) value);
        }
    },
    /** A whole number of 32 bits. */
    INT("N") {
        @Override
        public Integer parse(String text) {
            BigInteger number;
            try {
                number = new BigInteger(text);
            } catch (NumberFormatException e) {
                throw invalid("strconv.ParseInt: parsing \"" + text + "\": invalid syntax");
            }
            if (number.bitLength() > 31) {
                throw invalid("strconv.ParseInt: parsing \"" + text + "\": value out of range");
            }
            return number.intValue();
        }

        @Override
        public JsonValue json(Object value) {
            return JsonNumber.of((Integer) value);
        }
    },
    /** A whole number of 64 bits. */
    LONG("N") {
        @Override
        public Long parse(String text) {
            try {
                return Long.valueOf(text);
            } catch (NumberFormatException e) {
                throw invalid("strconv.ParseInt: parsing \"" + text + "\": invalid syntax");
            }
        }

        @Override
        public JsonValue json(Object value) {
            return JsonNumber.of((Long) value);
        }
    },
    /** A number, which may have a fraction. */
    FLOAT("N") {
        @Override
        public Double parse(String text) {
            try {
                return Double.valueOf(text);
            } catch (NumberFormatException e) {
                throw invalid("strconv.ParseFloat: parsing \"" + text + "\": invalid syntax");
            }
        }

        @Override
        public JsonValue json(Object value) {
            return new JsonNumber(
                    BigDecimal.valueOf((Double) value).stripTrailingZeros().toPlainString());
        }
    },
    /** A duration in Go's form, such as {@code 1m30s}. */
    DURATION("DURATION") {
        @Override
        public Duration parse(String text) {
            try {
                return GoDuration.parse(text);
            } catch (IllegalArgumentException e) {
                boolean isNumber = !text.isEmpty() && text.chars().allMatch(c -> (c >= '0' && c <= '9') || c == '.');
                throw invalid(
                        "time: " + (isNumber ? "missing unit in duration" : "invalid duration") + " \"" + text + "\"");
            }
        }

        @Override
        public JsonValue json(Object value) {
            return new JsonString(goString((Duration) value));
        }

        // As Go prints it: 5m0s, where GoDuration.format omits what is 0.
        private static String goString(Duration value) {
            Duration rest = value.minusHours(value.toHours()).minusMinutes(value.toMinutesPart());
            return (value.toHours() > 0 ? value.toHours() + "h" : "")
                    + (value.toMinutes() > 0 ? value.toMinutesPart() + "m" : "")
                    + GoDuration.format(rest);
        }
    },
    /** A text. */
    STRING("TEXT") {
        @Override
        public String parse(String text) {
            return text;
        }

        @Override
        public JsonValue json(Object value) {
            return new JsonString((String) value);
        }
    },
    /** Texts, separated by commas. */
    STRINGS("TEXT,...") {
        @Override
        public List<String> parse(String text) {
            return text.isEmpty() ? List.of() : List.of(text.split(",", -1));
        }

        @Override
        public JsonValue json(Object value) {
            return JsonArray.ofStrings(strings(value));
        }

        @Override
        Object joined(Object one, Object other) {
            List<String> both = new ArrayList<>(strings(one));
            both.addAll(strings(other));
            return List.copyOf(both);
        }
    },
    /** Texts, one for each time that the option is given. */
    TEXTS("TEXT") {
        @Override
        public List<String> parse(String text) {
            return text.isEmpty() ? List.of() : List.of(text);
        }

        @Override
        public JsonValue json(Object value) {
            return STRINGS.json(value);
        }

        @Override
        Object joined(Object one, Object other) {
            return STRINGS.joined(one, other);
        }
    },
    /** Texts, one for each time that the option is given: the files of a certificate and its key, and names for it. */
    CERTIFICATES("CERT,KEY[:NAME,...]") {
        @Override
        public List<String> parse(String text) {
            if (text.isEmpty()) {
                return List.of();
            }
            String[] parts = text.split(":", 2);
            if (parts.length == 2 && parts[1].isEmpty()) {
                throw invalid("empty names list is not allowed");
            }
            if (parts[0].split(",", -1).length != 2) {
                throw invalid("expected comma separated certificate and key file paths");
            }
            return List.of(text);
        }

        @Override
        public JsonValue json(Object value) {
            return STRINGS.json(value);
        }

        @Override
        Object joined(Object one, Object other) {
            return STRINGS.joined(one, other);
        }
    },
    /** Names with texts: {@code a=x,b=y}. */
    MAP("NAME=TEXT,...") {
        @Override
        public Map<String, String> parse(String text) {
            Map<String, String> entries = new TreeMap<>();
            for (String entry : text.isEmpty() ? List.<String>of() : STRINGS.parseList(text)) {
                int at = entry.indexOf('=');
                if (at < 0) {
                    throw invalid("malformed pair, expect string=string");
                }
                entries.put(
                        entry.substring(0, at).strip(), entry.substring(at + 1).strip());
            }
            return entries;
        }

        @Override
        public JsonValue json(Object value) {
            JsonObject json = JsonObject.EMPTY;
            for (Map.Entry<String, String> entry : entries(value).entrySet()) {
                json = json.with(entry.getKey(), entry.getValue());
            }
            return json;
        }

        @Override
        Object joined(Object one, Object other) {
            Map<String, String> both = new TreeMap<>(entries(one));
            both.putAll(entries(other));
            return both;
        }
    };

    private final String placeholder;

    OptionType(String placeholder) {
        this.placeholder = placeholder;
    }

    /** Returns what help shows in the place of the value. */
    String placeholder() {
        return placeholder;
    }

    /**
     * Returns the value of a text.
     *
     * @throws IllegalArgumentException if the text is no such value, with a message that completes "invalid argument"
     */
    public abstract Object parse(String text);

    /** Returns a value as the original's {@code /configz} shows it. */
    public abstract JsonValue json(Object value);

    /** Returns the value of an option that is given twice. */
    Object joined(Object one, Object other) {
        return other;
    }

    @SuppressWarnings("unchecked") // by construction: the values of STRINGS
    static List<String> strings(Object value) {
        return (List<String>) value;
    }

    @SuppressWarnings("unchecked") // by construction: the values of MAP
    static Map<String, String> entries(Object value) {
        return (Map<String, String>) value;
    }

    private List<String> parseList(String text) {
        return strings(parse(text));
    }

    private static IllegalArgumentException invalid(String message) {
        return new IllegalArgumentException(message);
    }
}
