/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.core.Pod;
import io.kubeloop.json.tree.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClaimProtectionTest {

    private ClaimWorld world = new ClaimWorld();

    @AfterEach
    void close() {
        world.close();
    }

    private List<String> claims() {
        return world.claims().stream().map(claim -> claim.metadata().name()).toList();
    }

    @Test
    void claim_withoutPods_isReleasedAtOnce() {
        world.createClaim("data");
        world.deleteClaim("data");
        assertThat(claims()).containsExactly("data");

        world.settle();

        assertThat(claims()).isEmpty();
    }

    private String conditions() {
        return JsonObject.of(world.claims().get(0).unknownFields())
                .object("status")
                .array("conditions")
                .objects()
                .map(condition -> condition.string("type") + "=" + condition.string("status") + "/"
                        + condition.string("reason") + "/" + condition.string("message") + "/"
                        + condition.string("lastTransitionTime"))
                .collect(Collectors.joining(" "));
    }

    /** The texts are those of kube-controller-manager 1.37.2. */
    @Test
    void claim_tellsSinceWhenNoPodNamesIt() {
        world.createClaim("data");
        world.settle();
        assertThat(conditions()).as("an unbound claim").isEmpty();

        world.bindClaim("data");
        world.settle();
        assertThat(conditions())
                .isEqualTo(
                        "Unused=True/NoPodsUsingPVC/No pods are currently referencing this PVC/2026-01-01T00:00:00Z");

        world.clock.advance(Duration.ofHours(1));
        world.createPod("p", "data", "");
        world.settle();
        assertThat(conditions())
                .isEqualTo("Unused=False/PodUsingPVC/A pod is currently referencing this PVC/2026-01-01T01:00:00Z");

        world.clock.advance(Duration.ofHours(1));
        world.finish("p");
        world.settle();
        assertThat(conditions())
                .isEqualTo(
                        "Unused=True/NoPodsUsingPVC/No pods are currently referencing this PVC/2026-01-01T02:00:00Z");
    }

    @Test
    void claim_staysUntilItsPodIsGone_alsoWhenThePodHasFinished() {
        world.createClaim("data");
        world.createPod("p", "data", "node");
        world.settle();
        world.deleteClaim("data");
        world.settle();
        assertThat(claims()).containsExactly("data");

        world.finish("p");
        world.settle();
        assertThat(claims()).containsExactly("data");

        world.deletePod("p");
        world.settle();
        assertThat(claims()).isEmpty();
    }

    @Test
    void claim_ofAPodWithoutANode_isReleased() {
        world.createClaim("data");
        world.createPod("p", "data", "");
        world.deleteClaim("data");

        world.settle();

        assertThat(claims()).isEmpty();
    }

    @Test
    void claim_staysForAPodThatTheCacheDoesNotHaveYet() {
        world.createClaim("data");
        world.settle();
        world.deleteClaim("data");
        world.createPod("p", "data", "node");
        world.cachedClaims.serverHas(world.claims());
        world.cachedClaims.deliver();

        while (world.sync()) {
            assertThat(claims()).containsExactly("data");
        }
        world.settle();
        assertThat(claims()).containsExactly("data");
    }

    @Test
    void claim_withoutTheFinalizer_getsIt() {
        world.createClaim("data");
        world.requests
                .send(
                        "PATCH",
                        ClaimWorld.CLAIMS + "/data",
                        "application/merge-patch+json",
                        "{'metadata':{'finalizers':['example.com/other']}}")
                .ok();

        world.settle();

        assertThat(world.claims().get(0).metadata().finalizers())
                .containsExactly("example.com/other", ClaimProtectionController.FINALIZER);
    }

    @Test
    void claims_thatArePodsUse_areNeverReleased_andAllOthersAre() {
        for (long seed = 0; seed < 150; seed++) {
            world.close();
            world = new ClaimWorld();
            simulate(new Random(seed));
        }
    }

    private void simulate(Random random) {
        for (int step = 0; step < 40; step++) {
            act(random, "c" + random.nextInt(3), "p" + random.nextInt(4));
            switch (random.nextInt(4)) {
                case 0 -> world.cachedPods.loseChanges(random);
                case 1 -> world.cachedPods.relist();
                default -> {
                    world.cachedPods.deliver();
                    world.cachedClaims.deliver();
                }
            }
            List<String> used = used();
            world.sync();
            assertThat(claims()).containsAll(used);
        }
        world.watch();
        world.cachedPods.relist();
        world.settle();
        List<String> used = used();
        assertThat(world.claims().stream()
                        .filter(claim -> claim.metadata().isDeleting())
                        .map(claim -> claim.metadata().name()))
                .containsExactlyInAnyOrderElementsOf(used);
    }

    private void act(Random random, String claim, String pod) {
        boolean hasPod =
                world.pods().stream().anyMatch(each -> each.metadata().name().equals(pod));
        switch (random.nextInt(6)) {
            case 0, 1 -> {
                if (!claims().contains(claim)) {
                    world.createClaim(claim);
                }
            }
            case 2, 3 -> {
                if (!hasPod) {
                    world.createPod(pod, claim, random.nextBoolean() ? "node" : "");
                } else if (random.nextBoolean()) {
                    world.deletePod(pod);
                } else {
                    world.finish(pod);
                }
            }
            default -> world.deleteClaim(claim);
        }
        world.watch();
    }

    /** Returns the deleted claims that a pod on a node uses. */
    private List<String> used() {
        List<Pod> pods = world.pods();
        return world.claims().stream()
                .filter(claim -> claim.metadata().isDeleting())
                .filter(claim -> pods.stream().anyMatch(pod -> isUser(pod, claim)))
                .map(claim -> claim.metadata().name())
                .toList();
    }

    private static boolean isUser(Pod pod, PersistentVolumeClaim claim) {
        return !pod.spec().nodeName().isEmpty() && UsedClaims.of(pod).contains(claim.objectName());
    }
}
