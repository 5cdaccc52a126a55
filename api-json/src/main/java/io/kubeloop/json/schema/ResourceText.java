/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.schema;

import io.kubeloop.json.schema.ApiResource.Column;
import io.kubeloop.json.schema.ApiResource.Names;
import io.kubeloop.json.schema.ApiResource.Subresource;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the text of all resources.
 *
 * <p>Each line is one of these; a list has commas between its elements, and {@code -} stands for nothing:
 *
 * <pre>
 * version GROUP/VERSION                                                       the resources that follow are in it
 * PLURAL SINGULAR KIND VERBS SCOPE SHORT-NAMES CATEGORIES STORAGE-HASH        a resource; returns-deleted follows if
 *                                                                             the answer to a delete is the object
 *  =NAME;TYPE;FORMAT;PRIORITY|...                                             its columns
 *  NAME KIND VERBS GROUP/VERSION                                              a subresource; the last word only if its
 *                                                                             kind is of another group or version
 * </pre>
 *
 * Confined to one thread.
 */
final class ResourceText {

    private final List<ApiResource> resources = new ArrayList<>();
    private String group = "";
    private String version = "";
    private String[] current = new String[0];
    private List<Subresource> subresources = List.of();
    private List<Column> columns = List.of();

    private ResourceText() {}

    /** Reads a resource beside this class. */
    static List<ApiResource> read(String resource) {
        ResourceText reader = new ResourceText();
        for (String line : TypeText.load(resource).lines().toList()) {
            reader.line(line);
        }
        reader.finish();
        return List.copyOf(reader.resources);
    }

    private void line(String line) {
        if (line.startsWith("#")) {
            return;
        }
        if (line.startsWith(" =")) {
            columns = columns(line.substring(2));
        } else if (line.startsWith(" ")) {
            subresources.add(subresource(line.substring(1).split(" ", -1)));
        } else if (line.startsWith("version ")) {
            finish();
            String apiVersion = line.substring("version ".length());
            group = group(apiVersion);
            version = version(apiVersion);
        } else {
            finish();
            current = line.split(" ", -1);
        }
    }

    private static String group(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : apiVersion.substring(0, slash);
    }

    private static String version(String apiVersion) {
        return apiVersion.substring(apiVersion.indexOf('/') + 1);
    }

    private void finish() {
        if (current.length > 0) {
            Names names = new Names(current[0], current[1], current[2], list(current[5]), list(current[6]));
            resources.add(new ApiResource(
                    group,
                    version,
                    names,
                    current[4].equals("namespaced"),
                    list(current[3]),
                    subresources,
                    columns,
                    current[7].equals("-") ? "" : current[7],
                    current.length > 8));
        }
        current = new String[0];
        subresources = new ArrayList<>();
        columns = List.of();
    }

    private Subresource subresource(String[] words) {
        boolean foreign = words.length > 3;
        return new Subresource(
                words[0],
                foreign ? group(words[3]) : group,
                foreign ? version(words[3]) : version,
                words[1],
                list(words[2]));
    }

    private static List<Column> columns(String text) {
        List<Column> columns = new ArrayList<>();
        for (String column : text.split("\\|", -1)) {
            String[] parts = column.split(";", -1);
            columns.add(new Column(parts[0], parts[1], parts[2], Integer.parseInt(parts[3])));
        }
        return columns;
    }

    private static List<String> list(String word) {
        return word.equals("-") ? List.of() : List.of(word.split(",", -1));
    }
}
