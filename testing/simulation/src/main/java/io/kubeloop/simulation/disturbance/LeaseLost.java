/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.disturbance;

import io.kubeloop.apiserver.registry.LostResponseException;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.simulation.Perturbation;
import io.kubeloop.simulation.trial.Call;
import io.kubeloop.simulation.trial.CallId;
import io.kubeloop.simulation.trial.Disturbance;
import io.kubeloop.simulation.trial.Effect;
import io.kubeloop.simulation.trial.Lane;
import io.kubeloop.simulation.trial.RunControl;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The operator cannot renew its lease while a sync is under way, and a second instance takes the lease. The first one
 * must not begin a write afterwards.
 *
 * @param write the write whose answer arrives only when the second instance leads
 */
record LeaseLost(CallId write) implements Disturbance {

    @Override
    public Perturbation kind() {
        return Perturbation.TIME;
    }

    @Override
    public String form() {
        return "lease-lost";
    }

    @Override
    public String name() {
        return form() + ": " + write;
    }

    @Override
    public String story() {
        return "held up in `" + write + "` until a second instance had taken its lease";
    }

    @Override
    public boolean explainsCreations() {
        return true;
    }

    @Override
    public boolean movesTime() {
        return true;
    }

    @Override
    public Effect begin(RunControl run) {
        return new LeaseEffect(run);
    }

    private final class LeaseEffect implements Effect {

        /*
         * Invariant: `old` is set once, by the thread of the held write, before that thread starts the second instance.
         * Threads: those of the requests, and the driver of the run.
         */

        private final RunControl run;
        private final List<String> problems = new CopyOnWriteArrayList<>();
        private volatile @Nullable Lane old;
        private volatile boolean isTaken;

        LeaseEffect(RunControl run) {
            this.run = run;
        }

        @Override
        public ServerResponse write(CallId id, Attempt attempt) {
            if (attempt.lane() == old && isTaken) {
                problems.add("instance " + attempt.lane().number() + " sent `" + id + "` after it had lost its lease");
            }
            ServerResponse answer = attempt.execute();
            if (id.equals(write) && old == null) {
                old = attempt.lane();
                run.startBeside(attempt.lane());
                run.passUntil(() -> isTaken);
            }
            return answer;
        }

        @Override
        public ServerResponse lease(Lane lane, Call call, Supplier<ServerResponse> request) {
            if (lane == old) {
                throw new LostResponseException("the lease cannot be reached");
            }
            ServerResponse answer = request.get();
            boolean isWritten = call.verb().isWrite()
                    && answer instanceof ServerResponse.Document document
                    && document.code() < 300;
            if (old != null && isWritten) {
                isTaken = true;
            }
            return answer;
        }

        @Override
        public boolean end() {
            Lane first = old;
            if (first != null) {
                run.end(first);
            }
            return first != null;
        }

        @Override
        public List<String> problems() {
            return problems;
        }

        @Override
        public boolean hasMet() {
            return isTaken;
        }
    }
}
