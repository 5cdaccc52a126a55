/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.cache.DeletedFinalStateUnknown;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.testing.Json;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * An owner is replaced by another of its name, and the handlers receive the event before or after a worker has read the
 * cache.
 */
class LateDeletionTest {

    private static final ObjectName KEY = new ObjectName("prod", "api");

    private final Harness<ReplicaSet> harness =
            new Harness<>(new ReplicaSetKind(), Instant.parse("2026-01-01T00:00:00Z"), 500);
    private final ReplicaSet first = owner("first", "1");
    private final ReplicaSet second = owner("second", "9");

    private ReplicaSet owner(String uid, String resourceVersion) {
        return harness.owner(Json.parse("""
                {"apiVersion":"apps/v1","kind":"ReplicaSet",
                 "metadata":{"name":"api","namespace":"prod","uid":"%s","resourceVersion":"%s"},
                 "spec":{"replicas":3,"selector":{"matchLabels":{"app":"api"}},
                         "template":{"metadata":{"labels":{"app":"api"}},"spec":{"containers":[{"name":"c"}]}}},
                 "status":{}}""".formatted(uid, resourceVersion)));
    }

    @BeforeEach
    void everyCreatedPodHasANameOfItsOwn() {
        harness.server.keepCreated();
        harness.pods.observed("1000"); // the version before the first creation
    }

    /** The cache has processed the creations, and what happened to the pods since. */
    private void cacheProcessesEverything() {
        harness.pods.observed("2000");
    }

    private void cacheShows(ReplicaSet owner) {
        harness.owners.with(owner);
    }

    private void sync() {
        harness.sync.syncReplicaSet(KEY);
    }

    private void deletionIsHeardOf(ReplicaSet owner) {
        harness.handlers.deleteRS(new DeletedObject.Observed<>(KEY, owner));
    }

    private void assertPodsCreated(int number) {
        assertThat(harness.server.actions("create", "pods")).hasSize(number);
    }

    @Test
    void deleteRS_successorHasActedAlready_isStillHeldBackByItsOwnCreations() {
        cacheShows(second);
        sync();
        deletionIsHeardOf(first);
        assertThat(harness.queue.takeAdded()).contains("prod/api");
        sync();
        assertPodsCreated(3);
    }

    @Test
    void updateRS_successorHasActedAlready_isStillHeldBackByItsOwnCreations() {
        cacheShows(second);
        sync();
        harness.handlers.updateRS(first, second);
        sync();
        assertPodsCreated(3);
    }

    @Test
    void deleteRS_nobodyKnowsWhichObjectItWas_theOneThatActedIsStillHeldBack() {
        cacheShows(second);
        sync();
        harness.handlers.deleteRS(new DeletedFinalStateUnknown<>(KEY, null));
        sync();
        assertPodsCreated(3);
    }

    @Test
    void sync_successorOfOneThatWaits_actsWhenTheCacheHasCaughtUp_andOnce() {
        cacheShows(first);
        sync();
        cacheShows(second);
        sync();
        assertPodsCreated(3);
        cacheProcessesEverything();
        assertThat(harness.queue.takeAdded()).contains("prod/api");
        harness.pods.observed("1003");
        sync();
        assertPodsCreated(6);
        deletionIsHeardOf(first);
        sync();
        assertPodsCreated(6);
    }

    @Test
    void sync_expectationsOfTheFirstAreLeft_successorIsNotHeldBackByThem() {
        cacheShows(first);
        sync();
        deletionIsHeardOf(first);
        assertThat(harness.expectations.get(KEY)).isNull();
        harness.expectations.expectCreations(KEY, 3);
        cacheShows(second);
        cacheProcessesEverything();
        sync();
        assertPodsCreated(6);
    }

    @Test
    void sync_ownerIsGone_nextOfItsNameBeginsAnew() {
        cacheShows(first);
        sync();
        harness.owners.remove(KEY);
        harness.pods.observed("1003");
        sync();
        assertThat(harness.expectations.get(KEY)).isNull();
        cacheShows(second);
        sync();
        deletionIsHeardOf(first);
        sync();
        assertPodsCreated(6);
    }
}
