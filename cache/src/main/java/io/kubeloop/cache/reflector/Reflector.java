/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.reflector;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ListOptionsBuilder;
import io.kubeloop.api.client.ListerWatcher;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.ReflectorState;
import io.kubeloop.cache.queue.DeltaQueue;
import io.kubeloop.cache.runtime.InformerMeter;
import io.kubeloop.runtime.Durations;
import io.kubeloop.runtime.OneShotLatch;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.UserCallbacks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills a delta queue with a server's objects and keeps it up to date (upstream: {@code cache.Reflector}). The
 * reflector lists, then watches. When a watch ends, it watches again from the last received version; when that version
 * cannot be used, it lists again.
 *
 * <p>{@link ReflectorDecision} lists how each server response is handled; {@link ReflectorState} is the current phase.
 */
public final class Reflector<T extends KubeObject> {

    /*
     * Invariants:
     *   R1  The last received version covers only changes that were queued before it was set.
     *   R2  A backoff separates two requests without a result, and an interrupt does not shorten it. Exception: once
     *       per round, a list without a version follows at once when the server no longer has the requested version.
     *   R3  Every opened watch is closed, by its reader or, if reading failed, at the end of the round.
     *   R4  run() ends only when the reflector is closed, or with an error that ends the informer.
     *   R5  After changes were delivered but not processed, another list follows. listAgain() sets unprocessed, then
     *       ends the watch; the reader opens a watch, then reads unprocessed. So one of the two sees the other.
     *
     * The reflector thread runs run() and everything below it. It reads the socket, so it runs no user code, with three
     * exceptions: the transform, which is the last step of decoding; metrics; and the watch error handler between two
     * requests. Any thread may call close(), which ends the open watch and wakes a backoff; an interrupt by its caller
     * ends a list. The processing thread calls listAgain(). There is no lock here.
     */

    private static final Logger LOG = LoggerFactory.getLogger(Reflector.class);

    /** A list that takes longer is logged. */
    private static final Duration SLOW_LIST = Duration.ofSeconds(10);

    /** API servers request delays of seconds. A delay longer than this is the mistake of a proxy. */
    private static final Duration MAX_RETRY_AFTER = Duration.ofMinutes(5);

    private final String name;
    private final DeltaQueue<ObjectName, T> queue;
    private final UnaryOperator<T> transform;
    private final ResyncTimer resync;
    private final Scheduler scheduler;
    private final Progress progress;
    private final ReflectorBackoff backoff;
    private final WatchFactory<T> watches;
    private final PagedList<T> pagedList;
    private final WatchErrors errors;
    private final InternalErrorBudget internalErrors;
    private final InformerMeter meter;
    private final OneShotLatch closed;

    private volatile @Nullable Throwable unprocessed;

    private boolean streaming;
    private int shortInARow;
    private int refusedInARow;
    private int lostInARow;

    /**
     * The receivers of a reflector's reports.
     *
     * @param errors receives each failure of a list or watch
     * @param meter receives the size and duration of each list and watch
     */
    public record Observers(WatchErrors errors, InformerMeter meter) {}

    /**
     * Makes a reflector; {@link #run} starts it.
     *
     * @param name the informer's name, for messages
     * @param source answers lists and watches
     * @param queue receives the listed objects and the events
     * @param transform applied to every object before it is queued; an exception makes a list fail, and skips an event
     *     of a watch
     * @param observers receive failures and measurements
     * @param resync runs while a watch is open
     * @param config its scheduler must be set
     */
    public Reflector(
            String name,
            ListerWatcher<T> source,
            DeltaQueue<ObjectName, T> queue,
            UnaryOperator<T> transform,
            Observers observers,
            ResyncTimer resync,
            InformerConfig config) {
        this.name = name;
        this.queue = queue;
        this.transform = transform;
        this.errors = observers.errors();
        this.meter = observers.meter();
        this.resync = resync;
        this.scheduler = Objects.requireNonNull(config.scheduler(), "scheduler");
        this.closed = new OneShotLatch(scheduler);
        this.progress = new Progress(scheduler);
        this.backoff = new ReflectorBackoff(scheduler, config.random());
        this.watches = new WatchFactory<>(source, scheduler, config.random(), config.minWatchTimeout());
        this.pagedList = new PagedList<>(source, progress);
        this.internalErrors = new InternalErrorBudget(scheduler, config.internalErrorBudget());
        this.streaming = config.streamingList();
    }

    public Progress progress() {
        return progress;
    }

    /**
     * Lists and watches. Blocks until {@link #close}. An interrupt without a close can end a request, but never a
     * backoff.
     */
    public void run() {
        try {
            while (!closed.isReleased()) {
                waitAfter(round());
            }
        } finally {
            watches.close();
            progress.enter(ReflectorState.STOPPED);
        }
    }

    /**
     * Ends the open watch and the current backoff. The caller must also interrupt the thread that runs the reflector.
     */
    public void close() {
        closed.release();
        watches.close();
    }

    /** Requests a list, because queued changes were lost on their way to the store. Any thread. */
    public void listAgain(Throwable why) {
        unprocessed = why;
        watches.endWatch();
    }

    /** Runs one round; returns the failure that ended it, or null. */
    private @Nullable Throwable round() {
        try {
            return listAndWatch();
        } catch (VirtualMachineError e) {
            throw e; // the informer ends
        } catch (Throwable e) {
            // A transform or a codec failed, with an assertion for example. If the reflector ended here, the cache
            // would
            // look alive but stay stale.
            if (!closed.isReleased()) {
                failed(e);
            }
            return e;
        }
    }

    private void failed(Throwable failure) {
        progress.failed(failure);
        errors.report(failure, progress.state());
    }

    /**
     * Waits for one backoff step, or for the time that the server requested if that is longer, but at most until {@link
     * #close}.
     */
    private void waitAfter(@Nullable Throwable failure) {
        if (closed.isReleased()) {
            return;
        }
        progress.enter(ReflectorState.BACKING_OFF);
        Duration pause = backoff.next();
        if (failure instanceof ApiException e && e.retryAfter() != null) {
            Duration requested = Durations.least(e.retryAfter(), MAX_RETRY_AFTER);
            pause = pause.compareTo(requested) < 0 ? requested : pause;
        }
        awaitClose(pause);
    }

    /**
     * Waits until closed or for this time. close() fires the signal before it interrupts, so other interrupts are
     * ignored.
     */
    private void awaitClose(Duration atMost) {
        long end = scheduler.nanoTime() + Durations.nanos(atMost);
        while (true) {
            UserCallbacks.clearInterrupt();
            try {
                closed.await(scheduler, Duration.ofNanos(end - scheduler.nanoTime()));
                return;
            } catch (InterruptedException e) {
                LOG.debug("{}: ignored an interrupt during a backoff", name);
            }
        }
    }

    private @Nullable Throwable listAndWatch() {
        unprocessed = null; // this list brings the lost changes
        try {
            return watch(fill());
        } finally {
            resync.stop();
            watches.endWatch();
        }
    }

    /** Fills the queue. Returns the watch of a streaming list, which continues; null after an ordinary list. */
    private @Nullable ActiveWatch<T> fill() {
        ActiveWatch<T> streamed = streaming ? streamInitialState() : null;
        if (streamed == null && !closed.isReleased()) {
            progress.enter(ReflectorState.LISTING);
            PagedList.Listed<T> listed = list();
            replace(listed.objects(), listed.resourceVersion());
        }
        return streamed;
    }

    private PagedList.Listed<T> list() {
        long start = scheduler.nanoTime();
        PagedList.Listed<T> listed = pagedList.list();
        Duration took = Duration.ofNanos(scheduler.nanoTime() - start);
        meter.listed(listed.objects().size(), took);
        if (took.compareTo(SLOW_LIST) > 0) {
            LOG.info("{}: listing {} objects took {}", name, listed.objects().size(), took);
        }
        return listed;
    }

    /** Fills the queue from a streaming list. Returns its watch, which continues; null if a list is needed instead. */
    private @Nullable ActiveWatch<T> streamInitialState() {
        long begun = scheduler.nanoTime();
        for (int attempt = 1; !closed.isReleased(); attempt++) {
            progress.enter(ReflectorState.STREAMING_LIST);
            progress.watched();
            Answer answer;
            try {
                String version = progress.isVersionUnavailable() ? "" : progress.lastSyncResourceVersion();
                StreamingList.Outcome<T> outcome = StreamingList.read(watches, scheduler, version);
                if (outcome instanceof StreamingList.Outcome.Complete<T> complete) {
                    return keep(complete);
                }
                answer = outcome instanceof StreamingList.Outcome.Ended<T> ended
                        ? new Answer(ReflectorDecision.toEndOfStream(ended.end()), unfinished(ended.end()))
                        : new Answer(ReflectorDecision.LIST_FROM_NOW_ON, null);
            } catch (RuntimeException e) {
                answer = new Answer(ReflectorDecision.toRefusedStream(e), e);
            }
            Duration tried = Duration.ofNanos(scheduler.nanoTime() - begun);
            if (closed.isReleased() || !tryAgain(answer, attempt) || ReflectorDecision.isEnough(attempt, tried)) {
                return null;
            }
        }
        return null;
    }

    private static RuntimeException unfinished(WatchEnd end) {
        RuntimeException failure = end.failure();
        return failure != null
                ? failure
                : new TransportException(
                        TransportException.Kind.UNEXPECTED_EOF,
                        "the server ended a streaming list before the bookmark that marks its end",
                        null);
    }

    /** Prepares the next attempt at a streaming list. Returns false if a list is needed instead. */
    private boolean tryAgain(Answer answer, int attempt) {
        LOG.debug("{}: streaming list: {}: {}", name, answer.decision(), String.valueOf(answer.failure()));
        switch (answer.decision()) {
            case STREAM_WITHOUT_VERSION -> {
                // A server that cannot serve its current state either causes an ordinary failure.
                boolean again = !progress.isVersionUnavailable();
                progress.versionUnavailable();
                return again;
            }
            case STREAM_NOW -> {
                note(answer);
                if (attempt > 1) {
                    waitAfter(null);
                }
                return true;
            }
            case STREAM_AFTER_BACKOFF -> {
                note(answer);
                waitAfter(answer.failure());
                return true;
            }
            case LIST_NOW -> {
                note(answer);
                return false;
            }
            case LIST_FROM_NOW_ON -> {
                LOG.info("{}: the server does not support streaming lists; using ordinary lists from now on", name);
                streaming = false;
                return false;
            }
            default -> {
                return false;
            }
        }
    }

    /** Queues a complete streaming list. Returns its watch, which continues. */
    private ActiveWatch<T> keep(StreamingList.Outcome.Complete<T> complete) {
        boolean isQueued = false;
        try {
            meter.listed(complete.objects().size(), complete.watch().age());
            replace(complete.objects(), complete.resourceVersion());
            complete.watch().restart();
            isQueued = true;
            return complete.watch();
        } finally {
            if (!isQueued) {
                watches.endWatch(); // an ordinary list may follow in the same round
            }
        }
    }

    /**
     * Queues a whole list. If the transform fails on one object, the list fails: a part of a list would delete the
     * rest.
     */
    private void replace(List<T> objects, String resourceVersion) {
        progress.versionAvailable();
        List<T> transformed = new ArrayList<>(objects.size());
        for (T object : objects) {
            if (!ObjectNames.isMissing(name, object)) {
                transformed.add(transform.apply(object));
            }
        }
        queue.replace(transformed, resourceVersion);
        progress.complete(resourceVersion);
    }

    /**
     * Watches repeatedly from the last received version.
     *
     * @param next the watch of a streaming list, which is read first; null if there is none
     * @return the failure that requires a list, or null
     */
    private @Nullable Throwable watch(@Nullable ActiveWatch<T> next) {
        shortInARow = 0;
        refusedInARow = 0;
        lostInARow = 0;
        if (!closed.isReleased()) {
            resync.start();
        }
        while (!closed.isReleased()) {
            progress.enter(ReflectorState.WATCHING);
            Answer answer = watchOnce(next);
            next = null;
            if (closed.isReleased()) {
                return null;
            }
            note(answer);
            if (answer.decision() == ReflectorDecision.WATCH_AFTER_BACKOFF) {
                waitAfter(answer.failure());
            } else if (answer.decision() != ReflectorDecision.WATCH_NOW) {
                return answer.failure();
            }
        }
        return null;
    }

    /** The outcome of a request, and the decision that follows from it. */
    private record Answer(
            ReflectorDecision decision, @Nullable Throwable failure) {}

    private Answer watchOnce(@Nullable ActiveWatch<T> streamed) {
        ActiveWatch<T> open;
        try {
            open = streamed == null ? openWatch() : streamed;
        } catch (RuntimeException e) {
            refusedInARow += ReflectorDecision.isRefusedOrUnanswered(e) ? 1 : 0;
            return new Answer(ReflectorDecision.toRefusedWatch(e, refusedInARow), e);
        }
        try (open) {
            if (unprocessed == null) {
                Answer answer = read(open);
                if (unprocessed == null) {
                    return answer;
                }
            }
            return new Answer(ReflectorDecision.LIST_AFTER_BACKOFF, unprocessed);
        }
    }

    private Answer read(ActiveWatch<T> open) {
        WatchEventSink<T> sink = new WatchEventSink<>(name, queue, transform, progress, open.isUnordered());
        WatchEnd end = Objects.requireNonNull(open.read(sink), "a sink that never has enough");
        meter.watched(open.events(), open.age());
        boolean isIdle = open.events() == 0;
        shortInARow = open.isShort() ? shortInARow + 1 : 0;
        lostInARow = isIdle && end instanceof WatchEnd.Lost ? lostInARow + 1 : 0;
        refusedInARow = isIdle
                        && end instanceof WatchEnd.Failed failed
                        && failed.failure().isTooManyRequests()
                ? refusedInARow + 1
                : 0;
        ReflectorDecision.InARow inARow = new ReflectorDecision.InARow(shortInARow, lostInARow, refusedInARow);
        return new Answer(ReflectorDecision.toEndOfWatch(end, inARow, internalErrors::allows), end.failure());
    }

    private ActiveWatch<T> openWatch() {
        progress.watched();
        return watches.open(ListOptionsBuilder.builder().resourceVersion(progress.lastSyncResourceVersion()));
    }

    /**
     * Returns whether the failure is normal and needs no attention: a connection that ended, or a version that expired.
     */
    private static boolean isCommon(Answer answer, Throwable failure) {
        return ReflectorDecision.isVersionUnavailable(failure)
                || (answer.decision() == ReflectorDecision.WATCH_NOW && failure instanceof TransportException);
    }

    /** Logs the outcome, and records a failure for the health of the informer. */
    private void note(Answer answer) {
        Throwable failure = answer.failure();
        if (failure == null) {
            LOG.debug("{}: watch ended: {}", name, answer.decision());
        } else if (isCommon(answer, failure)) {
            LOG.debug("{}: watch ended: {}: {}", name, answer.decision(), failure.toString());
        } else {
            failed(failure);
        }
    }
}
