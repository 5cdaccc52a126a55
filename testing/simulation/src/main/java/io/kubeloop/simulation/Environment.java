/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ObjectCodec;
import io.kubeloop.controller.runner.ControllerRunner;
import io.kubeloop.controlplane.SimulatedClock;
import java.net.URI;
import java.nio.file.Path;

/**
 * What an instance of an operator gets: its own connection to the control plane of the trial. Thread-safe; only the
 * first call of {@link #uri} or {@link #kubeconfig} opens a port and writes a file, which the trial removes.
 */
public interface Environment {

    /** Returns a new client of this instance, without a socket. */
    KubeClient client(ObjectCodec codec);

    /** Returns the settings of a runner with the client, the informers, the queues and the time of the trial. */
    ControllerRunner.Builder runner(ObjectCodec codec);

    /** Returns the time of the trial. */
    SimulatedClock clock();

    /** Returns the address of the API server for this instance. */
    URI uri();

    /** Returns the file of a kubeconfig for this instance. */
    Path kubeconfig();

    /** Returns a file for the output of this instance. */
    Path log();

    /**
     * Reports that the instance has ended by itself, such as after the loss of its lease. Another instance is started,
     * as a kubelet starts a container again. Does nothing if the instance was killed. Does not block.
     *
     * @param reason the exit code or the exception, for the report if this happens again and again
     */
    void ended(String reason);
}
