/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.openapi;

import io.kubeloop.json.tree.JsonObject;

/**
 * Derives the operation IDs and tags of one API version (upstream: {@code apiserver/pkg/endpoints/openapi}). Immutable.
 */
final class Naming {

    private static final String SUFFIX = ".k8s.io";

    private final String group;
    private final String version;
    private final String plain;

    /** Creates the naming of a group and version; with an empty version, that of the group itself. */
    Naming(String group, String version) {
        this.group = group;
        this.version = version;
        String name = group.isEmpty() ? "core" : group;
        this.plain = name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
    }

    String id(String verb, String rest) {
        return verb + joined(plain, true) + joined(version, true) + joined(rest, true);
    }

    String tag() {
        return version.isEmpty() ? joined(plain, false) : joined(plain, false) + "_" + joined(version, false);
    }

    JsonObject kind(String kind) {
        return kind(group, version, kind);
    }

    static JsonObject kind(String group, String version, String kind) {
        return JsonObject.builder()
                .put("group", group)
                .put("kind", kind)
                .put("version", version)
                .build();
    }

    static String capitalized(String word) {
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }

    /**
     * Returns the letters and digits of a text in camel case: a letter that follows another character becomes a
     * capital.
     */
    private static String joined(String text, boolean capital) {
        StringBuilder out = new StringBuilder();
        boolean next = capital;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isLetter(c) || c == '_' || (i > 0 && Character.isDigit(c))) {
                out.append(next ? Character.toUpperCase(c) : c);
                next = false;
            } else {
                next = true;
            }
        }
        return out.toString();
    }
}
