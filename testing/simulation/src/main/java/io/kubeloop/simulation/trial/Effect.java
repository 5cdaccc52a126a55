/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.registry.ServerResponse;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a disturbance does to one run. Each method does nothing by default. Must be thread-safe: the requests come on
 * the threads of their clients.
 */
public interface Effect {

    /** Does nothing. */
    Effect NONE = new Effect() {};

    /** A write that is about to be executed. */
    interface Attempt {

        /** Returns the connection of its instance. */
        Lane lane();

        /** Returns what it asks for. */
        Call call();

        /** Executes it, and returns the answer. */
        ServerResponse execute();
    }

    /** Returns the answer to a write. */
    default ServerResponse write(CallId id, Attempt attempt) {
        return attempt.execute();
    }

    /** Returns the request that the server executes instead of a write of the operator, as webhooks change it. */
    default ApiRequest admitted(Call call, ApiRequest request) {
        return request;
    }

    /** Returns the answer to a request for a lease. */
    default ServerResponse lease(Lane lane, Call call, Supplier<ServerResponse> request) {
        return request.get();
    }

    /** Returns the request to execute instead of a read or a watch. */
    default ApiRequest read(Lane lane, Call call, ApiRequest request) {
        return request;
    }

    /** Returns the answer to a read or a watch; null to execute it. */
    default @Nullable ServerResponse answer(Lane lane, Call call, ApiRequest request) {
        return null;
    }

    /** Returns whether it holds back what a watch brings. Afterwards it calls {@link RunControl#release}. */
    default boolean holds(LaneFrames watch) {
        return false;
    }

    /** Decides about an event before it is delivered. */
    default LaneFrames.Verdict event(LaneFrames watch, EventId id) {
        return holds(watch) ? LaneFrames.Verdict.HOLD : LaneFrames.Verdict.PASS;
    }

    /**
     * Is called whenever the run is quiet.
     *
     * @return whether something that was held back is now on its way
     */
    default boolean atQuiet() {
        return false;
    }

    /**
     * Is called when the operator has sent many requests without coming to rest: what is held back may be what it needs
     * to know, and no server holds it back forever.
     */
    default void atUnrest() {}

    /** Is called in a step of the workload when an object of the user has been created, on the thread of the step. */
    default void declared(Recording.Declared object) {}

    /** Is called before each step of the workload. */
    default void beforeStep() {}

    /**
     * Is called after each step of the workload, from 0, when the run is quiet.
     *
     * @return whether something happens now, so the run has to become quiet again
     */
    default boolean afterStep(int step) {
        return false;
    }

    /** Returns whether the effect waits for a later step, so the run is not compared before. */
    default boolean isWaiting() {
        return false;
    }

    /**
     * Ends the effect: what it holds back is let go.
     *
     * @return whether something happens now, so the run has to become quiet again
     */
    default boolean end() {
        return false;
    }

    /** Returns what the operator did that it must not do under this disturbance, one sentence each. */
    default List<String> problems() {
        return List.of();
    }

    /** Returns what it has changed as the user, one change each. Only a run with the same changes can be compared. */
    default List<String> userChanges() {
        return List.of();
    }

    /** Returns whether the effect has met what it waits for. */
    default boolean hasMet() {
        return true;
    }

    /** Returns how many of its parts have met what they wait for. */
    default int met() {
        return hasMet() ? 1 : 0;
    }
}
