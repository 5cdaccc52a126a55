/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.typed;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.schema.TypeCatalog;
import io.kubeloop.json.tree.JsonObject;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class MapOrderTest {

    @Test
    void sorted_entriesOfMaps_butNotFields() {
        JsonObject pod = JsonObject.parse("""
                {"metadata":{"name":"p","labels":{"b":"1","a":"2"}},"spec":{"x":{"b":1,"a":1},\
                "containers":[{"name":"c",\
                "image":"i","resources":{"limits":{"memory":"1","cpu":"1"}}}]}}""");

        JsonObject sorted =
                MapOrder.sorted(Objects.requireNonNull(TypeCatalog.kubernetes().type("v1", "Pod")), pod);

        assertThat(sorted).hasToString("""
                        {"metadata":{"name":"p","labels":{"a":"2","b":"1"}},"spec":{"x":{"b":1,"a":1},\
                        "containers":[{"name":"c",\
                        "image":"i","resources":{"limits":{"cpu":"1","memory":"1"}}}]}}""");
    }
}
