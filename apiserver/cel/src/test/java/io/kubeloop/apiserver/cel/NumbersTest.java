/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.apiserver.expressions.Expression;
import io.kubeloop.apiserver.expressions.ExpressionException;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers that a client writes with exponents. */
@Timeout(20)
class NumbersTest {

    private static final JsonObject INTEGER = JsonObject.parse("{\"type\":\"integer\"}");

    @Test
    void integerWithAnExponent_isRefusedAsAFloat() {
        assertThat(JsonValues.of(new JsonNumber("10"), INTEGER)).isEqualTo(10L);
        assertThatThrownBy(() -> JsonValues.of(new JsonNumber("1e1"), INTEGER))
                .hasMessage("invalid data, expected int, got float64");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e2147483647", "1e-2147483648", "1e999999999", "-1e999999999", "1e10000"})
    void quantityWithAHugeExponent_isAnErrorAtOnce(String quantity) throws ExpressionException {
        KubernetesCel cel = new KubernetesCel();
        Expression expression =
                cel.compileChange("quantity('" + quantity + "').asInteger()", Map.of("object", cel.any()));
        assertThat(expression.evaluate(Map.of("object", JsonObject.EMPTY)).error())
                .isNotNull();
    }
}
