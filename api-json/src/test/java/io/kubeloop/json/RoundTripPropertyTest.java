/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceType.Scope;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.testing.Json;
import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Objects as a server of the future, or a careless client, might send them: members in any order, members nobody knows
 * at every level, nulls and empty values where values were, odd numbers, odd spacing, odd escapes. They come back
 * unchanged (I11).
 */
class RoundTripPropertyTest {

    private static final int OBJECTS_PER_TYPE = 300;
    private static final JsonCodec CODEC = JsonCodec.standard();

    /** Their members are data, not fields. */
    private static final Set<String> STRING_MAPS =
            Set.of("labels", "annotations", "matchLabels", "selector", "data", "binaryData", "stringData");

    private static final List<String> SAMPLES =
            List.of("""
            {"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","generateName":"p-","namespace":"n","uid":"u",
            "resourceVersion":"1","generation":2,"creationTimestamp":"2026-01-31T08:15:00Z",
            "deletionGracePeriodSeconds":30,"labels":{"a":"b"},"annotations":{"c":"d"},"finalizers":["f"],\
            "ownerReferences":[
            {"apiVersion":"apps/v1","kind":"ReplicaSet","name":"r","uid":"v","controller":true,\
            "blockOwnerDeletion":true}]},
            "spec":{"nodeName":"m","hostname":"h","restartPolicy":"Always","terminationGracePeriodSeconds":30,\
            "containers":[
            {"name":"c","image":"i","ports":[{"name":"http","containerPort":80,"protocol":"TCP"}]}]},"status":{
            "phase":"Running","conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-01-31T08:15:00Z",
            "reason":"r","message":"m"}],"hostIP":"10.0.0.1","podIP":"10.0.0.2","podIPs":[{"ip":"10.0.0.2"}],
            "containerStatuses":[{"name":"c","ready":true,"restartCount":3,"image":"i"}]}}""", """
            {"kind":"Service","apiVersion":"v1","metadata":{"name":"s"},"spec":{"type":"ClusterIP",
            "clusterIP":"10.0.0.1",
            "clusterIPs":["10.0.0.1"],"selector":{"a":"b"},"publishNotReadyAddresses":true,
            "ports":[{"name":"p","port":80,
            "targetPort":"http","nodePort":30000,"protocol":"TCP","appProtocol":"h2c"},{"port":1,
            "targetPort":2}]}}""", """
            {"kind":"Endpoints","apiVersion":"v1","metadata":{"name":"e"},"subsets":[{"addresses":[{"ip":"10.0.0.1",
            "nodeName":"n","hostname":"h","targetRef":{"kind":"Pod","name":"p","namespace":"n","uid":"u"}}],
            "notReadyAddresses":[{"ip":"10.0.0.2"}],"ports":[{"name":"p","port":80,"protocol":"TCP"}]}]}""", """
            {"kind":"ReplicaSet","apiVersion":"apps/v1","metadata":{"name":"r"},"spec":{"replicas":3,
            "minReadySeconds":5,
            "selector":{"matchLabels":{"a":"b"},"matchExpressions":[{"key":"k","operator":"In","values":["v","w"]}]},
            "template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}},
            "status":{"replicas":3,"readyReplicas":2,"observedGeneration":7,"conditions":[{"type":"t",
            "status":"True"}]}}""", """
            {"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"d"},"spec":{"replicas":3,
            "minReadySeconds":5,
            "selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},
            "spec":{"containers":[{"name":"c"}]}},
            "strategy":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":"25%","maxSurge":1}},
            "revisionHistoryLimit":10,"paused":true,"progressDeadlineSeconds":600},"status":{"observedGeneration":7,
            "replicas":3,"updatedReplicas":3,"readyReplicas":2,"availableReplicas":1,"unavailableReplicas":1,
            "terminatingReplicas":0,"collisionCount":1,"conditions":[{"type":"Progressing","status":"True",
            "lastUpdateTime":"2026-01-31T08:15:00Z","lastTransitionTime":"2026-01-31T08:15:00Z","reason":"r",
            "message":"m"}]}}""", """
            {"kind":"Job","apiVersion":"batch/v1","metadata":{"name":"j"},"spec":{"parallelism":2,"completions":3,
            "completionMode":"Indexed","backoffLimit":0,"suspend":false,"podReplacementPolicy":"Failed",
            "podFailurePolicy":{
            "rules":[{"action":"Count","onExitCodes":{"containerName":"c","operator":"In",
            "values":[1,42]}},{"action":"Ignore",
            "onPodConditions":[{"type":"DisruptionTarget","status":"True"}]}]},
            "successPolicy":{"rules":[{"succeededIndexes":"0-1",
            "succeededCount":1}]},"selector":{"matchLabels":{"a":"b"}},
            "template":{"metadata":{"labels":{"a":"b"}},"spec":{
            "containers":[{"name":"c","env":[{"name":"e","value":"v"}]}]}}},"status":{"active":1,"ready":0,
            "terminating":0,
            "failedIndexes":"","completedIndexes":"0,2","uncountedTerminatedPods":{"succeeded":["u"]},"conditions":[{
            "type":"Complete","status":"True","lastProbeTime":"2026-01-31T08:15:00Z","reason":"r",
            "message":"m"}]}}""", """
            {"kind":"CronJob","apiVersion":"batch/v1","metadata":{"name":"c"},"spec":{"schedule":"* * * * *",
            "timeZone":"UTC",
            "startingDeadlineSeconds":5,"concurrencyPolicy":"Allow","suspend":true,
            "successfulJobsHistoryLimit":0,"jobTemplate":{
            "spec":{"template":{"spec":{"containers":[{"name":"c"}]}}}}},"status":{"active":[{"kind":"Job","name":"j"}],
            "lastScheduleTime":"2026-01-31T08:15:00Z"}}""", """
            {"kind":"Secret","apiVersion":"v1","metadata":{"name":"s"},"type":"Opaque","immutable":true,
            "data":{"k":"dmFsdWU="},"stringData":{"t":"text"}}""", """
            {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"c"},"immutable":false,"data":{"k":"v","e":""},
            "binaryData":{"b":"AAE="}}""", """
            {"kind":"Widget","apiVersion":"example.com/v1","metadata":{"name":"w"},"spec":{"size":3}}""", """
            {"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"l"},"spec":{"holderIdentity":"h",
            "leaseDurationSeconds":15,"renewTime":"2026-01-31T08:15:00.000250Z","leaseTransitions":2}}""", """
            {"kind":"Event","apiVersion":"v1","metadata":{"name":"e"},"involvedObject":{"kind":"Pod","name":"p"},
            "reason":"r","message":"m","source":{"component":"c"},"count":2,"type":"Normal",
            "firstTimestamp":"2026-01-31T08:15:00Z","series":{"count":3},"reportingComponent":"c"}""", """
            {"kind":"Event","apiVersion":"events.k8s.io/v1","metadata":{"name":"e"},"regarding":{"kind":"Pod",
            "name":"p"},
            "reason":"r","note":"n","action":"a","type":"Normal","eventTime":"2026-01-31T08:15:00.000250Z",
            "series":{"count":3,
            "lastObservedTime":"2026-01-31T08:15:01.000000Z"},"related":{"kind":"Node","name":"m"},
            "reportingController":"c",
            "reportingInstance":"i","deprecatedSource":{"component":"c"},"deprecatedCount":2,
            "deprecatedFirstTimestamp":"2026-01-31T08:15:00Z","deprecatedLastTimestamp":"2026-01-31T08:15:00Z"}""", """
            {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"c","labels":{"a":"b"}},"data":{"k":"v"}}""");

    static List<String> samples() {
        return SAMPLES;
    }

    @ParameterizedTest
    @MethodSource("samples")
    void roundTrip_mutatedObject_isTheInput(String sample) {
        ResourceType<?> type = type(sample);
        for (int seed = 0; seed < OBJECTS_PER_TYPE; seed++) {
            Random random = new Random(seed);
            Object tree = mutate(Json.parse(sample), "", true, random);
            String text = write(tree, random);

            assertThat(Json.parse(roundTrip(type, text)))
                    .as("seed %d: %s", seed, text)
                    .isEqualTo(Json.parse(text));
        }
    }

    private static ResourceType<?> type(String sample) {
        Map<?, ?> tree = (Map<?, ?>) Json.parse(sample);
        for (ResourceType<?> type : ResourceTypes.all()) {
            if (type.kind().equals(tree.get("kind")) && type.apiVersion().equals(tree.get("apiVersion"))) {
                return type;
            }
        }
        String[] version = ((String) tree.get("apiVersion")).split("/", 2);
        return ResourceTypes.generic(version[0], version[1], "objects", (String) tree.get("kind"), Scope.NAMESPACED);
    }

    private static <T extends KubeObject> String roundTrip(ResourceType<T> type, String text) {
        T object = CODEC.decode(type, new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        return new String(CODEC.encode(type, object), StandardCharsets.UTF_8);
    }

    private static Object mutate(Object value, String name, boolean root, Random random) {
        if (value instanceof List<?> elements) {
            List<Object> changed = new ArrayList<>();
            elements.forEach(element -> changed.add(mutate(element, "", false, random)));
            return changed;
        }
        if (!(value instanceof Map<?, ?> members) || STRING_MAPS.contains(name)) {
            return value;
        }
        List<Map.Entry<String, Object>> entries = new ArrayList<>();
        members.forEach((key, member) -> {
            Object changed = mutate(member, (String) key, false, random);
            boolean type = root && Set.of("kind", "apiVersion").contains(key);
            entries.add(new SimpleImmutableEntry<>(
                    (String) key, type ? member : perhapsAbsent((String) key, changed, random)));
        });
        for (int i = random.nextInt(4); i > 0; i--) {
            entries.add(new SimpleImmutableEntry<>("x-" + string(random), any(random, 3)));
        }
        Collections.shuffle(entries, random);
        Map<String, Object> changed = new LinkedHashMap<>();
        entries.forEach(entry -> changed.put(entry.getKey(), entry.getValue()));
        return changed;
    }

    private static Object perhapsAbsent(String name, Object value, Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> null;
            case 1 -> name.contains("Time") ? value : empty(value);
            default -> value;
        };
    }

    private static Object empty(Object value) {
        if (value instanceof Map) {
            return Map.of();
        }
        if (value instanceof List) {
            return List.of();
        }
        return value instanceof String ? "" : value instanceof Boolean ? (Object) false : BigDecimal.ZERO;
    }

    private static Object any(Random random, int depth) {
        switch (random.nextInt(depth > 0 ? 7 : 5)) {
            case 0 -> {
                return null;
            }
            case 1 -> {
                return random.nextBoolean();
            }
            case 2 -> {
                List<String> numbers = List.of(
                        "9007199254740993", "1E+400", "1.10", "-0.5", "0", "1e-7", "123456789012345678901234567890");
                return new BigDecimal(numbers.get(random.nextInt(numbers.size())));
            }
            case 5 -> {
                List<Object> elements = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    elements.add(any(random, depth - 1));
                }
                return elements;
            }
            case 6 -> {
                Map<String, Object> members = new LinkedHashMap<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    members.put(string(random), any(random, depth - 1));
                }
                return members;
            }
            default -> {
                return string(random);
            }
        }
    }

    private static String string(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(20); i > 0; i--) {
            switch (random.nextInt(8)) {
                case 0 -> text.append("<>&\"\\/\b\f\n\r\t\u0001\u2028".charAt(random.nextInt(13)));
                case 1 -> text.append("äß語".charAt(random.nextInt(3)));
                case 2 -> text.appendCodePoint(0x1F600 + random.nextInt(16));
                default -> text.append((char) ('a' + random.nextInt(26)));
            }
        }
        return text.toString();
    }

    /** Writes with random white space and random escapes. */
    private static String write(Object value, Random random) {
        StringBuilder out = new StringBuilder();
        write(out, value, random);
        return out.toString();
    }

    private static void write(StringBuilder out, Object value, Random random) {
        space(out, random);
        if (value instanceof Map<?, ?> members) {
            out.append('{');
            String separator = "";
            for (Map.Entry<?, ?> member : members.entrySet()) {
                out.append(separator);
                space(out, random);
                quote(out, (String) member.getKey(), random);
                space(out, random);
                out.append(':');
                write(out, member.getValue(), random);
                separator = ",";
            }
            out.append('}');
        } else if (value instanceof List<?> elements) {
            out.append('[');
            String separator = "";
            for (Object element : elements) {
                out.append(separator);
                write(out, element, random);
                separator = ",";
            }
            space(out, random);
            out.append(']');
        } else if (value instanceof String text) {
            quote(out, text, random);
        } else {
            out.append(value);
        }
        space(out, random);
    }

    private static void space(StringBuilder out, Random random) {
        if (random.nextInt(10) == 0) {
            out.append(" \t\r\n", 0, random.nextInt(5));
        }
    }

    private static void quote(StringBuilder out, String text, Random random) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || random.nextInt(30) == 0) {
                out.append(String.format(random.nextBoolean() ? "\\u%04x" : "\\u%04X", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
