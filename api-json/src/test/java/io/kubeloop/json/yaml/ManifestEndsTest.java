/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Ends of files, and what stands between documents: what kubectl reads, this library reads. */
class ManifestEndsTest {

    /**
     * Each line is an array: a text, and the values of {@code data.k} of its objects as kubectl 1.37.2 reads them.
     * {@code kubectl label --local -f FILE a=b -o json} has printed them. Texts of
     * which kubectl reads only a part are not among them, such as two JSON objects in one document of YAML.
     */
    private static final String RECORDED = "manifest-ends.jsonl";

    @Test
    void read_everyEnd_findsWhatKubectlFinds() throws IOException {
        Map<String, String> differences = new TreeMap<>();
        List<String> lines = lines();
        for (String line : lines) {
            JsonArray row = (JsonArray) JsonValue.parse(line);
            String text = ((JsonString) row.get(0)).value();
            String found = values(text);
            if (!found.equals(row.get(1).toString())) {
                differences.put(line, found);
            }
        }
        assertThat(lines).hasSizeGreaterThan(800);
        assertThat(differences).isEmpty();
    }

    private static String values(String text) {
        List<JsonValue> values = new ArrayList<>();
        try {
            Manifests.read("f", text).forEach(object -> {
                JsonValue value = object.get("data", "k");
                values.add(value == null ? JsonNull.NULL : value);
            });
        } catch (DecodeException e) {
            return "refused: " + e.getMessage();
        }
        return JsonArray.of(values).toString();
    }

    private static List<String> lines() throws IOException {
        try (InputStream in = ManifestEndsTest.class.getResourceAsStream(RECORDED)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }
}
