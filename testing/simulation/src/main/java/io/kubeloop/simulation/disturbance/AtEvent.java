/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.disturbance;

import io.kubeloop.simulation.Perturbation;
import io.kubeloop.simulation.trial.Disturbance;
import io.kubeloop.simulation.trial.Effect;
import io.kubeloop.simulation.trial.EventId;
import io.kubeloop.simulation.trial.LaneFrames;
import io.kubeloop.simulation.trial.RunControl;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Something happens to a watch before it delivers a state.
 *
 * @param state the state
 * @param fault what happens
 */
record AtEvent(EventId state, Fault fault) implements Disturbance {

    /** The faults of a watch. */
    enum Fault {
        /** The state is not delivered before the next one of its object. */
        MISSED(Perturbation.MISSED, "not shown %s before it was replaced by the next one"),
        /** The watch ends, and the operator opens it again. */
        WATCH_ENDED(Perturbation.ANSWERS, "disconnected from its watch before it saw %s"),
        /** The watch reports that its version is too old, and the operator lists again. */
        WATCH_EXPIRED(Perturbation.ANSWERS, "given 410 (Expired) by its watch before it saw %s"),
        /** The watch brings a bookmark instead, and ends. */
        WATCH_BOOKMARK(Perturbation.ANSWERS, "given only a bookmark by its watch, which ended before %s");

        private final Perturbation kind;
        private final String story;

        Fault(Perturbation kind, String story) {
            this.kind = kind;
            this.story = story;
        }
    }

    @Override
    public Perturbation kind() {
        return fault.kind;
    }

    @Override
    public String form() {
        return fault.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public String name() {
        return form() + ": " + state;
    }

    @Override
    public String story() {
        return fault.story.formatted(state);
    }

    @Override
    public boolean explainsCreations() {
        return true;
    }

    @Override
    public Effect begin(RunControl run) {
        return fault == Fault.MISSED ? new Missed(run) : new Ended();
    }

    private final class Ended implements Effect {

        private final AtomicBoolean hasMet = new AtomicBoolean();

        @Override
        public LaneFrames.Verdict event(LaneFrames watch, EventId id) {
            if (!id.equals(state) || !hasMet.compareAndSet(false, true)) {
                return LaneFrames.Verdict.PASS;
            }
            return switch (fault) {
                case WATCH_EXPIRED -> LaneFrames.Verdict.EXPIRE;
                case WATCH_BOOKMARK -> LaneFrames.Verdict.BOOKMARK;
                case WATCH_ENDED, MISSED -> LaneFrames.Verdict.END;
            };
        }

        @Override
        public boolean hasMet() {
            return hasMet.get();
        }
    }

    private final class Missed implements Effect {

        private final RunControl run;

        /** The watches that this effect holds back; another effect may hold others. */
        private final Set<LaneFrames> held = ConcurrentHashMap.newKeySet();

        private volatile boolean hasMet;
        private volatile boolean hasEnded;

        Missed(RunControl run) {
            this.run = run;
        }

        @Override
        public LaneFrames.Verdict event(LaneFrames watch, EventId id) {
            if (hasEnded) {
                return LaneFrames.Verdict.PASS;
            }
            if (id.equals(state)) {
                held.add(watch);
            } else if (id.object().equals(state.object()) && id.state() > state.state() && held.remove(watch)) {
                hasMet = true;
            }
            return Effect.super.event(watch, id);
        }

        @Override
        public boolean holds(LaneFrames watch) {
            return held.contains(watch);
        }

        @Override
        public boolean isWaiting() {
            return held.stream().anyMatch(LaneFrames::isHolding);
        }

        @Override
        public void atUnrest() {
            var unused = end();
        }

        @Override
        public boolean end() {
            boolean isHolding = isWaiting();
            hasEnded = true;
            held.clear();
            run.release();
            return isHolding;
        }

        @Override
        public boolean hasMet() {
            return hasMet;
        }
    }
}
