/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.endpointslice;

import static io.kubeloop.controller.endpointslice.SliceTestObjects.LABELS;
import static io.kubeloop.controller.endpointslice.SliceTestObjects.endpoint;
import static io.kubeloop.controller.endpointslice.SliceTestObjects.endpoints;
import static io.kubeloop.controller.endpointslice.SliceTestObjects.group;
import static io.kubeloop.controller.endpointslice.SliceTestObjects.service;
import static io.kubeloop.controller.endpointslice.SliceTestObjects.slice;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.core.Service;
import io.kubeloop.api.discovery.Endpoint;
import io.kubeloop.api.discovery.EndpointSlice;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlicePackerTest {

    private static final Service WEB = service("");

    private final SlicePlan plan = new SlicePlan();

    private void pack(List<Endpoint> desired, EndpointSlice... existing) {
        new SlicePacker(LABELS, 5).pack(WEB, AddressTypes.IPV4, List.of(existing), group(desired), plan);
    }

    private static List<Integer> sizes(List<EndpointSlice> slices) {
        return slices.stream().map(slice -> slice.endpoints().size()).toList();
    }

    @Test
    void pack_nothingExists_createsFullSlicesAndTheRest() {
        pack(endpoints(1, 12));

        assertThat(sizes(plan.creates())).containsExactly(5, 5, 2);
        assertThat(plan.updates()).isEmpty();
    }

    @Test
    void pack_oneMore_goesToTheFullestSliceWithRoom() {
        pack(
                endpoints(1, 9),
                slice(WEB, "a", endpoints(1, 3)),
                slice(WEB, "b", endpoints(4, 7)),
                slice(WEB, "c", endpoints(8, 8)));

        assertThat(plan.updates()).extracting(slice -> slice.metadata().name()).containsExactly("b");
        assertThat(sizes(plan.updates())).containsExactly(5);
        assertThat(plan.creates()).isEmpty();
    }

    @Test
    void pack_moreThanAnyUnchangedSliceHasRoomFor_makesASliceInsteadOfChangingTwo() {
        pack(endpoints(1, 10), slice(WEB, "a", endpoints(1, 4)), slice(WEB, "b", endpoints(5, 8)));

        assertThat(plan.updates()).isEmpty();
        assertThat(sizes(plan.creates())).containsExactly(2);
    }

    @Test
    void pack_aSliceChangesAnyway_takesNewEndpointsFirst() {
        List<Endpoint> desired = new ArrayList<>(endpoints(2, 4));
        desired.addAll(endpoints(10, 12));
        pack(desired, slice(WEB, "a", endpoints(1, 2)), slice(WEB, "b", endpoints(3, 4)));

        assertThat(plan.updates()).extracting(slice -> slice.metadata().name()).containsExactly("a");
        assertThat(sizes(plan.updates())).containsExactly(4);
    }

    @Test
    void pack_noEndpointOfASliceIsLeft_deletesIt() {
        pack(endpoints(1, 2), slice(WEB, "a", endpoints(1, 2)), slice(WEB, "b", endpoints(3, 4)));

        assertThat(plan.deletes()).extracting(slice -> slice.metadata().name()).containsExactly("b");
        assertThat(plan.updates()).isEmpty();
    }

    @Test
    void pack_anEndpointTurnsUnready_changesItsSliceOnly() {
        List<Endpoint> desired = new ArrayList<>(endpoints(1, 3));
        desired.add(endpoint(4, "a", false));
        pack(desired, slice(WEB, "a", endpoints(1, 2)), slice(WEB, "b", endpoints(3, 4)));

        assertThat(plan.updates()).extracting(slice -> slice.metadata().name()).containsExactly("b");
    }

    @Test
    void pack_theServiceHasANewLabel_relabelsEverySlice() {
        Service labeled = service(",'labels':{'tier':'front'}");
        new SlicePacker(LABELS, 5)
                .pack(
                        labeled,
                        AddressTypes.IPV4,
                        List.of(slice(WEB, "a", endpoints(1, 1))),
                        group(endpoints(1, 1)),
                        plan);

        assertThat(plan.updates())
                .singleElement()
                .satisfies(slice -> assertThat(slice.metadata().labels())
                        .containsEntry("tier", "front")
                        .containsEntry("kubernetes.io/service-name", "web"));
    }

    @Test
    void recycle_createAndDeleteOfOneType_becomeAnUpdate() {
        plan.creates().add(LABELS.newSlice(WEB, AddressTypes.IPV6, List.of()));
        plan.creates().add(LABELS.newSlice(WEB, AddressTypes.IPV4, List.of()));
        plan.deletes().add(slice(WEB, "old", endpoints(1, 1)));
        plan.recycle(old -> true);

        assertThat(plan.deletes()).isEmpty();
        assertThat(plan.creates()).extracting(EndpointSlice::addressType).containsExactly(AddressTypes.IPV6);
        assertThat(plan.updates()).singleElement().satisfies(slice -> {
            assertThat(slice.metadata().name()).isEqualTo("old");
            assertThat(slice.metadata().resourceVersion()).isEmpty();
            assertThat(slice.endpoints()).isEmpty();
        });
    }
}
