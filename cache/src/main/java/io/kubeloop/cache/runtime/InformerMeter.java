/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.runtime;

import io.kubeloop.cache.metrics.InformerMetrics;
import io.kubeloop.cache.metrics.InformerTrace;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.UserCallbacks;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The user's metrics of one informer. Registers and closes them once each, and logs their exceptions. Thread-safe. */
public final class InformerMeter implements AutoCloseable {

    /*
     * One thread moves metrics from NEW over REGISTERING to the registered metrics; any thread moves it from there to
     * CLOSED. The thread that takes registered metrics out closes them; register() closes metrics that come too late. A
     * registration that fails is not repeated. There is no lock, because all of this is user code.
     */

    private static final Logger LOG = LoggerFactory.getLogger(InformerMeter.class);
    private static final InformerMetrics NEW = new InformerMetrics() {};
    private static final InformerMetrics REGISTERING = new InformerMetrics() {};
    private static final InformerMetrics CLOSED = new InformerMetrics() {};

    private final String informer;
    private final UserCallbacks guard;
    private final AtomicReference<InformerMetrics> metrics = new AtomicReference<>(NEW);

    /** Makes a meter that measures nothing until {@link #register}. */
    public InformerMeter(String informer, Scheduler scheduler) {
        this.informer = informer;
        this.guard = new UserCallbacks(scheduler);
    }

    /** Registers the metrics, unless that was done before or the meter is closed. */
    public void register(Supplier<InformerMetrics> registration) {
        if (!metrics.compareAndSet(NEW, REGISTERING)) {
            return;
        }
        InformerMetrics registered;
        try {
            registered = Objects.requireNonNull(registration.get(), "a provider of metrics returned null");
        } catch (Throwable e) {
            guard.failed(e, this::logFailure);
            return;
        }
        if (!metrics.compareAndSet(REGISTERING, registered)) {
            call(registered, InformerMetrics::close);
        }
    }

    public void listed(int objects, Duration took) {
        call(current(), to -> to.listed(objects, took));
    }

    public void watched(long events, Duration lasted) {
        call(current(), to -> to.watched(events, lasted));
    }

    public void processed(Duration took) {
        call(current(), to -> to.processed(took));
    }

    /** Returns whether traces of events are to be reported. */
    public boolean isWatched() {
        try {
            return current().isWatched();
        } catch (Throwable e) {
            guard.failed(e, this::logFailure);
            return false;
        }
    }

    public void trace(InformerTrace trace) {
        call(current(), to -> to.trace(trace));
    }

    private InformerMetrics current() {
        return Objects.requireNonNull(metrics.get(), "is never set to null");
    }

    @Override
    public void close() {
        call(metrics.getAndSet(CLOSED), InformerMetrics::close);
    }

    /** This also runs on threads of callers, so it does not change their interrupt flag. */
    private void call(InformerMetrics to, Consumer<InformerMetrics> measurement) {
        try {
            measurement.accept(to);
        } catch (Throwable e) {
            guard.failed(e, this::logFailure);
        }
    }

    private void logFailure(Throwable failure) {
        LOG.warn("{}: metrics failed; this measurement is missing", informer, failure);
    }
}
