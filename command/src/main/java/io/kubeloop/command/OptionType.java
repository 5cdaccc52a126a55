/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.command;

import io.kubeloop.api.value.GoDuration;
import io.kubeloop.api.value.IpAddress;
import io.kubeloop.json.gotext.GoText;
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
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The type of an option. An option that is given several times has its last value; lists are appended, and maps are
 * merged. Messages about values that do not parse are those of Go's library, on which scripts and operators rely.
 */
public enum OptionType {
    /** A flag that needs no value: {@code --profiling} is {@code --profiling=true}. */
    BOOL("true|false") {
        @Override
        public Boolean parse(String text) {
            Boolean value = GoText.bool(text);
            if (value == null) {
                throw invalid("strconv.ParseBool: parsing \"" + text + "\": invalid syntax");
            }
            return value;
        }
    },
    /** A whole number of 32 bits. */
    INT("N") {
        @Override
        public Integer parse(String text) {
            return goInteger(text, 31).intValue();
        }
    },
    /** A level of the log: a whole number without a sign. */
    LEVEL("N") {
        @Override
        public Integer parse(String text) {
            if (!text.matches("[0-9]+")) {
                throw invalid("strconv.ParseUint: parsing " + GoText.quoted(text) + ": invalid syntax");
            }
            BigInteger number = new BigInteger(text);
            if (number.bitLength() > 31) {
                throw invalid("strconv.ParseUint: parsing " + GoText.quoted(text) + ": value out of range");
            }
            return number.intValue();
        }
    },
    /** A quantity of Kubernetes, such as {@code 1Mi}; empty for none. */
    QUANTITY("QUANTITY") {
        @Override
        public String parse(String text) {
            if (!text.matches("[+-]?[0-9.]+[eEinumkKMGTP]*[-+]?[0-9]*")) {
                throw invalid("quantities must match the regular expression"
                        + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
            }
            return text;
        }
    },
    /** Whole numbers of 32 bits, separated by commas. */
    INTS("N,...") {
        @Override
        public List<String> parse(String text) {
            List<String> numbers = List.of(text.split(",", -1));
            numbers.forEach(number -> goInteger(number, 31));
            return numbers;
        }
    },
    /** A whole number of 64 bits. */
    LONG("N") {
        @Override
        public Long parse(String text) {
            return goInteger(text, 63).longValue();
        }
    },
    /** A number of 32 bits, which may have a fraction. */
    FLOAT("N") {
        @Override
        public Double parse(String text) {
            if (!GO_NUMBER.matcher(UNDERSCORES.matcher(text).replaceAll("")).matches()) {
                throw invalid("strconv.ParseFloat: parsing " + GoText.quoted(text) + ": invalid syntax");
            }
            String plain = UNDERSCORES.matcher(text).replaceAll("");
            double number = Double.parseDouble(plain);
            if (Math.abs(number) > Float.MAX_VALUE && !text.endsWith("y")) {
                throw invalid("strconv.ParseFloat: parsing " + GoText.quoted(text) + ": value out of range");
            }
            return number;
        }
    },
    /** A duration in Go's form, such as {@code 1m30s}. */
    DURATION("DURATION") {
        @Override
        public Duration parse(String text) {
            String problem = GoDuration.problem(text);
            if (problem != null) {
                throw invalid(problem);
            }
            return GoDuration.parse(text);
        }
    },
    /** A text. */
    STRING("TEXT") {
        @Override
        public String parse(String text) {
            return text;
        }
    },
    /** An IP address; empty for none. */
    IP("ADDRESS") {
        @Override
        public String parse(String text) {
            String address = text.strip();
            if (!address.isEmpty() && IpAddress.parse(address) == null) {
                throw invalid("failed to parse IP: " + GoText.quoted(text));
            }
            return address;
        }
    },
    /** Texts, separated by commas; a text in quotation marks may contain commas. */
    STRINGS("TEXT,...") {
        @Override
        public List<String> parse(String text) {
            return text.isEmpty() ? List.of() : cells(text);
        }
    },
    /** Texts, one for each time that the option is given. */
    TEXTS("TEXT") {
        @Override
        public List<String> parse(String text) {
            return text.isEmpty() ? List.of() : List.of(text);
        }
    },
    /** Texts, one for each time that the option is given: the files of a certificate and its key, and names for it. */
    CERTIFICATES("CERT,KEY[:NAME,...]") {
        @Override
        public List<String> parse(String text) {
            String[] parts = text.split(":", 2);
            if (parts.length == 2 && parts[1].isEmpty()) {
                throw invalid("empty names list is not allowed");
            }
            if (parts[0].split(",", -1).length != 2) {
                throw invalid("expected comma separated certificate and key file paths");
            }
            return List.of(text);
        }
    },
    /** Names with texts: {@code a=x,b=y}. */
    MAP("NAME=TEXT,...") {
        @Override
        public Map<String, String> parse(String text) {
            Map<String, String> entries = new TreeMap<>();
            for (String entry : text.isEmpty() ? List.<String>of() : List.of(text.split(",", -1))) {
                int at = entry.indexOf('=');
                if (at < 0) {
                    throw new UsageException("missing bool value for " + entry.strip());
                }
                entries.put(
                        entry.substring(0, at).strip(), entry.substring(at + 1).strip());
            }
            return entries;
        }
    },
    /** Keys with texts: {@code a=x,b=y}. A text with a single {@code =} is one pair, whose key may have commas. */
    PAIRS("KEY=TEXT,...") {
        @Override
        public Map<String, String> parse(String text) {
            boolean isOne = text.indexOf('=') >= 0 && text.indexOf('=') == text.lastIndexOf('=');
            return pairs(isOne ? List.of(text) : cells(text), " must be formatted as key=value");
        }
    },
    /** Names of loggers with levels: {@code a=2,b=3}. */
    LEVELS("NAME=N,...") {
        @Override
        public Map<String, String> parse(String text) {
            List<String> entries = text.isEmpty() ? List.of() : List.of(text.split(",", -1));
            for (String entry : entries) {
                if (!entry.matches("[^=]+=[^=]+")) {
                    throw invalid(GoText.quoted(entry) + " does not have the pattern=N format");
                }
                String level = entry.substring(entry.indexOf('=') + 1);
                if (!level.matches("[0-9]{1,9}")) {
                    throw invalid("parsing verbosity in " + GoText.quoted(entry) + ": strconv.ParseUint: parsing "
                            + GoText.quoted(level) + ": invalid syntax");
                }
            }
            return pairs(entries, "");
        }
    };

    private static final Pattern GO_NUMBER =
            Pattern.compile("[+-]?(NaN|Infinity|([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?|"
                    + "0[xX][0-9a-fA-F]*\\.?[0-9a-fA-F]*[pP][+-]?[0-9]+)");

    private static final Pattern UNDERSCORES = Pattern.compile("(?<=[0-9a-fA-FxXoObB])_(?=[0-9a-fA-F])");

    private static final Pattern CELL = Pattern.compile("(\"(?:[^\"]|\"\")*\"|[^,\"]*)(,|$)");

    private static final Pattern GO_INTEGER =
            Pattern.compile("([+-]?)(0[xX](?=[0-9a-fA-F])|0[bB]|0[oO]?)?([0-9a-fA-F]*)");

    /** Reads a number of Go's syntax with base 0: decimal, or hexadecimal, octal or binary by its prefix. */
    private static BigInteger goInteger(String text, int bits) {
        Matcher parts = GO_INTEGER.matcher(UNDERSCORES.matcher(text).replaceAll(""));
        try {
            if (!parts.matches()) {
                throw new NumberFormatException(text);
            }
            String prefix = parts.group(2) == null ? "" : parts.group(2).toLowerCase(Locale.ROOT);
            int radix = switch (prefix) {
                case "" -> 10;
                case "0x" -> 16;
                case "0b" -> 2;
                default -> 8;
            };
            String digits = prefix.equals("0") ? "0" + parts.group(3) : parts.group(3);
            BigInteger number = new BigInteger(parts.group(1) + digits, radix);
            if (number.bitLength() > bits) {
                throw invalid("strconv.ParseInt: parsing " + GoText.quoted(text) + ": value out of range");
            }
            return number;
        } catch (NumberFormatException e) {
            throw invalid("strconv.ParseInt: parsing " + GoText.quoted(text) + ": invalid syntax");
        }
    }

    /** Returns the cells of a line of comma-separated values, in which a cell may have quotation marks around it. */
    private static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        Matcher cell = CELL.matcher(line);
        boolean hasMore = true;
        while (hasMore) {
            if (!cell.lookingAt()) {
                throw invalid("parse error on line 1, column " + (line.length() + 1)
                        + ": extraneous or missing \" in quoted-field");
            }
            String text = cell.group(1);
            cells.add(
                    text.startsWith("\"") ? text.substring(1, text.length() - 1).replace("\"\"", "\"") : text);
            hasMore = !cell.group(2).isEmpty();
            cell.region(cell.end(), line.length());
        }
        return List.copyOf(cells);
    }

    private final String placeholder;

    OptionType(String placeholder) {
        this.placeholder = placeholder;
    }

    /** Returns the value of an option without a default value. */
    Object absent() {
        return switch (this) {
            case PAIRS -> Map.of();
            case INTS, CERTIFICATES -> List.of();
            case QUANTITY -> "";
            case BOOL -> false;
            default -> parse("");
        };
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
    public JsonValue json(Object value) {
        if (value instanceof Boolean flag) {
            return JsonBoolean.of(flag);
        }
        if (value instanceof Integer || value instanceof Long) {
            return JsonNumber.of(((Number) value).longValue());
        }
        if (value instanceof Double number) {
            return new JsonNumber(
                    BigDecimal.valueOf(number).stripTrailingZeros().toPlainString());
        }
        if (value instanceof Duration duration) {
            return new JsonString(goString(duration));
        }
        if (value instanceof List) {
            return JsonArray.ofStrings(strings(value));
        }
        if (value instanceof Map) {
            JsonObject.Builder json = JsonObject.builder();
            entries(value).forEach(json::put);
            return json.build();
        }
        return new JsonString((String) value);
    }

    /** Returns the text as Go prints it: 5m0s, where GoDuration.format omits what is 0. */
    private static String goString(Duration value) {
        Duration rest = value.minusHours(value.toHours()).minusMinutes(value.toMinutesPart());
        return (value.toHours() > 0 ? value.toHours() + "h" : "")
                + (value.toMinutes() > 0 ? value.toMinutesPart() + "m" : "")
                + GoDuration.format(rest);
    }

    /** Returns the value of an option that is given twice. */
    Object joined(Object one, Object other) {
        if (one instanceof List) {
            List<String> both = new ArrayList<>(strings(one));
            both.addAll(strings(other));
            return List.copyOf(both);
        }
        if (one instanceof Map) {
            Map<String, String> both = new TreeMap<>(entries(one));
            both.putAll(entries(other));
            return both;
        }
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

    private static Map<String, String> pairs(List<String> entries, String otherwise) {
        Map<String, String> pairs = new TreeMap<>();
        for (String entry : entries) {
            int at = entry.indexOf('=');
            if (at < 0) {
                throw invalid(entry + otherwise);
            }
            pairs.put(entry.substring(0, at), entry.substring(at + 1));
        }
        return pairs;
    }

    private static IllegalArgumentException invalid(String message) {
        return new IllegalArgumentException(message);
    }
}
