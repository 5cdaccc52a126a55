/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.controlplane.SimulatedClock;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** What a disturbance can do to a run. Thread-safe. */
public interface RunControl {

    /** Returns the control plane. */
    ControlPlane plane();

    /** Returns the time. */
    SimulatedClock clock();

    /** Returns the number of changes that the server has made. */
    long revision();

    /** Returns the connection of the newest instance. */
    Lane newest();

    /** Lets every watch deliver what no effect holds back any more. Does not block. */
    void release();

    /**
     * Cuts off an instance, and starts another one unless a newer one runs already; does nothing if it is dead already.
     * Does not block.
     */
    void restart(Lane lane);

    /** Cuts off an instance without starting another one. Does not block. */
    void end(Lane lane);

    /**
     * Sends a request as the user and returns the answer. May be called on a thread that executes a request of the
     * operator.
     */
    ServerResponse.Document sendAsUser(ApiRequest request);

    /**
     * Waits until the informers of an instance have handled the events of all changes so far, or until a moment has
     * passed in reality. An operator that follows real time gets a moment without requests.
     */
    void awaitEvents(Lane lane);

    /** Waits until an instance has sent a number of requests, or the time has passed in reality. */
    void awaitRequests(Lane lane, int number, Duration patience);

    /**
     * Lets time pass on the thread of a request until the condition holds, or for long enough to renew a lease: real
     * time, if the operator follows it.
     */
    void passUntil(BooleanSupplier condition);

    /**
     * Starts another instance beside this one, unless a newer one runs already, and waits until the newest one has sent
     * no request for a moment.
     */
    void startBeside(Lane lane);
}
