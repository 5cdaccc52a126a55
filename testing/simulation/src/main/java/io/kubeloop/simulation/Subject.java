/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import io.kubeloop.api.client.ObjectCodec;
import io.kubeloop.controller.Controller;
import io.kubeloop.controller.ControllerContext;
import java.util.List;
import java.util.function.Function;

/**
 * An operator: how to start an instance of it. An instance is killed by cutting its connections; what it returned is
 * closed afterwards, so that its threads end, but nothing that it still sends reaches the server.
 */
@FunctionalInterface
public interface Subject {

    /**
     * Starts an instance and returns what ends it. Returns once the instance runs; it need not have synced.
     *
     * @param environment the connection of the instance
     * @return ends the instance's threads or process; called once, on another thread
     * @throws Exception if the instance cannot start; the simulation ends with it
     */
    AutoCloseable start(Environment environment) throws Exception;

    /**
     * Returns whether the clock counts the work of the operator: its informers and queues come from the environment.
     * Default: true. Otherwise the run waits in real time until the operator sends nothing any more.
     */
    default boolean isCounted() {
        return true;
    }

    /**
     * Returns an operator that is a controller of this library.
     *
     * @param codec a codec with the kinds of the operator
     * @param controller makes the controller
     */
    static Subject controller(ObjectCodec codec, Function<ControllerContext, ? extends Controller> controller) {
        return environment -> environment.runner(codec).controller(controller).start();
    }

    /**
     * Returns an operator that runs in this process and has a client of another library, such as one of JOSDK.
     *
     * @param operator starts the operator; see {@link #start}
     */
    static Subject foreign(Subject operator) {
        return new Subject() {
            @Override
            public AutoCloseable start(Environment environment) throws Exception {
                return operator.start(environment);
            }

            @Override
            public boolean isCounted() {
                return false;
            }
        };
    }

    /**
     * Returns an operator that is a program. It finds the server by the variable {@code KUBECONFIG}, inherits the other
     * variables, and is killed without a warning. Its output goes to standard error.
     *
     * @param command the program and its arguments
     */
    static Subject process(List<String> command) {
        return foreign(environment -> {
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().put("KUBECONFIG", environment.kubeconfig().toString());
            Process process = builder.redirectErrorStream(true)
                    .redirectOutput(
                            ProcessBuilder.Redirect.appendTo(environment.log().toFile()))
                    .start();
            return () -> {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
            };
        });
    }
}
