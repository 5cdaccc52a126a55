/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.expressions.Expression;
import io.kubeloop.apiserver.expressions.ExpressionException;
import io.kubeloop.json.tree.JsonObject;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Literals with entries that are left out if their value is absent. A policy in which the type of such a value is
 * unknown stops kube-apiserver.
 */
class OptionalEntriesTest {

    private final KubernetesCel cel = new KubernetesCel();

    private String evaluate(String text, String object) throws ExpressionException {
        Expression expression = cel.compileChange(text, Map.of("object", cel.any()));
        Expression.Outcome outcome = expression.evaluate(Map.of("object", JsonObject.parse(object)));
        return outcome.value() instanceof Expression.Change change
                ? change.json().toString()
                : outcome.error() + "";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Object{data: {?'copied': object[?'a']}}",
                "Object{data: {?'copied': object.?a}}",
                "Object{?data: optional.of({'copied': 'x'})}",
                "Object{data: {?'copied': optional.of('x')}}"
            })
    void presentValue_isAnEntry(String text) throws ExpressionException {
        assertThat(evaluate(text, "{'a':'x'}".replace('\'', '"'))).isEqualTo("{\"data\":{\"copied\":\"x\"}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Object{data: {?'copied': object[?'a']}}", "Object{data: {?'copied': object.?a}}"})
    void absentValue_isNoEntry(String text) throws ExpressionException {
        assertThat(evaluate(text, "{}")).isEqualTo("{\"data\":{}}");
    }

    @Test
    void valuesOfOneList_areComparedByTheirTypes() throws ExpressionException {
        assertThat(evaluate("[JSONPatch{op: 'add', path: '/a', value: [?object[?'a'], 'y']}]", "{\"a\":\"x\"}"))
                .isEqualTo("[{\"op\":\"add\",\"path\":\"/a\",\"value\":[\"x\",\"y\"]}]");
    }
}
