package io.kubeloop.apiserver.http;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One clause of an {@code Accept} header, or a content type.
 *
 * @param type type and subtype, in lower case
 * @param parameters the parameters by name, without {@code q}
 * @param quality the preference, 0 to 1
 */
record MediaRange(String type, Map<String, String> parameters, double quality) {

    /** Parses a header; sorts the clauses by quality and keeps the order of equal ones. */
    static List<MediaRange> parseAll(String header) {
        List<MediaRange> ranges = new ArrayList<>();
        for (String clause : header.split(",", -1)) {
            if (!clause.isBlank()) {
                ranges.add(parse(clause));
            }
        }
        ranges.sort(Comparator.comparingDouble((MediaRange range) -> -range.quality()));
        return ranges;
    }

    static MediaRange parse(String clause) {
        String[] parts = clause.split(";", -1);
        Map<String, String> parameters = new HashMap<>();
        double quality = 1;
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            if (equals < 0) {
                continue;
            }
            String name = parts[i].substring(0, equals).strip().toLowerCase(Locale.ROOT);
            String value = parts[i].substring(equals + 1).strip();
            if (name.equals("q")) {
                quality = quality(value);
            } else {
                parameters.put(name, value);
            }
        }
        return new MediaRange(parts[0].strip().toLowerCase(Locale.ROOT), Map.copyOf(parameters), quality);
    }

    private static double quality(String value) {
        try {
            return Double.parseDouble(value);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    boolean includes(String mediaType) {
        return type.equals(mediaType)
                || type.equals("*/*")
                || (type.endsWith("/*") && mediaType.startsWith(type.substring(0, type.length() - 1)));
    }

    String parameter(String name) {
        return parameters.getOrDefault(name, "");
    }
}
