/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.micrometer;

import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.controller.ControllerMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.function.DoubleConsumer;

/**
 * Registers the metrics of controllers under upstream's names with dots. A meter appears with its first value; the
 * endings {@code _total} and {@code _seconds} are left to the registry. Thread-safe.
 *
 * <p>A registry appends {@code _total} to the name of each counter. A counter of upstream without this ending is
 * registered as a gauge and keeps its name, so queries by name find it; {@link #typed} restores its type.
 */
public final class MicrometerControllerMetrics implements ControllerMetrics {

    private static final String TOTAL = "_total";
    private static final String SECONDS = "_seconds";

    private final MeterRegistry registry;

    /** The registered meters by name and values of labels. */
    private final Map<List<String>, Series> series = new ConcurrentHashMap<>();

    /** The names of registered counters that are gauges to the registry. */
    private final Set<String> otherCounters = ConcurrentHashMap.newKeySet();

    private record Series(Meters meters, DoubleConsumer recorder) {}

    /** Registers meters with the registry. They stay registered until the controller {@link #forget forgets} them. */
    public MicrometerControllerMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void record(ControllerMetric metric, double value, String... labels) {
        series(metric, labels).recorder().accept(value);
    }

    @Override
    public void present(ControllerMetric metric) {
        var unused = series(metric);
    }

    private Series series(ControllerMetric metric, String... labels) {
        return series.computeIfAbsent(key(metric, labels), unused -> register(metric, labels));
    }

    @Override
    public void forget(ControllerMetric metric, String... labels) {
        Series gone = series.remove(key(metric, labels));
        if (gone != null) {
            gone.meters().close();
        }
    }

    private static List<String> key(ControllerMetric metric, String... labels) {
        String[] key = Arrays.copyOf(labels, labels.length + 1);
        key[labels.length] = metric.name();
        return List.of(key);
    }

    /**
     * Returns a page in the text format of Prometheus on which the counters without the ending {@code _total} have
     * their type: the registry writes them as gauges.
     */
    public String typed(String page) {
        String typed = page;
        for (String name : otherCounters) {
            typed = typed.replace("# TYPE " + name + " gauge\n", "# TYPE " + name + " counter\n");
        }
        return typed;
    }

    private Series register(ControllerMetric metric, String... labels) {
        Tags tags = Tags.empty();
        for (int i = 0; i < labels.length; i++) {
            tags = tags.and(metric.labels().get(i), labels[i]);
        }
        Meters meters = Meters.shared(registry, tags);
        return new Series(meters, recorder(metric, meters));
    }

    private DoubleConsumer recorder(ControllerMetric metric, Meters meters) {
        String unit = metric.name().endsWith(SECONDS) ? "seconds" : "";
        String name = withoutEnd(withoutEnd(metric.name(), TOTAL), SECONDS).replace('_', '.');
        return switch (metric.type()) {
            case COUNTER -> {
                if (!metric.name().endsWith(TOTAL)) {
                    otherCounters.add(metric.name());
                    DoubleAdder sum = new DoubleAdder();
                    meters.gauge(name, metric.help(), unit, sum, DoubleAdder::sum);
                    yield amount -> sum.add(amount);
                }
                Counter counter = meters.counter(name, metric.help());
                yield amount -> counter.increment(amount);
            }
            case GAUGE -> {
                AtomicReference<Double> last = new AtomicReference<>(0.0);
                meters.gauge(name, metric.help(), unit, last, AtomicReference::get);
                yield amount -> last.set(amount);
            }
            case HISTOGRAM -> {
                DistributionSummary summary = meters.summary(
                        name,
                        metric.help(),
                        unit,
                        metric.buckets().stream()
                                .mapToDouble(Double::doubleValue)
                                .toArray());
                yield amount -> summary.record(amount);
            }
        };
    }

    private static String withoutEnd(String name, String end) {
        return name.endsWith(end) ? name.substring(0, name.length() - end.length()) : name;
    }
}
