/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.common.exceptions.CelInvalidArgumentException;
import io.kubeloop.apiserver.expressions.Expression;
import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import io.kubeloop.apiserver.expressions.ExpressionException;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Compares the types, values and errors of expressions with those of the release of kube-apiserver that the vectors
 * name. {@code function-differences.json} has the answers that differ, which docs/fidelity.md sums up.
 */
class FunctionVectorsTest {

    private static final ExpressionCompiler CEL = new KubernetesCel();
    private static final Map<String, ExpressionCompiler.Type> TYPES = Map.of("object", CEL.any());
    private static final Map<String, JsonObject> OBJECT =
            Map.of("object", JsonObject.parse("{\"data\":{\"a\":\"x\"}}"));

    @Test
    void expressionsAreAnsweredAsByKubeApiServer() throws IOException {
        JsonObject differences = read("function-differences.json");
        List<JsonObject> rows = read("functions.json").array("rows").objects().toList();
        List<String> wrong = rows.parallelStream()
                .filter(row -> !answer(row).equals(expected(row, differences)))
                .map(row -> row.string("expression") + "\n   expected " + expected(row, differences) + "\n   but was  "
                        + answer(row))
                .toList();

        assertThat(wrong).as("differences").isEmpty();
        assertThat(rows.stream().map(row -> row.string("expression")))
                .containsAll(differences.members().keySet());
    }

    private static JsonObject read(String file) throws IOException {
        try (InputStream json = FunctionVectorsTest.class.getResourceAsStream("/vectors/cel/" + file)) {
            return JsonObject.parse(Objects.requireNonNull(json, file).readAllBytes());
        }
    }

    private static String expected(JsonObject row, JsonObject differences) {
        String own = differences.string(row.string("expression"));
        if (!own.isEmpty()) {
            return own;
        }
        if (row.has("refused")) {
            return "refused: " + row.string("refused").replaceFirst("^compilation failed: ", "");
        }
        return row.string("type")
                + (row.has("value") ? " value: " + row.string("value") : " error: " + row.string("error"));
    }

    private static String answer(JsonObject row) {
        String text = row.string("expression");
        try {
            Expression compiled = CEL.compile(text, TYPES);
            Expression.Outcome outcome = row.has("shown")
                    ? CEL.compile(row.string("shown"), TYPES).evaluate(OBJECT)
                    : compiled.evaluate(OBJECT);
            return compiled.typeName() + " "
                    + (outcome.error() == null ? shown(row, outcome.value()) : "error: " + outcome.error());
        } catch (ExpressionException e) {
            return "refused: " + e.getMessage();
        }
    }

    /** Returns what upstream evaluated: the value in a list, as text. */
    private static String shown(JsonObject row, @Nullable Object value) {
        try {
            return "value: "
                    + (row.has("shown")
                            ? value
                            : StringFormat.format("%s", List.of(List.of(Objects.requireNonNull(value)))));
        } catch (CelInvalidArgumentException e) {
            return "error: " + e.getMessage();
        }
    }
}
