/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.Pod;
import io.kubeloop.json.JsonCodec;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the speed of the codec with single objects: a pod of about 5.8 KB, and an object of a user's kind.
 *
 * <pre>
 * java -jar jmh/target/benchmarks.jar CodecBenchmark -prof gc
 * </pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class CodecBenchmark {

    private static final ResourceType<Widget> WIDGETS =
            new ResourceType<>("example.com", "v1", "widgets", "Widget", ResourceType.Scope.NAMESPACED, Widget.class);

    private final JsonCodec codec = JsonCodec.standard().with(WIDGETS);
    private final byte[] widget =
            ("{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"w-1\","
                            + "\"namespace\":\"default\",\"uid\":\"0b9a0a4e-9d0c-4c4e-8f0e-1c8f3a7d2b11\","
                            + "\"resourceVersion\":\"4711\","
                            + "\"labels\":{\"app\":\"w\"}},\"spec\":{\"color\":\"red\",\"size\":30000,"
                            + "\"parts\":[{\"name\":\"a\",\"count\":2},"
                            + "{\"name\":\"b\",\"count\":3}],\"options\":{\"mode\":\"fast\"},\"future\":{\"x\":1}}}")
                    .getBytes(StandardCharsets.UTF_8);
    private final Pod pod = codec.decode(
            ResourceTypes.PODS, new ByteArrayInputStream(PodListGenerator.pod(1).getBytes(StandardCharsets.UTF_8)));

    /** An object of a user's kind. */
    public record Widget(ObjectMeta metadata, WidgetSpec spec, UnknownFields unknownFields) implements KubeObject {
        @Override
        public Widget withMetadata(ObjectMeta changed) {
            return new Widget(changed, spec, unknownFields);
        }
    }

    /** The desired state of a {@link Widget}. */
    public record WidgetSpec(
            String color, int size, List<Part> parts, Map<String, String> options, UnknownFields unknownFields) {}

    /** A part of a {@link Widget}. */
    public record Part(String name, int count, UnknownFields unknownFields) {}

    /** Decodes an object of a user's kind. */
    @Benchmark
    public Widget decodeUserKind() {
        return codec.decode(WIDGETS, new ByteArrayInputStream(widget));
    }

    /** Encodes a pod. */
    @Benchmark
    public byte[] encodePod() {
        return codec.encode(ResourceTypes.PODS, pod);
    }
}
