/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.disturbance;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.registry.LostResponseException;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.simulation.Perturbation;
import io.kubeloop.simulation.trial.Call;
import io.kubeloop.simulation.trial.CallId;
import io.kubeloop.simulation.trial.Disturbance;
import io.kubeloop.simulation.trial.Effect;
import io.kubeloop.simulation.trial.Lane;
import io.kubeloop.simulation.trial.LaneFrames;
import io.kubeloop.simulation.trial.RunControl;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The operator is restarted after a write, and connects to an API server that is behind: lists that accept any version
 * show an earlier state, and watches bring nothing newer until the operator is idle. Reads without a version are
 * current, as upstream's.
 *
 * @param write the write
 * @param changes how many changes the server is behind
 * @param resource the resource whose cache in the server is behind, such as {@code pods}; empty for all
 */
record StaleRestart(CallId write, int changes, String resource) implements Disturbance {

    @Override
    public Perturbation kind() {
        return Perturbation.STALE;
    }

    @Override
    public String form() {
        return "stale";
    }

    @Override
    public String name() {
        return form() + "-" + changes + (resource.isEmpty() ? "" : "-" + resource) + ": " + write;
    }

    @Override
    public String story() {
        return "restarted after `" + write + "`, and its lists and watches of "
                + (resource.isEmpty() ? "everything" : resource) + " were " + changes + " changes behind";
    }

    @Override
    public boolean explainsCreations() {
        return true;
    }

    @Override
    public Effect begin(RunControl run) {
        return new StaleEffect(run);
    }

    private final class StaleEffect implements Effect {

        private final RunControl run;
        private final long first;
        private volatile long behind;
        private volatile @Nullable Lane old;
        private volatile boolean hasMet;

        StaleEffect(RunControl run) {
            this.run = run;
            first = run.revision();
        }

        @Override
        public ServerResponse write(CallId id, Attempt attempt) {
            if (!id.equals(write) || old != null) {
                return attempt.execute();
            }
            attempt.execute();
            behind = Math.max(first, run.revision() - changes);
            old = attempt.lane();
            run.restart(attempt.lane());
            throw new LostResponseException("the instance was killed after its write");
        }

        private boolean isStale(Lane lane, Call call) {
            Lane dead = old;
            return behind > 0 && dead != null && lane != dead && isOfResource(call);
        }

        private boolean isOfResource(Call call) {
            return resource.isEmpty() || resource.equals(call.resource());
        }

        @Override
        public ApiRequest read(Lane lane, Call call, ApiRequest request) {
            if (!isStale(lane, call)
                    || call.verb() != Call.Verb.LIST
                    || !request.query().getOrDefault("resourceVersion", "").equals("0")) {
                return request;
            }
            hasMet = true;
            Map<String, String> query = new LinkedHashMap<>(request.query());
            query.put("resourceVersion", Long.toString(behind));
            query.put("resourceVersionMatch", "Exact");
            return new ApiRequest(
                    request.method(), request.path(), query, request.accept(), request.body(), request.deadline());
        }

        /** A server that is behind has no streaming lists, which are always current. */
        @Override
        public @Nullable ServerResponse answer(Lane lane, Call call, ApiRequest request) {
            if (!isStale(lane, call) || !request.query().containsKey("sendInitialEvents")) {
                return null;
            }
            StatusException refusal = StatusException.of(
                    422,
                    "Invalid",
                    "ListOptions.meta.k8s.io \"\" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is "
                            + "forbidden for watch unless the WatchList feature gate is enabled");
            return ServerResponse.Document.of(refusal.code(), refusal.status());
        }

        @Override
        public boolean holds(LaneFrames watch) {
            return behind > 0 && old != null && isOfResource(watch.call());
        }

        @Override
        public boolean atQuiet() {
            boolean isBehind = behind > 0;
            behind = 0;
            if (isBehind) {
                run.release();
            }
            return isBehind;
        }

        @Override
        public void atUnrest() {
            atQuiet();
        }

        @Override
        public int met() {
            return old == null ? 0 : 1;
        }

        @Override
        public boolean hasMet() {
            return hasMet;
        }
    }
}
