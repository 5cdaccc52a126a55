/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The selector of a scale in the form in which upstream's client of scales returns it. */
class TargetScaleTest {

    private static TargetScale scale(String selector) {
        return TargetScale.of(
                ResourceTypes.DEPLOYMENTS, JsonObject.EMPTY.with(List.of("status", "selector"), selector));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "b==2,a=1 | a=1,b=2",
                "x in (b, a),!y,z | x in (a,b),!y,z",
                "x notin (a) | x notin (a)",
            })
    void of_selector_isCanonical(String text, String canonical) {
        assertThat(scale(text).selector()).isEqualTo(canonical);
    }

    @Test
    void of_noSelector_isEmpty() {
        assertThat(scale("").selector()).isEmpty();
        assertThat(scale("").specReplicas()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a!=b | \"!=\" is not a valid label selector operator",
                "a>1 | \"gt\" isn't supported in label selectors",
                "a<1 | \"lt\" isn't supported in label selectors",
                "app in (x | couldn't parse the selector string \"app in (x\": unable to parse requirement: found '', "
                        + "expected: ',' or ')'",
            })
    void of_selectorThatIsNone_isRejectedInUpstreamsWords(String text, String reason) {
        assertThatThrownBy(() -> scale(text))
                .hasMessage("received an object from a /scale endpoint which was not convertible to autoscaling Scale:"
                        + " failed to parse target selector: " + reason);
    }
}
