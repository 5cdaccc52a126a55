/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.apps.Deployment;
import io.kubeloop.api.apps.DeploymentSpec;
import io.kubeloop.api.apps.DeploymentStatus;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RevisionsTest {

    private static final Deployment DEPLOYMENT = Deployment.of(
            ObjectMetaBuilder.builder()
                    .name("d")
                    .annotations(Map.of("team", "a", Revisions.REVISION, "3"))
                    .build(),
            DeploymentSpec.EMPTY,
            DeploymentStatus.EMPTY);

    @Test
    void newSet_takesTheAnnotationsOfTheDeployment_butNotItsRevision() {
        assertThat(Revisions.ofNewSet(DEPLOYMENT, Map.of(), 4))
                .containsOnly(Map.entry("team", "a"), Map.entry(Revisions.REVISION, "4"));
    }

    @Test
    void rollback_movesTheOldRevisionIntoTheHistory() {
        Map<String, String> once = Revisions.ofNewSet(DEPLOYMENT, Map.of(Revisions.REVISION, "1"), 4);
        Map<String, String> twice = Revisions.ofNewSet(DEPLOYMENT, once, 6);

        assertThat(twice).containsEntry(Revisions.REVISION, "6").containsEntry(Revisions.HISTORY, "1,4");
    }

    @Test
    void revision_thatIsHigher_stays() {
        assertThat(Revisions.ofNewSet(DEPLOYMENT, Map.of(Revisions.REVISION, "9"), 4))
                .containsEntry(Revisions.REVISION, "9")
                .doesNotContainKey(Revisions.HISTORY);
    }

    @Test
    void revision_thatIsNoNumber_staysAsItIs() {
        assertThat(Revisions.ofNewSet(DEPLOYMENT, Map.of(Revisions.REVISION, "x"), 4))
                .containsEntry(Revisions.REVISION, "x");
    }

    @Test
    void history_ofTooManyCharacters_losesTheOldest() {
        String history = IntStream.range(1000, 1400).mapToObj(Integer::toString).collect(Collectors.joining(","));
        String kept = Revisions.ofNewSet(
                        DEPLOYMENT, Map.of(Revisions.REVISION, "1400", Revisions.HISTORY, history), 1401)
                .get(Revisions.HISTORY);

        assertThat(kept).hasSizeLessThanOrEqualTo(2000).startsWith("1001,").endsWith(",1399,1400");
    }
}
