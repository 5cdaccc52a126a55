/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QosClassTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {}                                                                                            | BestEffort
        {'requests':{'cpu':'0','example.com/gpu':'1'}}                                                | BestEffort
        {'requests':{'cpu':'1'}}                                                                      | Burstable
        {'limits':{'cpu':'1'},'requests':{'cpu':'1'}}                                                 | Burstable
        {'limits':{'cpu':'1','memory':'1Gi'},'requests':{'cpu':'1','memory':'1Gi'}}                   | Guaranteed
        {'limits':{'cpu':'1','memory':'1Gi'},'requests':{'cpu':'1000m','memory':'1024Mi'}}            | Guaranteed
        {'limits':{'cpu':'1','memory':'1Gi'},'requests':{'cpu':'1','memory':'1G'}}                    | Burstable
        {'limits':{'cpu':'1','memory':'0'},'requests':{'cpu':'1'}}                                    | Burstable
        """)
    void of_oneContainer(String resources, String expected) {
        assertThat(of("{'containers':[{'resources':" + resources + "}]}")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"containers, Burstable", "initContainers, Burstable", "ephemeralContainers, Guaranteed"})
    void of_anotherContainerThatAsksForNothing(String list, String expected) {
        String limited = "{'resources':{'limits':{'cpu':'1','memory':'1'},'requests':{'cpu':'1','memory':'1'}}}";
        String spec = list.equals("containers")
                ? "{'containers':[" + limited + ",{}]}"
                : "{'containers':[" + limited + "],'" + list + "':[{}]}";
        assertThat(of(spec)).isEqualTo(expected);
    }

    private static String of(String spec) {
        return QosClass.of(JsonObject.parse(spec.replace('\'', '"')));
    }
}
