/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandOutcomeTest {

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "{}                                                          |            | 0",
                "{'command':['sleep','300']}                                 | PT5M       | 0",
                "{'command':['/bin/sleep'],'args':['0.5m']}                  | PT30S      | 0",
                "{'command':['sleep','infinity']}                            | PT876000H  | 0",
                "{'command':['sleep','9999999999999999999999']}              | PT876000H  | 0",
                "{'command':['sleep','x']}                                   |            | 0",
                "{'command':['sh','-c','sleep 2']}                           | PT2S       | 0",
                "{'command':['sh','-c','sleep 2; exit 3']}                   |            | 0",
                "{'command':['/bin/sh','-c','exit 3']}                       |            | 3",
                "{'command':['sh','-c','exit 256']}                          |            | 0",
                "{'command':['false']}                                       |            | 1",
                "{'command':['true']}                                        |            | 0",
                "{'args':['serve']}                                          |            | 0",
                "{'image':'registry.k8s.io/pause:3.10.2'}                    | PT876000H  | 0",
                "{'image':'pause@sha256:12','command':['false']}             |            | 1",
                "{'image':'example.com/pause-menu:1'}                        |            | 0",
            })
    void command_showsItsEnd(String container, @Nullable Duration time, int exitCode) {
        assertThat(CommandOutcome.of(pod(container))).isEqualTo(new CommandOutcome(time, exitCode));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "{'command':['sleep','1']},{'command':['sleep','2']},{'command':['sh','-c','exit 4']} | PT2S | 4",
                "{},{'command':['false']},{'command':['sh','-c','exit 4']}                           |      | 1",
            })
    void pod_endsWithItsLongestCommand(String containers, @Nullable Duration time, int exitCode) {
        assertThat(CommandOutcome.of(pod(containers))).isEqualTo(new CommandOutcome(time, exitCode));
    }

    private static JsonObject pod(String containers) {
        return JsonObject.parse(
                "{'spec':{'containers':[%s]}}".formatted(containers).replace('\'', '"'));
    }
}
