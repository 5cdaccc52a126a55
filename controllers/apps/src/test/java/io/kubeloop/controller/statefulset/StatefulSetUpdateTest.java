/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.statefulset;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ControllerRevision;
import io.kubeloop.api.apps.StatefulSet;
import io.kubeloop.api.apps.StatefulSetStatus;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.fake.FakeLister;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.fake.FakeTransport;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.Json;
import io.kubeloop.testing.ManualClock;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pods that one sync deletes for an update. */
class StatefulSetUpdateTest {

    private final ManualClock clock = new ManualClock(Instant.EPOCH);
    private final FakeTransport server = new FakeTransport();
    private final KubeClient client = KubeClient.of(server, JsonCodec.standard());
    private final List<String> recorded = new ArrayList<>();
    private final FakeRecorder events = new FakeRecorder();
    private final WriteBarrier barrier = new WriteBarrier(clock, key -> {}, resource -> {});
    private final FakeLister<Pod> cache = new FakeLister<>();
    private final StatefulPodControl control = new StatefulPodControl(
            client.resource(ResourceTypes.PODS),
            barrier.children(ResourceTypes.PODS, client.resource(ResourceTypes.PODS), cache, cache),
            new VolumeClaims(
                    client.resource(ResourceTypes.PERSISTENT_VOLUME_CLAIMS), new FakeLister<>(), events, barrier),
            events,
            Runnable::run,
            (metric, value, labels) -> recorded.add(metric.name() + List.of(labels) + " " + value));

    private static <T extends KubeObject> T object(ResourceType<T> type, String json) {
        return JsonCodec.standard()
                .decode(type, new ByteArrayInputStream(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
    }

    private static StatefulSet set(String policy, int replicas, String limits) {
        return object(ResourceTypes.STATEFUL_SETS, """
                {'metadata':{'name':'db','namespace':'n','uid':'s'},
                 'spec':{'replicas':%d,'serviceName':'db','podManagementPolicy':'%s',\
                'selector':{'matchLabels':{'app':'db'}},
                         'template':{'metadata':{'labels':{'app':'db'}},'spec':{'containers':[{'name':'c','image':'i'}\
                ]}},
                         'updateStrategy':{'type':'RollingUpdate','rollingUpdate':{%s}}},
                 'status':{'conditions':[{'type':'Mine','status':'True'}]}}""".formatted(replicas, policy, limits));
    }

    /** A letter for each pod: ready or not, of the new revision in capitals. */
    private List<Pod> pods(String letters) {
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < letters.length(); i++) {
            char letter = letters.charAt(i);
            boolean isNew = Character.isUpperCase(letter);
            String json =
                    """
                    {'apiVersion':'v1','kind':'Pod','metadata':{'name':'db-%1$d','namespace':'n','uid':'p%1$d',\
                    'resourceVersion':'1',
                     'labels':{'app':'db','controller-revision-hash':'db-%2$s',\
                    'statefulset.kubernetes.io/pod-name':'db-%1$d',
                               'apps.kubernetes.io/pod-index':'%1$d'},
                     'ownerReferences':[{'apiVersion':'apps/v1','kind':'StatefulSet','name':'db','uid':'s',\
                    'controller':true}]},
                     'status':{'phase':'Running','conditions':[{'type':'Ready','status':'%3$s'}]}\
                    }""".formatted(i, isNew ? "new" : "old", Character.toLowerCase(letter) == 'r' ? "True" : "False");
            serverHas(json);
            pods.add(object(ResourceTypes.PODS, json));
        }
        return pods;
    }

    @SuppressWarnings("unchecked")
    private void serverHas(String pod) {
        server.with("pods", (Map<String, @Nullable Object>) Objects.requireNonNull(Json.parse(pod.replace('\'', '"'))));
    }

    private static SetRevisions revisions() {
        return new SetRevisions(
                ControllerRevision.of(ObjectMeta.named("n", "db-old"), 1),
                ControllerRevision.of(ObjectMeta.named("n", "db-new"), 2),
                0,
                List.of());
    }

    private List<String> deleted() {
        return server.actions("delete", "pods").stream()
                .map(action -> action.name().substring("db-".length()))
                .toList();
    }

    /** R and r are ready pods of the new and the old revision, U and u unavailable ones, from ordinal 0 on. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "OrderedReady | rrrr | - | 3",
                "OrderedReady | rrrr | 'maxUnavailable':2 | 3 2",
                "OrderedReady | rrrrR | 'maxUnavailable':'50%' | 3 2",
                "OrderedReady | rrrr | 'maxUnavailable':'10%' | 3",
                "OrderedReady | rrrr | 'maxUnavailable':3,'partition':2 | 3 2",
                "OrderedReady | rrrU | 'maxUnavailable':2 | -",
                "Parallel | rrrU | 'maxUnavailable':2 | 2",
                "Parallel | rrUU | 'maxUnavailable':2 | -",
                "Parallel | rruU | 'maxUnavailable':1 | 2",
                "Parallel | urru | 'maxUnavailable':3 | 3 0 2",
                "Parallel | urru | 'maxUnavailable':3,'partition':1 | 3 2",
                "Parallel | uuuu | - | 3 2 1 0"
            })
    void oldPods_areDeletedUpToTheLimit(String policy, String pods, String limits, String expected) {
        StatefulSet set = set(policy, pods.length(), limits.equals("-") ? "" : limits);
        SetPods byOrdinal = SetPods.of(set, revisions(), pods(pods));
        PodSteps steps = new PodSteps(set, revisions(), byOrdinal, clock.instant(), control);

        steps.run();

        assertThat(String.join(" ", deleted())).isEqualTo(expected.equals("-") ? "" : expected);
        assertThat(steps.deletedForUpdate()).isEqualTo(deleted().size());
    }

    @Test
    void unavailablePods_areAMetric() {
        StatefulSet set = set("Parallel", 3, "'maxUnavailable':2");

        new PodSteps(set, revisions(), SetPods.of(set, revisions(), pods("RUr")), clock.instant(), control).run();

        assertThat(recorded)
                .containsExactly("statefulset_controller_statefulset_unavailable_replicas[n, db, Parallel] 1.0");
    }

    /** A set with the strategy {@code OnDelete} has the new revision once all its pods have it. */
    @ParameterizedTest
    @CsvSource({"RollingUpdate,RRR,db-new", "OnDelete,RRR,db-new", "OnDelete,RRr,db-old", "OnDelete,RRU,db-old"})
    void currentRevision_isTheNewOne_whenEveryPodHasIt(String strategy, String pods, String expected) {
        StatefulSet set = object(ResourceTypes.STATEFUL_SETS, """
                {'metadata':{'name':'db','namespace':'n','uid':'s'},'spec':{'replicas':3,'updateStrategy':{'type':'%s'}\
                },
                 'status':{'conditions':[{'type':'Mine','status':'True'}]}}""".formatted(strategy));

        StatefulSetStatus status = StatefulSetStatuses.of(set, revisions(), pods(pods), 0, clock.instant());

        assertThat(status.currentRevision()).isEqualTo(expected);
        assertThat(status.unknownFields().json()).contains("\"type\":\"Mine\"");
    }
}
