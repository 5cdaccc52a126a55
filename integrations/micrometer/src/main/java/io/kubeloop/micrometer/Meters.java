/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToDoubleFunction;

/**
 * The meters of one queue, informer or host, with common tags. Thread-safe.
 *
 * <p>A registry returns the existing meter for a known name and tags. Such a meter would read the state of an earlier
 * queue of the same name, and would disappear when that queue is closed. Meters that read a state, and those of an
 * owner, therefore replace existing ones.
 */
final class Meters {

    private final MeterRegistry registry;
    private final Tags tags;
    private final boolean hasOwner;

    /** What {@link #close} removes. */
    private final List<Meter> registered = new CopyOnWriteArrayList<>();

    private Meters(MeterRegistry registry, Tags tags, boolean hasOwner) {
        this.registry = registry;
        this.tags = tags;
        this.hasOwner = hasOwner;
    }

    /** Meters that several parts of the program may increment. */
    static Meters shared(MeterRegistry registry, Tags tags) {
        return new Meters(registry, tags, false);
    }

    /** Meters of the queue or informer of a name. */
    static Meters ofOwner(MeterRegistry registry, String name) {
        return new Meters(registry, Tags.of("name", name), true);
    }

    /** Meters of an owner with further tags. */
    Meters and(Tags more) {
        return new Meters(registry, tags.and(more), hasOwner);
    }

    private <M extends Meter> M keep(M meter) {
        registered.add(meter);
        return meter;
    }

    Counter counter(String name, String help) {
        replaceIfOwned(name, Meter.Type.COUNTER);
        return keep(Counter.builder(name).description(help).tags(tags).register(registry));
    }

    /** The registry refers weakly to the state, so the caller must hold it. */
    <T> void counter(String name, String help, T state, ToDoubleFunction<T> value) {
        replace(name, Meter.Type.COUNTER);
        keep(FunctionCounter.builder(name, state, value)
                .description(help)
                .tags(tags)
                .register(registry));
    }

    /** The unit becomes the end of the name in Prometheus; empty for a number of things. */
    <T> void gauge(String name, String help, String unit, T state, ToDoubleFunction<T> value) {
        replace(name, Meter.Type.GAUGE);
        keep(Gauge.builder(name, state, value)
                .description(help)
                .baseUnit(unit.isEmpty() ? null : unit)
                .tags(tags)
                .strongReference(true)
                .register(registry));
    }

    private void replace(String name, Meter.Type type) {
        registry.remove(new Meter.Id(name, tags, null, null, type));
    }

    private void replaceIfOwned(String name, Meter.Type type) {
        if (hasOwner) {
            replace(name, type);
        }
    }

    Timer timer(String name, String help, double... secondsOfBuckets) {
        replaceIfOwned(name, Meter.Type.TIMER);
        return keep(Timer.builder(name)
                .description(help)
                .serviceLevelObjectives(Arrays.stream(secondsOfBuckets)
                        .mapToObj(seconds -> Duration.ofNanos(Math.round(seconds * 1e9)))
                        .toArray(Duration[]::new))
                .tags(tags)
                .register(registry));
    }

    DistributionSummary summary(String name, String help, String unit, double... buckets) {
        replaceIfOwned(name, Meter.Type.DISTRIBUTION_SUMMARY);
        return keep(DistributionSummary.builder(name)
                .description(help)
                .baseUnit(unit.isEmpty() ? null : unit)
                .serviceLevelObjectives(buckets)
                .tags(tags)
                .register(registry));
    }

    /**
     * Removes the meters, unless an owner of the same name has replaced them. Equal meters have equal names and tags.
     */
    void close() {
        for (Meter present : registry.getMeters()) {
            if (registered.stream().anyMatch(own -> own == present)) {
                registry.remove(present);
            }
        }
    }
}
