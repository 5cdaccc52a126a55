/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.controlplane.SimulatedClock;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.simulation.ClusterState;
import io.kubeloop.simulation.Workload;
import io.kubeloop.simulation.state.EndState;
import io.kubeloop.simulation.state.StateDifference;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One run of a workload under one disturbance, on a control plane of its own. Confined to the thread that runs it; see
 * {@link RunControl} for what others may call.
 */
public final class TrialRun implements RunControl, AutoCloseable {

    /** The first moment of every run, so no state depends on the day. */
    private static final Instant START = Instant.parse("2026-01-05T08:00:00Z");

    /** How long an operator may take, in its own time, until a disturbance is forgotten: retries back off. */
    private static final List<Duration> PAUSES = List.of(
            Duration.ofSeconds(1),
            Duration.ofSeconds(3),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofMinutes(2));

    /** How long a write takes, so time passes in a loop that never rests. */
    private static final Duration WRITE = Duration.ofMillis(20);

    /** A time in which nothing should happen. */
    private static final Duration IDLE = Duration.ofSeconds(55);

    private static final Duration DAY = Duration.ofDays(1);

    /** A lease lasts 15 seconds by default, in the time of the operator. */
    private static final Duration LEASE_PATIENCE = Duration.ofSeconds(40);

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** How long events may take in reality: another effect may hold them back. */
    private static final Duration EVENTS_PATIENCE = Duration.ofMillis(500);

    /** A silence in reality after which an instance waits for something. */
    private static final Duration MOMENT = Duration.ofMillis(40);

    /** The largest number of requests of an instance in a reference; a workload with more is a loop without end. */
    private static final int MOST_REQUESTS = 6_000;

    private final Setup setup;
    private final SimulatedClock clock;
    private final Director director;
    private final ControlPlane plane;
    private final Instances instances;
    private final Effect effect;
    /** The revision before the definitions. */
    private final long beginning;

    /** The UIDs of what came with the definitions. */
    private final Set<String> defined;

    private final long baseline;
    private final List<EndState> states = new ArrayList<>();
    private final boolean movesTime;
    private final List<String> unsettled = new ArrayList<>();
    private final List<Integer> restless = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    private TrialRun(Setup setup, Disturbance disturbance, int mostRequests) {
        this.setup = setup;
        movesTime = disturbance.movesTime();
        clock = setup.subject().isCounted() ? SimulatedClock.frozen(START) : SimulatedClock.running();
        director = new Director(
                clock.clock(),
                setup.subject().isCounted() ? () -> clock.elapse(WRITE) : () -> {},
                setup.invariants(),
                mostRequests);
        ControlPlane started = null;
        try {
            started = setup.cluster()
                    .apply(ControlPlane.builder())
                    .clock(clock)
                    .requests(director)
                    .start();
            plane = started;
            beginning = revision();
            for (String manifests : setup.definitions()) {
                plane.apply("definitions", new ByteArrayInputStream(manifests.getBytes(StandardCharsets.UTF_8)));
            }
            clock.awaitQuiet();
        } catch (RuntimeException | Error e) {
            if (started != null) {
                started.close();
            }
            clock.close();
            throw e;
        }
        baseline = revision();
        defined = ClusterState.of(plane.server()).all(beginning).stream()
                .map(object -> object.string("metadata", "uid"))
                .collect(Collectors.toUnmodifiableSet());
        instances = new Instances(setup.subject(), plane, director::note);
        effect = disturbance.begin(this);
        director.attach(plane.server(), effect, disturbance.story());
    }

    /**
     * Runs a workload. Blocks until the run has ended, its threads included.
     *
     * @param reference the run without a disturbance; null for that run itself
     * @param ignored paths of states that are not compared
     */
    public static Outcome of(
            Setup setup, Disturbance disturbance, @Nullable Outcome reference, Predicate<String> ignored) {
        int most =
                reference == null ? MOST_REQUESTS : 12 * reference.recording().requests() + 300;
        try (TrialRun run = new TrialRun(setup, disturbance, most)) {
            return run.outcome(reference, ignored);
        }
    }

    private Outcome outcome(@Nullable Outcome reference, Predicate<String> ignored) {
        Settling settling = new Settling(this, setup, ignored, reference == null && effect != Effect.NONE);
        instances.start();
        boolean rests = settling.settle(null);
        int step = 0;
        boolean isSettled = false;
        boolean isBlind = false;
        boolean isLate = false;
        for (Workload.Step each : setup.workload().steps()) {
            if (!failures.isEmpty() || director.hammering() != null) {
                break;
            }
            effect.beforeStep();
            perform(each, step, settling);
            EndState expected = reference == null || step >= reference.states().size() || effect.isWaiting()
                    ? null
                    : reference.states().get(step);
            boolean isLast = step == setup.workload().steps().size() - 1;
            rests = settling.settle(expected, isLast);
            if (actsAfter(step)) {
                rests = settling.settle(expected, isLast);
            }
            isSettled = expected != null;
            isBlind |= setup.isPaced() && effect.isWaiting();
            if (!rests) {
                restless.add(step);
            } else if (reference != null && expected != null && isComparable(step, reference)) {
                isLate |= isOnlyLate(expected, settling);
                StateDifference.between(expected, state(), ignored)
                        .forEach(difference -> unsettled.add("after the step \"" + each.name() + "\", " + difference));
            }
            states.add(state());
            step++;
        }
        if (effect.end() || !isSettled || setup.isPaced()) {
            rests = settling.settle(reference == null ? null : reference.end());
        }
        isLate |= rests && reference != null && isOnlyLate(reference.end(), settling);
        states.add(state());
        int idleFrom = director.recording().writes().size();
        boolean isEnd = reference == null || movesTime || settling.isAsExpected(reference.end());
        if (rests && isEnd && (reference == null || setup.subject().isCounted())) {
            restartIdle(settling); // elsewhere, the start of a program takes longer than the rest of a trial
        }
        int dayFrom = director.recording().writes().size();
        jump(IDLE);
        jump(DAY);
        states.add(state());
        collectFailures();
        return new Outcome(
                states,
                unsettled,
                restless,
                director.recording(),
                idleFrom,
                dayFrom,
                director.violations(),
                failures,
                instances.errors(),
                circumstances(isBlind),
                isLate,
                effect.hasMet());
    }

    /** Returns whether the state after a step says something: time alone, or what is held back, may change it. */
    private boolean isComparable(int step, Outcome reference) {
        return !movesTime
                && unsettled.isEmpty()
                && !effect.isWaiting()
                && !reference.restless().contains(step);
    }

    /**
     * Restarts an operator in real time that rests and has not reached the state, and returns whether it does then: it
     * may wait for a retry for minutes, but a restart ends that wait.
     */
    private boolean isOnlyLate(EndState expected, Settling settling) {
        if (setup.subject().isCounted() || hasFailed() || settling.isAsExpected(expected)) {
            return false;
        }
        restart(newest());
        var unused = settling.settle(expected);
        return settling.isAsExpected(expected);
    }

    private List<String> circumstances(boolean isBlind) {
        List<String> all = new ArrayList<>(effect.userChanges());
        if (isBlind) {
            all.add("an operator that acts by time was not shown a state for a while");
        }
        return all;
    }

    /** Lets the effect act after a step, and returns whether something happens now. */
    private boolean actsAfter(int step) {
        try {
            return director.afterStep(step, movesTime);
        } catch (IllegalStateException e) {
            failures.add("the disturbance after step " + (step + 1) + " did not end: " + e.getMessage());
            return false;
        }
    }

    /** A user who cannot go on waits for the operator: what is held back from it is shown, and the step repeated. */
    private void perform(Workload.Step step, int number, Settling settling) {
        RuntimeException failure = attempt(step, number);
        if (failure != null && effect.isWaiting()) {
            var unused = effect.end();
            var unusedRest = settling.settle(null);
            failure = attempt(step, number);
        }
        if (failure != null) {
            failures.add("the step \"" + step.name() + "\" failed: " + failure.getMessage());
        }
    }

    private @Nullable RuntimeException attempt(Workload.Step step, int number) {
        director.step(number, step.name());
        try {
            step.action().accept(plane);
            return null;
        } catch (RuntimeException e) {
            return e;
        } finally {
            director.step(-1, "");
        }
    }

    /** Restarts an operator that has nothing to do: a correct one writes nothing then. */
    private void restartIdle(Settling settling) {
        if (failures.isEmpty() && director.hammering() == null) {
            director.idle();
            restart(newest());
            if (setup.subject().isCounted()) {
                awaitQuiet(); // what an operator does later, it does by the time
            } else {
                var unused = settling.settle(null);
            }
        }
    }

    /** Lets time pass in one step, without a change of the user. */
    private void jump(Duration time) {
        if (!setup.subject().isCounted() || hasFailed()) {
            return;
        }
        try {
            clock.jump(time);
        } catch (IllegalStateException e) {
            failures.add("the run did not come to rest: " + e.getMessage());
        }
    }

    private void collectFailures() {
        failures.addAll(instances.failures());
        failures.addAll(effect.problems());
        failures.addAll(Dependents.withoutOwner(ClusterState.of(plane.server()), baseline));
        Lane hammering = director.hammering();
        if (hammering != null) {
            failures.add("instance " + hammering.number() + " sent " + hammering.requests()
                    + " requests and did not come to rest");
        }
    }

    /** Waits until nothing is under way, and nothing is held back that an operator would see now. */
    void awaitQuiet() {
        do {
            awaitWork();
        } while (!hasFailed() && goesOn());
    }

    /** Lets the effect show what it has held back until the run was quiet, and returns whether there was something. */
    boolean goesOn() {
        return effect.atQuiet();
    }

    /** Returns whether something is held back from the operator. */
    boolean isHeldBack() {
        return effect.isWaiting();
    }

    /** Waits until nothing is under way that the clock counts, starts and stops of the operator included. */
    void awaitWork() {
        try {
            clock.awaitQuiet(PATIENCE);
            director.quiet();
        } catch (IllegalStateException e) {
            failures.add("the run did not come to rest: " + e.getMessage());
            newest().kill();
        }
    }

    /** Lets time pass, with its timers. */
    void advance(Duration time) {
        try {
            clock.advance(time);
        } catch (IllegalStateException e) {
            failures.add("the run did not come to rest: " + e.getMessage());
        }
        awaitQuiet();
    }

    boolean hasFailed() {
        return !failures.isEmpty()
                || director.hammering() != null
                || !instances.failures().isEmpty();
    }

    /** Returns whether a reference was ended because it sent too many requests. */
    public static boolean isEndless(Outcome reference) {
        return !reference.failures().isEmpty() && reference.recording().requests() > MOST_REQUESTS;
    }

    /** Returns a number that grows with each request of the operator and each change of another component. */
    int activity() {
        return director.activity();
    }

    /** Returns the state at this moment, of what came after the definitions. */
    EndState state() {
        Set<String> written = director.written();
        List<JsonObject> objects = ClusterState.of(plane.server()).all(beginning).stream()
                .filter(object -> !defined.contains(object.string("metadata", "uid")) || isOf(written, object))
                .toList();
        return EndState.of(objects, written);
    }

    /** Controllers change what came with the definitions, earlier or later; only the operator's changes count. */
    private boolean isOf(Set<String> written, JsonObject object) {
        ResourceStore store = plane.server().backend().storeOfKind(object.string("apiVersion"), object.string("kind"));
        if (store == null) {
            return false;
        }
        String group = store.type().group();
        return written.contains(store.type().plural() + (group.isEmpty() ? "" : "." + group));
    }

    /** Returns whether an object that the user has deleted is still there: kubectl would wait for its end. */
    boolean isDeleting() {
        Set<String> deleted = director.deletedByUser();
        return !deleted.isEmpty()
                && ClusterState.of(plane.server()).all(baseline).stream()
                        .anyMatch(object -> deleted.contains(object.string("metadata", "uid")));
    }

    static List<Duration> pauses() {
        return PAUSES;
    }

    @Override
    public ControlPlane plane() {
        return plane;
    }

    @Override
    public SimulatedClock clock() {
        return clock;
    }

    @Override
    public long revision() {
        return plane.server().backend().storage().revision();
    }

    @Override
    public Lane newest() {
        return instances.newest();
    }

    @Override
    public void release() {
        instances.release();
    }

    @Override
    public void restart(Lane lane) {
        instances.restart(lane);
    }

    @Override
    public void startBeside(Lane lane) {
        instances.startBeside(lane);
        var unused = Settling.awaitCalm(() -> newest() == lane ? -1 : newest().requests(), MOMENT, PATIENCE);
    }

    @Override
    public void passUntil(BooleanSupplier condition) {
        long end = System.nanoTime() + LEASE_PATIENCE.toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < end) {
            if (setup.subject().isCounted()) {
                clock.elapse(Duration.ofSeconds(1));
            }
            LockSupport.parkNanos(5_000_000); // the clock cannot wait for quiet while a request waits here
        }
    }

    @Override
    public void end(Lane lane) {
        instances.end(lane);
    }

    @Override
    public ServerResponse.Document sendAsUser(ApiRequest request) {
        return (ServerResponse.Document) Lane.callAsUser(() -> plane.server().handle(request));
    }

    @Override
    public void awaitEvents(Lane lane) {
        long end = System.nanoTime() + EVENTS_PATIENCE.toNanos();
        while (clock.hasUnhandledEvents() && System.nanoTime() < end) {
            LockSupport.parkNanos(1_000_000);
        }
        if (!setup.subject().isCounted()) {
            var unused = Settling.awaitCalm(lane::requests, MOMENT, EVENTS_PATIENCE);
        }
    }

    @Override
    public void awaitRequests(Lane lane, int number, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        while (lane.requests() < number && System.nanoTime() < end) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public void close() {
        instances.close();
        plane.close();
        clock.close();
    }
}
