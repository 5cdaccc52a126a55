/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.disturbance;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.simulation.Perturbation;
import io.kubeloop.simulation.trial.Call;
import io.kubeloop.simulation.trial.CallId;
import io.kubeloop.simulation.trial.Disturbance;
import io.kubeloop.simulation.trial.Effect;
import io.kubeloop.simulation.trial.EventId;
import io.kubeloop.simulation.trial.Lane;
import io.kubeloop.simulation.trial.LaneFrames;
import io.kubeloop.simulation.trial.Recording;
import io.kubeloop.simulation.trial.RunControl;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Two disturbances in one run.
 *
 * @param first meets requests before the second one
 * @param second the other one
 */
record Combined(Disturbance first, Disturbance second) implements Disturbance {

    /** Stands between the names of the two. */
    static final String BETWEEN = " + ";

    @Override
    public Perturbation kind() {
        return Perturbation.COMBINED;
    }

    @Override
    public String form() {
        return first.form() + BETWEEN + second.form();
    }

    @Override
    public String name() {
        return first.name() + BETWEEN + second.name();
    }

    @Override
    public String story() {
        return first.story() + "; and it was " + second.story();
    }

    @Override
    public Disturbance reference() {
        if (first.reference() == NONE || second.reference() == NONE) {
            return first.reference() == NONE ? second.reference() : first.reference();
        }
        return new Combined(first.reference(), second.reference());
    }

    @Override
    public boolean movesTime() {
        return first.movesTime() || second.movesTime();
    }

    @Override
    public boolean explainsCreations() {
        return first.explainsCreations() || second.explainsCreations();
    }

    @Override
    public Effect begin(RunControl run) {
        return new Both(first.begin(run), second.begin(run));
    }

    private record Both(Effect first, Effect second) implements Effect {

        @Override
        public ServerResponse write(CallId id, Attempt attempt) {
            return first.write(id, new Inner(attempt, id, second));
        }

        @Override
        public ApiRequest admitted(Call call, ApiRequest request) {
            return second.admitted(call, first.admitted(call, request));
        }

        @Override
        public ServerResponse lease(Lane lane, Call call, Supplier<ServerResponse> request) {
            return first.lease(lane, call, () -> second.lease(lane, call, request));
        }

        @Override
        public ApiRequest read(Lane lane, Call call, ApiRequest request) {
            return second.read(lane, call, first.read(lane, call, request));
        }

        @Override
        public @Nullable ServerResponse answer(Lane lane, Call call, ApiRequest request) {
            ServerResponse answer = first.answer(lane, call, request);
            return answer == null ? second.answer(lane, call, request) : answer;
        }

        @Override
        public LaneFrames.Verdict event(LaneFrames watch, EventId id) {
            LaneFrames.Verdict one = first.event(watch, id);
            LaneFrames.Verdict other = second.event(watch, id);
            boolean isHeld = one == LaneFrames.Verdict.HOLD && other != LaneFrames.Verdict.PASS;
            return isHeld || one == LaneFrames.Verdict.PASS ? other : one; // a watch can end while it is held back
        }

        @Override
        public boolean holds(LaneFrames watch) {
            return first.holds(watch) || second.holds(watch);
        }

        @Override
        public boolean atQuiet() {
            boolean one = first.atQuiet();
            return second.atQuiet() || one;
        }

        @Override
        public void atUnrest() {
            first.atUnrest();
            second.atUnrest();
        }

        @Override
        public void declared(Recording.Declared object) {
            first.declared(object);
            second.declared(object);
        }

        @Override
        public void beforeStep() {
            first.beforeStep();
            second.beforeStep();
        }

        @Override
        public boolean afterStep(int step) {
            boolean one = first.afterStep(step);
            return second.afterStep(step) || one;
        }

        @Override
        public boolean isWaiting() {
            return first.isWaiting() || second.isWaiting();
        }

        @Override
        public boolean end() {
            boolean one = first.end();
            return second.end() || one;
        }

        @Override
        public List<String> problems() {
            return concat(first.problems(), second.problems());
        }

        @Override
        public List<String> userChanges() {
            return concat(first.userChanges(), second.userChanges());
        }

        private static List<String> concat(List<String> some, List<String> more) {
            return Stream.concat(some.stream(), more.stream()).toList();
        }

        @Override
        public boolean hasMet() {
            return first.hasMet() && second.hasMet();
        }

        @Override
        public int met() {
            return first.met() + second.met();
        }
    }

    private record Inner(Effect.Attempt attempt, CallId id, Effect effect) implements Effect.Attempt {

        @Override
        public Lane lane() {
            return attempt.lane();
        }

        @Override
        public Call call() {
            return attempt.call();
        }

        @Override
        public ServerResponse execute() {
            return effect.write(id, attempt);
        }
    }
}
