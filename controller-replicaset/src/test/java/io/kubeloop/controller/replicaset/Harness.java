/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.expectations.ControlleeExpectations;
import io.kubeloop.controller.expectations.UidTrackingControllerExpectations;
import io.kubeloop.controller.fake.FakeLister;
import io.kubeloop.controller.fake.FakeQueue;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.fake.FakeTransport;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.Json;
import io.kubeloop.testing.ManualClock;
import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The controller's parts over a scripted server and scripted caches, without threads. */
final class Harness<T extends KubeObject> {

    final ReplicaKind<T> kind;
    final ManualClock clock;
    final FakeTransport server = new FakeTransport();
    final FakeLister<T> owners = new FakeLister<>();
    final FakeLister<Pod> pods = new FakeLister<>();
    final FakeQueue<ObjectName> queue = new FakeQueue<>();
    final List<ResourceType<?>> stale = new ArrayList<>();
    final FakeRecorder recorder = new FakeRecorder();
    final UidTrackingControllerExpectations expectations;
    final ReplicaSetHandlers<T> handlers;
    final ReplicaSetSync<T> sync;

    Harness(ReplicaKind<T> kind, Instant start, int burstReplicas) {
        this(kind, start, burstReplicas, Duration.ZERO);
    }

    Harness(ReplicaKind<T> kind, Instant start, int burstReplicas, Duration statusInterval) {
        this.kind = kind;
        clock = new ManualClock(start);
        Wiring<T> wiring = Wiring.of(
                kind,
                owners,
                pods,
                KubeClient.of(server, JsonCodec.standard()),
                recorder,
                queue,
                clock,
                new Wiring.Settings(burstReplicas, statusInterval, stale::add));
        expectations = wiring.expectations();
        handlers = wiring.handlers();
        sync = wiring.sync();
    }

    /** Reads an object of the golden vectors, which have type and kind. */
    static <O extends KubeObject> O decode(ResourceType<O> type, Object json) {
        byte[] bytes = Json.write(json).getBytes(StandardCharsets.UTF_8);
        return JsonCodec.standard().decode(type, new ByteArrayInputStream(bytes));
    }

    T owner(Object json) {
        return decode(kind.type(), json);
    }

    static Pod pod(Object json) {
        return decode(ResourceTypes.PODS, json);
    }

    @SuppressWarnings("unchecked")
    static List<Map<String, @Nullable Object>> objects(Map<String, Object> json, String member) {
        Object list = json.get(member);
        return list == null ? List.of() : (List<Map<String, @Nullable Object>>) list;
    }

    /** Sets an expectation of the golden vectors, as of the clock's present. */
    @SuppressWarnings("unchecked")
    void expect(Map<String, @Nullable Object> json) {
        ObjectName key = ObjectName.parse((String) json.get("key"));
        if (json.get("deletions") instanceof List<?> deletions) {
            expectations.expectDeletions(
                    key,
                    ((List<String>) deletions).stream().map(ObjectName::parse).toList());
        } else {
            expectations.expectCreations(key, number(json, "creations", 0));
        }
    }

    /** Returns what is expected, as the golden vectors have it. */
    Map<String, @Nullable Object> expectationsOf(String text) {
        ObjectName key = ObjectName.parse(text);
        ControlleeExpectations expected = expectations.get(key);
        Set<ObjectName> pending = expectations.pendingDeletions(key);
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("add", expected == null ? null : BigDecimal.valueOf(expected.add()));
        json.put("del", expected == null ? null : BigDecimal.valueOf(expected.del()));
        json.put("satisfied", expectations.isSatisfied(key));
        json.put(
                "pendingDeletions",
                pending == null
                        ? null
                        : pending.stream().map(ObjectName::toString).sorted().toList());
        return json;
    }

    static int number(Map<String, ?> json, String member, int otherwise) {
        return json.get(member) instanceof BigDecimal number ? number.intValueExact() : otherwise;
    }
}
