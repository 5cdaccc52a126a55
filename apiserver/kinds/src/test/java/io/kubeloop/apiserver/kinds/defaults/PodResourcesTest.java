/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.defaults;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The amounts of a pod that follow from those of its containers. */
class PodResourcesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                // Nothing is added to a pod without amounts of its own.
                "| 'requests':{'cpu':'1'} | ",
                // A request that the pod leaves out is the sum of its containers.
                "'requests':{'memory':'1Gi'} | 'requests':{'cpu':'1'} | 'requests':{'memory':'1Gi','cpu':'2'}",
                // Without requests of the containers it is the limit of the pod.
                "'limits':{'cpu':'3'} | | 'limits':{'cpu':'3'},'requests':{'cpu':'3'}",
                // A limit that all containers have is a limit of the pod.
                "'requests':{'cpu':'1'} | 'limits':{'cpu':'2'} | 'requests':{'cpu':'1'},'limits':{'cpu':'4'}",
                // Huge pages are limited as the containers are.
                "'limits':{'cpu':'1'} | 'limits':{'hugepages-2Mi':'2Mi'} | "
                        + "'limits':{'cpu':'1','hugepages-2Mi':'4Mi'},'requests':{'cpu':'1','hugepages-2Mi':'4Mi'}",
            })
    void amounts_areCompleted(String ofPod, String ofContainer, String expected) {
        String container = "{'name':'c','resources':{" + text(ofContainer) + "}}";
        JsonObject spec = json("{'containers':[" + container + "," + container + "]"
                + (text(ofPod).isEmpty() ? "" : ",'resources':{" + ofPod + "}") + "}");
        assertThat(PodResources.complete(spec).object("resources")).isEqualTo(json("{" + text(expected) + "}"));
    }

    private static String text(String cell) {
        return cell == null ? "" : cell;
    }

    private static JsonObject json(String text) {
        return JsonObject.parse(text.replace('\'', '"'));
    }
}
