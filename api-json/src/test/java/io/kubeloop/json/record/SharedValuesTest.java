/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.api.core.Pod;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.Allocations;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Objects of one owner share equal parts, and each is exactly what was read. */
class SharedValuesTest {

    private final JsonCodec codec = JsonCodec.standard();

    /** A pod with members that the records do not know, of which the mounts contain its name. */
    private static String pod(int number) {
        return """
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-%1$d","namespace":"shop",\
                "resourceVersion":"%1$d",\
                "labels":{"app":"web","tier":"backend"},\
                "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"u",\
                "controller":true}]},\
                "spec":{"volumes":[{"name":"kube-api-access-%1$d",\
                "projected":{"sources":[{"serviceAccountToken":{"path":"token"}}]}}],\
                "containers":[{"name":"app","image":"web:1","ports":[{"containerPort":80}],\
                "env":[{"name":"A","value":"1"},{"name":"B","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}}],\
                "volumeMounts":[{"name":"kube-api-access-%1$d","readOnly":true,\
                "mountPath":"/var/run/secrets/kubernetes.io"}],\
                "livenessProbe":{"httpGet":{"path":"/healthz","port":"http","scheme":"HTTP"},"periodSeconds":10}}]},\
                "status":{"phase":"Running"}}""".formatted(number);
    }

    private Pod decode(String json) {
        return codec.decode(ResourceTypes.PODS, new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void podsOfOneOwner_areWrittenAsTheyWereRead_whateverTheyShare() {
        JsonCodec fresh = JsonCodec.standard();
        for (int i = 100; i < 400; i++) {
            Pod pod = decode(pod(i));
            Pod alone = JsonCodec.standard()
                    .decode(ResourceTypes.PODS, new ByteArrayInputStream(pod(i).getBytes(StandardCharsets.UTF_8)));
            assertThat(pod).isEqualTo(alone).hasSameHashCodeAs(alone);
            assertThat(codec.encode(ResourceTypes.PODS, pod)).isEqualTo(fresh.encode(ResourceTypes.PODS, alone));
            assertThat(pod.spec().unknownFields().json()).contains("\"kube-api-access-" + i + "\"");
        }
    }

    @Test
    void podsOfOneOwner_shareLabelsOwnersPortsAndEnvironment() {
        Pod one = decode(pod(100));
        Pod other = decode(pod(101));
        assertThat(other.metadata().labels()).isSameAs(one.metadata().labels());
        assertThat(other.metadata().ownerReferences()).isSameAs(one.metadata().ownerReferences());
        assertThat(other.spec().containers().get(0).ports())
                .isSameAs(one.spec().containers().get(0).ports());
        assertThat(other.spec().containers().get(0).env())
                .isSameAs(one.spec().containers().get(0).env());
        assertThat(other.spec().containers()).isNotEqualTo(one.spec().containers());
    }

    @Test
    void textThatOccurredAsAnotherType_isNotThatValue() {
        ValueInterner memo = new ValueInterner();
        byte[] text = "[{\"name\":\"a\"}]        ".getBytes(StandardCharsets.UTF_8);
        memo.put(String.class, text, 0, 14, List.of());
        assertThat(memo.get(String.class, text, 0, 14).value()).isEqualTo(List.of());
        assertThat(memo.get(Integer.class, text, 0, 14)).isNull();
        assertThat(memo.get(String.class, text, 1, 14)).isNull();
    }

    @Test
    void luck_runsOut_andReturns() {
        ValueInterner.Luck luck = new ValueInterner.Luck();
        int tries = 0;
        for (int i = 0; i < 64 * 64; i++) {
            if (luck.isWorthATry()) {
                tries++;
                luck.count(null);
            }
        }
        assertThat(tries).isBetween(100, 200);
        while (!luck.isWorthATry()) {
            // Until the next sample.
        }
        luck.count(new ValueInterner.Entry(new byte[0], String.class, ""));
        assertThat(luck.isWorthATry()).isTrue();
    }

    @Test
    void spanPool_sharesEqualAndSimilarFields_andKeepsTheBits() {
        SpanInterner pool = new SpanInterner();
        byte[] members = ("\"volumes\":[{\"name\":\"kube-api-access-abcde\",\"projected\":{}}]".repeat(3) + "        ")
                .getBytes(StandardCharsets.UTF_8);
        int length = members.length - 8;
        UnknownFields first = pool.get(members, length, null, 1, 2);
        assertThat(pool.get(members, length, null, 1, 2)).isSameAs(first);
        assertThat(pool.get(members, length, null, 0, 2)).isNotEqualTo(first).hasToString(first.toString());
        members[30] ^= 1;
        UnknownFields similar = pool.get(members, length, null, 1, 2);
        assertThat(similar)
                .isNotEqualTo(first)
                .isEqualTo(UnknownFields.of(java.util.Arrays.copyOf(members, length), 1, 2));
    }

    @Test
    void decodeEvent_ofAPodThatChangedALittle_allocatesLittle() throws Exception {
        byte[][] frames = new byte[100][];
        for (int i = 0; i < frames.length; i++) {
            frames[i] = ("{\"type\":\"MODIFIED\",\"object\":" + pod(100 + i) + "}").getBytes(StandardCharsets.UTF_8);
        }
        int[] next = {0};
        // Measured: about 700 bytes for 1,000 bytes of JSON. Without sharing it is 2,400.
        assertThat(Allocations.perCall(2_000, () -> {
                    WatchEvent<Pod> event =
                            codec.decodeEvent(ResourceTypes.PODS, ByteBuffer.wrap(frames[next[0]++ % 100]));
                    return event;
                }))
                .isLessThan(1_400);
    }
}
