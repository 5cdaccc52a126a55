/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.EndpointAddress;
import io.kubeloop.api.core.EndpointSubset;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OverCapacityTest {

    private static EndpointSubset subset(int ready, int notReady) {
        return new EndpointSubset(addresses(ready), addresses(notReady), List.of(), UnknownFields.NONE);
    }

    private static List<EndpointAddress> addresses(int count) {
        return IntStream.range(0, count)
                .mapToObj(
                        i -> new EndpointAddress("10.0." + i / 250 + "." + i % 250, "", null, null, UnknownFields.NONE))
                .toList();
    }

    private static List<List<Integer>> sizes(List<EndpointSubset> subsets) {
        return subsets.stream()
                .map(s -> List.of(s.addresses().size(), s.notReadyAddresses().size()))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"600, 400, 1000, false", "600, 401, 1000, true", "1001, 0, 1000, true"})
    void exceeds_addressesOfBothKinds_countedTogether(int ready, int notReady, int limit, boolean expected) {
        assertThat(OverCapacity.exceeds(List.of(subset(ready, notReady)), limit))
                .isEqualTo(expected);
    }

    @Test
    void truncate_enoughRoomForReadyOnes_onlyOthersAreCut() {
        assertThat(sizes(OverCapacity.truncate(List.of(subset(60, 30), subset(20, 30)), 100)))
                .isEqualTo(List.of(List.of(60, 10), List.of(20, 10)));
    }

    @Test
    void truncate_tooManyReadyOnes_cutInProportionAndOthersGone() {
        assertThat(sizes(OverCapacity.truncate(List.of(subset(300, 5), subset(100, 5)), 100)))
                .isEqualTo(List.of(List.of(75, 0), List.of(25, 0)));
    }

    @Test
    void truncate_sharesRoundedUp_lastSubsetGetsTheRest() {
        List<EndpointSubset> truncated = OverCapacity.truncate(List.of(subset(7, 0), subset(7, 0), subset(7, 0)), 10);
        assertThat(sizes(truncated)).isEqualTo(List.of(List.of(4, 0), List.of(4, 0), List.of(2, 0)));
    }

    @Test
    void truncate_shareIsAWholeNumber_stillAsUpstreamsDoublesHaveIt() {
        assertThat(sizes(OverCapacity.truncate(List.of(subset(75, 14), subset(0, 36)), 100)))
                .isEqualTo(List.of(List.of(75, 8), List.of(0, 17)));
    }

    @Test
    void truncate_nothingOfASubsetStays_subsetIsLeftOut() {
        assertThat(sizes(OverCapacity.truncate(List.of(subset(0, 5), subset(101, 0), subset(0, 5)), 100)))
                .isEqualTo(List.of(List.of(100, 0)));
    }

    @Test
    void truncate_justAsManyReadyOnes_noneOfTheOthers() {
        assertThat(sizes(OverCapacity.truncate(List.of(subset(100, 3)), 100))).isEqualTo(List.of(List.of(100, 0)));
    }
}
