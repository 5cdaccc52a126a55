/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.EndpointAddress;
import io.kubeloop.api.core.EndpointPort;
import io.kubeloop.api.core.EndpointSubset;
import io.kubeloop.controller.services.SubsetOrder;
import io.kubeloop.controller.services.SubsetPacker;
import io.kubeloop.testing.Json;
import io.kubeloop.testing.Vectors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class SubsetPackerTest {

    /**
     * Upstream orders ports and subsets by a digest, which no client relies on; the order here is {@link
     * SubsetOrder}'s.
     */
    @TestFactory
    Stream<DynamicTest> vectors() {
        return Vectors.tests(getClass(), "endpoints-repack", vector -> {
            Object expected = vector.expected().get("subsets");
            assertThat(pack(subsets(vector.input().get("subsets")))).isEqualTo(SubsetOrder.sort(subsets(expected)));
        });
    }

    private static List<EndpointSubset> subsets(Object json) {
        return EndpointVectorObjects.read(ResourceTypes.ENDPOINTS, Collections.singletonMap("subsets", json))
                .subsets();
    }

    private static List<EndpointSubset> pack(List<EndpointSubset> subsets) {
        SubsetPacker packer = new SubsetPacker();
        subsets.forEach(packer::add);
        return packer.pack();
    }

    @Test
    void pack_emptyMembers_areAsGoodAsAbsentOnes() {
        Object explicit = Json.parse("""
                [{"addresses":[{"ip":"10.0.0.1","hostname":"","targetRef":null}],
                  "ports":[{"name":"","port":80,"protocol":""},{"port":80}]}]""");
        Object absent = Json.parse("""
                [{"addresses":[{"ip":"10.0.0.1"}],"ports":[{"port":80}]}]""");
        assertThat(pack(subsets(explicit))).isEqualTo(subsets(absent));
    }

    @Test
    void pack_appProtocolEmptyOrAbsent_twoPortsInOneOrder() {
        Object given = Json.parse("""
                [{"addresses":[{"ip":"10.0.0.1"}],"ports":[{"port":80,"appProtocol":""},{"port":80}]}]""");
        assertThat(pack(subsets(given)).get(0).ports())
                .extracting(EndpointPort::appProtocol)
                .containsExactly(null, "");
    }

    @Test
    void pack_sameContentInAnyOrder_sameResult() {
        Random random = new Random(7);
        for (int run = 0; run < 200; run++) {
            List<EndpointSubset> subsets = randomSubsets(random);
            List<EndpointSubset> packed = pack(subsets);
            List<EndpointSubset> shuffled = new ArrayList<>(subsets);
            Collections.shuffle(shuffled, random);
            assertThat(pack(shuffled)).isEqualTo(packed);
            assertThat(pack(packed)).as("packing again changes nothing").isEqualTo(packed);
            assertThat(pairs(packed)).isEqualTo(pairs(subsets));
        }
    }

    private static List<EndpointSubset> randomSubsets(Random random) {
        List<EndpointSubset> subsets = new ArrayList<>();
        for (int i = random.nextInt(6); i >= 0; i--) {
            subsets.add(new EndpointSubset(
                    randomAddresses(random), randomAddresses(random), randomPorts(random), UnknownFields.NONE));
        }
        return subsets;
    }

    private static List<EndpointAddress> randomAddresses(Random random) {
        return random.ints(random.nextInt(4), 1, 6)
                .mapToObj(i -> new EndpointAddress("10.0.0." + i, "", null, null, UnknownFields.NONE))
                .toList();
    }

    private static List<EndpointPort> randomPorts(Random random) {
        return random.ints(1 + random.nextInt(3), 1, 5)
                .mapToObj(i -> new EndpointPort("p" + i, 8000 + i, "TCP", null, UnknownFields.NONE))
                .distinct()
                .toList();
    }

    /** What subsets say: which address offers which port, and whether it is ready. */
    private static Map<String, Boolean> pairs(List<EndpointSubset> subsets) {
        Map<String, Boolean> pairs = new HashMap<>();
        for (EndpointSubset subset : subsets) {
            for (EndpointPort port : subset.ports()) {
                subset.addresses().forEach(a -> pairs.merge(a.ip() + port, true, Boolean::logicalAnd));
                subset.notReadyAddresses().forEach(a -> pairs.put(a.ip() + port, false));
            }
        }
        return pairs;
    }
}
