/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.negotiation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One clause of an {@code Accept} header (upstream: {@code munnerz/goautoneg}). As upstream, types are compared with
 * regard to case.
 *
 * @param type the type before the slash
 * @param subtype the type after the slash
 * @param parameters the parameters by name, without {@code q}
 * @param quality the preference, 0 to 1
 */
public record MediaRange(String type, String subtype, Map<String, String> parameters, double quality) {

    private static final String ANY = "*";

    /** Copies the parameters. */
    public MediaRange {
        parameters = Map.copyOf(parameters);
    }

    /** Parses a header, without the clauses that are malformed; preferred clauses first. */
    public static List<MediaRange> parseAll(String header) {
        List<MediaRange> ranges = new ArrayList<>();
        for (String clause : header.split(",", -1)) {
            String media = trim(clause.split(";", 2)[0]);
            String[] types = media.split("/", -1);
            if (media.equals(ANY)) {
                ranges.add(parse(ANY, ANY, clause));
            } else if (types.length == 2 && !types[1].isEmpty()) {
                ranges.add(parse(trim(types[0]), trim(types[1]), clause));
            }
        }
        ranges.sort(MediaRange::compare);
        return ranges;
    }

    /** By quality; among equal ones wildcards are last. */
    private static int compare(MediaRange one, MediaRange other) {
        int byQuality = Double.compare(other.quality, one.quality);
        return byQuality != 0 ? byQuality : Integer.compare(one.wildcards(), other.wildcards());
    }

    private int wildcards() {
        return (type.equals(ANY) ? 2 : 0) + (subtype.equals(ANY) ? 1 : 0);
    }

    private static MediaRange parse(String type, String subtype, String clause) {
        Map<String, String> parameters = new HashMap<>();
        double quality = 1;
        String[] parts = clause.split(";", -1);
        for (int i = 1; i < parts.length; i++) {
            String[] pair = parts[i].split("=", -1);
            if (pair.length != 2 || pair[1].isEmpty()) {
                continue;
            }
            if (trim(pair[0]).equals("q")) {
                quality = quality(pair[1]);
            } else {
                parameters.put(trim(pair[0]), trim(pair[1]));
            }
        }
        return new MediaRange(type, subtype, parameters, quality);
    }

    /** Only blanks surround a token, no tabs. */
    private static String trim(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && text.charAt(from) == ' ') {
            from++;
        }
        while (from < to && text.charAt(to - 1) == ' ') {
            to--;
        }
        return text.substring(from, to);
    }

    private static double quality(String value) {
        try {
            return Double.parseDouble(value);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** Returns whether the clause matches a media type without wildcards. */
    public boolean includes(String mediaType) {
        int slash = mediaType.indexOf('/');
        boolean sameType = type.equals(mediaType.substring(0, slash));
        boolean sameSubtype = subtype.equals(ANY) || subtype.equals(mediaType.substring(slash + 1));
        return (sameType && sameSubtype) || (type.equals(ANY) && subtype.equals(ANY));
    }

    /** Returns the value of a parameter; empty if it is absent. */
    public String parameter(String name) {
        return parameters.getOrDefault(name, "");
    }
}
