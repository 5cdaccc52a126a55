/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.registry.LostResponseException;
import io.kubeloop.apiserver.registry.RequestFilter;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.registry.WatchFrame;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.simulation.ClusterState;
import io.kubeloop.simulation.Invariant;
import io.kubeloop.simulation.Moment;
import io.kubeloop.simulation.state.EndState;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Receives every request of a run: it records those of the operator, lets the effect disturb them, and checks the
 * invariants after each change.
 */
final class Director implements RequestFilter {

    /*
     * Invariants
     *   D1  A write of the operator is recorded before its answer is returned, so the recording is complete when the
     *       run is quiet.
     *   D2  The effect and the invariants, which are user code, are called without a lock.
     * The lock is held for memory alone, and not taken twice by a thread. Threads: of the requests, and the driver.
     */

    private static final Set<String> CHANGES = Set.of("ADDED", "MODIFIED", "DELETED");

    /** The largest number of requests of one instance: more is a hot loop. */
    private final int most;

    private final Clock clock;
    private final Runnable elapse;
    private final Map<String, Invariant> invariants;
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger sinceQuiet = new AtomicInteger();
    private final AtomicReference<@Nullable Lane> hammering = new AtomicReference<>();
    private final Map<String, String> violations = new ConcurrentHashMap<>();
    private final Set<String> written = ConcurrentHashMap.newKeySet();

    /** The UIDs of the objects that the operator has deleted. Each deletion counts once, however many requests ask. */
    private final Set<String> deleted = ConcurrentHashMap.newKeySet();

    private final ChosenNames names = new ChosenNames();
    private final Refusals refusals = new Refusals();
    private final Timeline timeline;
    private final Set<String> deletedByUser = ConcurrentHashMap.newKeySet();
    private final AtomicInteger changes = new AtomicInteger();
    private volatile Effect effect = Effect.NONE;
    private volatile String story = "";
    private volatile @Nullable ApiServer server;
    private volatile long baseline;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<Recording.Write> writes = new ArrayList<>();

    @GuardedBy("lock")
    private final Map<EventId, Long> events = new LinkedHashMap<>();

    @GuardedBy("lock")
    private final List<Recording.Declared> declared = new ArrayList<>();

    private volatile boolean isElected;

    /** The step of the workload that {@link #driver} executes; negative between the steps. */
    private volatile int step = -1;

    /** Whether the effect lets time pass: reads are not counted then. */
    private volatile boolean isPassing;

    /** The newest step that has begun, from 0; negative before the first one. */
    private volatile int lastStep = -1;

    private final Thread driver = Thread.currentThread();

    /**
     * Creates a director.
     *
     * @param elapse lets the time of a write pass
     * @param most the largest number of requests of an instance
     */
    Director(Clock clock, Runnable elapse, Map<String, Invariant> invariants, int most) {
        this.elapse = elapse;
        this.clock = clock;
        timeline = new Timeline(clock);
        this.invariants = invariants;
        this.most = most;
    }

    /**
     * Begins to check the invariants and to disturb.
     *
     * @param told words for the disturbance in the timeline
     */
    void attach(ApiServer started, Effect begun, String told) {
        baseline = started.backend().storage().revision();
        effect = begun;
        story = told;
        server = started;
    }

    /** Marks the requests of the driving thread as those of a step with a name; negative for none. */
    void step(int number, String name) {
        step = number;
        lastStep = Math.max(lastStep, number);
        if (number >= 0) {
            timeline.step(name);
        }
    }

    /** Returns the number of requests of the operator and of the changes that others have made. */
    int activity() {
        return requests.get() + changes.get();
    }

    /** Lets an effect act after a step; the reads are not counted if it lets time pass. */
    boolean afterStep(int ended, boolean movesTime) {
        isPassing = movesTime;
        try {
            return disturbing(() -> effect.afterStep(ended));
        } finally {
            isPassing = false;
        }
    }

    /** Runs a part of the effect, and marks in the timeline that it met there what it waits for. */
    private <T> T disturbing(Supplier<T> part) {
        return timeline.disturbing(effect, story, part);
    }

    /** Returns the resources that the operator has written. */
    Set<String> written() {
        return written;
    }

    /** Notes that an instance starts or ends. */
    void note(Lane lane, Moment.Kind kind) {
        timeline.add(lane, kind, "", "", "", 0);
    }

    /** Notes that nothing is under way. */
    void quiet() {
        sinceQuiet.set(0);
    }

    /** Notes that the operator has nothing to do from now on. */
    void idle() {
        refusals.idle();
    }

    /** Returns the first violation of each invariant, by its name. */
    Map<String, String> violations() {
        return violations;
    }

    /** Returns the instance that sent too many requests; null for none. */
    @Nullable
    Lane hammering() {
        return hammering.get();
    }

    Recording recording() {
        List<Moment> moments = timeline.moments();
        lock.lock();
        try {
            return new Recording(
                    writes, events, moments, declared, isElected, requests.get(), refusals.last(), refusals.lastIdle());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public ServerResponse handle(ApiRequest request, Function<ApiRequest, ServerResponse> next) {
        Lane lane = Lane.current();
        Call call = Call.of(request);
        if (lane == null || call == null) {
            long before = revision();
            ServerResponse response = next.apply(request);
            if (call != null && call.verb().isWrite()) {
                if (revision() > before) {
                    noteChange(call, response);
                }
                noteCreation(call, request, response);
                checkInvariants("the cluster: " + call);
            }
            return response;
        }
        requireAlive(lane, request);
        ApiServer running = server;
        if (call.isLease()
                || (running != null && call.isLock(request, running.backend().storage()))) {
            lane.awake();
            isElected = isElected || call.verb().isWrite();
            return effect.lease(lane, call, () -> next.apply(request));
        }
        if (isPassing && !call.verb().isWrite()) {
            lane.awake(); // an operator may look around every few seconds of an hour
        } else {
            count(lane, request);
        }
        if (call.isNoise()) {
            return next.apply(request);
        }
        ServerResponse response =
                call.verb().isWrite() ? write(lane, call, request, next) : read(lane, call, request, next);
        refusals.note(call, response);
        return response;
    }

    private void count(Lane lane, ApiRequest request) {
        requests.incrementAndGet();
        if (sinceQuiet.incrementAndGet() == most / 4) {
            effect.atUnrest();
        }
        if (lane.count() > most) {
            hammering.compareAndSet(null, lane);
            lane.kill();
            requireAlive(lane, request);
        }
    }

    /** Notes a change of the user or another component; what they write all the time says nothing. */
    private void noteChange(Call call, ServerResponse response) {
        int code = response instanceof ServerResponse.Document document ? document.code() : 200;
        if (code < 300 && !call.isNoise() && !call.isLease() && !call.resource().equals("nodes")) {
            boolean isUser = step >= 0 && Thread.currentThread() == driver;
            changes.incrementAndGet();
            if (isUser && call.verb() == Call.Verb.DELETE && response instanceof ServerResponse.Document document) {
                deletedByUser.add(JsonObject.parse(document.bytes()).string("metadata", "uid"));
            }
            timeline.add(isUser ? Moment.Kind.DECLARED : Moment.Kind.CHANGED, names.starred(call), code);
        }
    }

    /** Returns the UIDs of the objects that the user has deleted, and that were still there afterwards. */
    Set<String> deletedByUser() {
        return deletedByUser;
    }

    private void noteCreation(Call call, ApiRequest request, ServerResponse response) {
        if (!(response instanceof ServerResponse.Document document) || document.code() != 201) {
            return;
        }
        names.created(call, () -> JsonObject.parse(document.bytes()));
        if (step >= 0 && Thread.currentThread() == driver) {
            String path =
                    request.path().endsWith("/" + call.name()) ? request.path() : request.path() + "/" + call.name();
            Recording.Declared object = new Recording.Declared(
                    step,
                    call.object(),
                    path,
                    JsonObject.parse(document.bytes()).string("kind"));
            lock.lock();
            try {
                declared.add(object);
            } finally {
                lock.unlock();
            }
            effect.declared(object);
        }
    }

    private static void requireAlive(Lane lane, ApiRequest request) {
        if (lane.isDead()) {
            throw new LostResponseException("the instance that sent " + request.describe() + " was killed");
        }
    }

    private ServerResponse read(Lane lane, Call call, ApiRequest request, Function<ApiRequest, ServerResponse> next) {
        boolean isList = call.verb() == Call.Verb.LIST || request.query().containsKey("sendInitialEvents");
        if (isList) {
            timeline.add(lane, Moment.Kind.LISTED, "", call.resource(), "", 0);
        }
        ServerResponse response = disturbing(() -> {
            ServerResponse answer = effect.answer(lane, call, request);
            return answer == null ? next.apply(effect.read(lane, call, request)) : answer;
        });
        return response instanceof ServerResponse.Frames frames
                ? lane.add(new LaneFrames(frames, lane, call, request.query(), new Judging()))
                : response;
    }

    /** Judges the frames of the watches of all instances. */
    private final class Judging implements LaneFrames.Judge {

        @Override
        public LaneFrames.Verdict judge(LaneFrames watch, WatchFrame frame) {
            return Director.this.judge(watch, frame);
        }

        @Override
        public boolean holds(LaneFrames watch) {
            return effect.holds(watch);
        }

        @Override
        public void delivered(LaneFrames watch, WatchFrame frame) {
            JsonObject metadata = frame.object().object("metadata");
            if (CHANGES.contains(frame.type()) && !isOfNoStep(metadata)) {
                Call object = names.starred(
                        watch.call().inNamespace(metadata.string("namespace")).named(metadata.string("name")));
                timeline.add(watch.lane(), Moment.Kind.SAW, frame.type(), object.resource(), object.key(), 0);
            }
        }
    }

    private LaneFrames.Verdict judge(LaneFrames watch, WatchFrame frame) {
        if (!CHANGES.contains(frame.type())) {
            return watch.isHolding() ? LaneFrames.Verdict.HOLD : LaneFrames.Verdict.PASS;
        }
        JsonObject metadata = frame.object().object("metadata");
        if (isOfNoStep(metadata)) {
            return watch.isHolding() ? LaneFrames.Verdict.HOLD : LaneFrames.Verdict.PASS;
        }
        Call object = watch.call().inNamespace(metadata.string("namespace"));
        EventId id =
                names.state(object.named(metadata.string("name")), metadata.string("resourceVersion"), frame.type());
        lock.lock();
        try {
            events.putIfAbsent(id, Long.parseLong(metadata.string("resourceVersion")) - baseline);
        } finally {
            lock.unlock();
        }
        return watch.isListing() ? LaneFrames.Verdict.PASS : disturbing(() -> effect.event(watch, id));
    }

    /** An object that exists before the operator starts is no state of the workload, and a lock is none. */
    private boolean isOfNoStep(JsonObject metadata) {
        try {
            return Long.parseLong(metadata.string("resourceVersion")) <= baseline || EndState.isLock(metadata);
        } catch (NumberFormatException e) {
            return true; // an object of a computed API
        }
    }

    private ServerResponse write(Lane lane, Call call, ApiRequest request, Function<ApiRequest, ServerResponse> next) {
        written.add(call.resource());
        CallId id = names.write(call);
        Executed executed = new Executed(lane, call, request, next);
        int code = 0;
        boolean isAnswered = false;
        try {
            ServerResponse response = disturbing(() -> effect.write(id, executed));
            code = response instanceof ServerResponse.Document document ? document.code() : 200;
            isAnswered = true;
            requireAlive(lane, request);
            return response;
        } finally {
            record(executed, id, isAnswered ? code : executed.code);
        }
    }

    private void record(Executed executed, CallId id, int code) {
        Call call = names.starred(executed.call);
        Recording.Write write = new Recording.Write(
                clock.instant(),
                id,
                call.verb(),
                executed.lane.number(),
                code,
                executed.isEffective,
                call.object(),
                executed.uid,
                lastStep,
                revision() - baseline);
        timeline.add(executed.lane, Moment.Kind.WROTE, call.verb().toString(), call.path(), call.key(), code);
        lock.lock();
        try {
            writes.add(write);
        } finally {
            lock.unlock();
        }
    }

    /** A write and what became of it. Confined to the thread of the request, or handed over to another one. */
    private final class Executed implements Effect.Attempt {

        private final Lane lane;
        private final Call call;
        private final ApiRequest request;
        private final Function<ApiRequest, ServerResponse> next;
        private volatile int code;
        private volatile boolean isEffective;
        private volatile String uid = "";

        Executed(Lane lane, Call call, ApiRequest request, Function<ApiRequest, ServerResponse> next) {
            this.lane = lane;
            this.call = call;
            this.request = request;
            this.next = next;
        }

        @Override
        public Lane lane() {
            return lane;
        }

        @Override
        public Call call() {
            return call;
        }

        @Override
        public ServerResponse execute() {
            long before = revision();
            JsonObject seen = call.verb() == Call.Verb.DELETE ? storedMetadata() : JsonObject.EMPTY;
            ServerResponse response = next.apply(effect.admitted(call, request));
            if (response instanceof ServerResponse.Document document) {
                code = document.code();
                if (code < 300) {
                    JsonObject answer = JsonObject.parse(document.bytes());
                    uid = (seen.isEmpty() ? answer.object("metadata") : seen).string("uid");
                    isEffective = isNewer(answer.string("metadata", "resourceVersion"), before)
                            && !isInVain(answer)
                            && (call.verb() != Call.Verb.DELETE || isFirstDeletion(seen));
                    names.created(call, () -> answer);
                }
            }
            checkInvariants("the operator: " + call);
            elapse.run();
            return response;
        }

        /** The operator has not seen yet that the owner is gone; the garbage collector deletes what it made. */
        private boolean isInVain(JsonObject answer) {
            ApiServer running = server;
            return code == 201 && running != null && Dependents.isInVain(answer, ClusterState.of(running));
        }

        /** Returns the metadata of the object before the request; empty if there is none. */
        private JsonObject storedMetadata() {
            ApiServer running = server;
            StoredObject object =
                    running == null ? null : call.stored(running.backend().storage());
            return object == null ? JsonObject.EMPTY : object.tree().object("metadata");
        }

        /** Another thread may delete the object after this one has looked, so the versions do not tell. */
        private boolean isFirstDeletion(JsonObject seen) {
            return !seen.has("deletionTimestamp") && deleted.add(seen.string("uid"));
        }

        /** A write that changes nothing answers with the version that the object already had. */
        private boolean isNewer(String version, long before) {
            try {
                return Long.parseLong(version) > before;
            } catch (NumberFormatException e) {
                return revision() > before; // the answer is no object, such as that of an eviction
            }
        }
    }

    private long revision() {
        ApiServer running = server;
        return running == null ? 0 : running.backend().storage().revision();
    }

    private void checkInvariants(String change) {
        ApiServer running = server;
        if (running == null || invariants.isEmpty()) {
            return;
        }
        ClusterState state = ClusterState.of(running);
        invariants.forEach((name, invariant) -> {
            try {
                invariant.check(state);
            } catch (AssertionError | RuntimeException e) {
                violations.putIfAbsent(name, "after " + change + ": " + e.getMessage());
            }
        });
    }
}
