/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.transport.memory.Requests.Reply;
import io.kubeloop.transport.memory.ServerFixture;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The responses of kube-apiserver v1.37.2 to the numbers of pods that a StatefulSet may lack. */
class StatefulSetRolloutTest extends ServerFixture {

    private static final String FIELD = "spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: ";
    private static final String NO_PERCENTAGE =
            "a valid percent string must be a numeric string followed by an ending '%'"
                    + " (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

    @ParameterizedTest
    @ValueSource(strings = {"1", "50", "'50%'", "'100%'"})
    void maxUnavailable_thatIsANumberOfPods_isAccepted(String value) {
        assertThat(created(value).code()).isEqualTo(201);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            value = {
                "0,zero",
                "-1,must be greater than or equal to 0",
                "'0%',zero",
                "'00%',zero",
                "'101%',must not be greater than 100%",
                "'99999999999999999999%',must not be greater than 100%",
                "'-5%',percent zero",
                "'x',percent zero",
                "'0',percent zero",
                "'5',percent",
                "'1.5%',percent zero",
                "'',percent zero",
                "'%',percent zero"
            })
    void maxUnavailable_thatIsNoNumberOfPods_isRefused(String value, String complaints) {
        List<String> errors = new ArrayList<>();
        String prefix = FIELD + value.replace('\'', '"') + ": ";
        switch (complaints) {
            case "zero" -> errors.add(prefix + "cannot be 0");
            case "percent" -> errors.add(prefix + NO_PERCENTAGE);
            case "percent zero" -> errors.addAll(List.of(prefix + NO_PERCENTAGE, prefix + "cannot be 0"));
            default -> errors.add(prefix + complaints);
        }
        String all = String.join(", ", errors);

        Reply refused = created(value);

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .isEqualTo("StatefulSet.apps \"s\" is invalid: " + (errors.size() > 1 ? "[" + all + "]" : all));
    }

    private Reply created(String value) {
        return requests.post(
                "/apis/apps/v1/namespaces/default/statefulsets",
                "{'metadata':{'name':'s'},'spec':{'serviceName':'s','selector':{'matchLabels':{'a':'b'}},"
                        + "'updateStrategy':{'rollingUpdate':{'maxUnavailable':" + value + "}},"
                        + "'template':{'metadata':{'labels':{'a':'b'}},"
                        + "'spec':{'containers':[{'name':'c','image':'i'}]}}}}");
    }
}
