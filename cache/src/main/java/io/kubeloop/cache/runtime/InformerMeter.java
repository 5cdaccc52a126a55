package io.kubeloop.cache.runtime;

import io.kubeloop.cache.InformerMetrics;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The user's metrics of one informer, kept from throwing into it, registered and closed once each. Thread-safe.
 */
public final class InformerMeter implements AutoCloseable {

    /*
     * metrics goes from NEW over REGISTERING, by one thread, to what was registered, and from each to CLOSED; whatever
     * was registered is closed by whoever takes it out, or by register() itself if it came too late. A registration that
     * fails is not tried again. No lock: all of this is user code.
     */

    private static final Logger log = LoggerFactory.getLogger(InformerMeter.class);
    private static final InformerMetrics NEW = new InformerMetrics() {};
    private static final InformerMetrics REGISTERING = new InformerMetrics() {};
    private static final InformerMetrics CLOSED = new InformerMetrics() {};

    private final String informer;
    private final AtomicReference<InformerMetrics> metrics = new AtomicReference<>(NEW);
    private final AtomicBoolean failed = new AtomicBoolean();

    public InformerMeter(String informer) {
        this.informer = informer;
    }

    /** Begins to measure, unless that was done before or the meter is closed. */
    public void register(Supplier<InformerMetrics> registration) {
        if (!metrics.compareAndSet(NEW, REGISTERING)) {
            return;
        }
        InformerMetrics registered;
        try {
            registered = Objects.requireNonNull(registration.get(), "a provider of metrics returned null");
        } catch (Throwable e) {
            logFailure(e);
            return;
        }
        if (!metrics.compareAndSet(REGISTERING, registered)) {
            tell(registered, InformerMetrics::close);
        }
    }

    public void listed(int objects, Duration took) {
        tell(current(), to -> to.listed(objects, took));
    }

    public void watched(long events, Duration lasted) {
        tell(current(), to -> to.watched(events, lasted));
    }

    public void processed(Duration took) {
        tell(current(), to -> to.processed(took));
    }

    private InformerMetrics current() {
        return Objects.requireNonNull(metrics.get(), "is never set to null");
    }

    @Override
    public void close() {
        tell(metrics.getAndSet(CLOSED), InformerMetrics::close);
    }

    private void tell(InformerMetrics to, Consumer<InformerMetrics> what) {
        try {
            what.accept(to);
        } catch (Throwable e) {
            logFailure(e);
        }
    }

    /** What fails once tends to fail for every event. */
    private void logFailure(Throwable e) {
        if (failed.compareAndSet(false, true)) {
            SafeLog.log(
                    () -> log.warn("{}: metrics failed; should they fail again, nothing more is said", informer, e));
        }
    }
}
