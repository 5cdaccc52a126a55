/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import io.kubeloop.api.client.ObjectCodec;
import io.kubeloop.controller.Controller;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.runner.ControllerRunner;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * An operator: how to start an instance of it. An instance is killed by cutting its connections; what it returned is
 * closed afterwards, so its threads end, but nothing that it still sends reaches the server.
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
        return runner(codec, runner -> runner.controller(controller));
    }

    /**
     * Returns an operator that is a runner of this library, for example with several controllers or with a lease. If
     * the runner ends by itself, it is started again.
     *
     * @param codec a codec with the kinds of the operator
     * @param settings adds at least one controller to the settings of {@link Environment#runner}
     */
    static Subject runner(ObjectCodec codec, UnaryOperator<ControllerRunner.Builder> settings) {
        return environment -> {
            ControllerRunner runner = settings.apply(environment.runner(codec)).start();
            Thread watcher = new Thread(() -> {
                try {
                    runner.awaitEnd();
                } catch (RuntimeException e) {
                    environment.ended(e.toString());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt(); // only the JVM's end interrupts this thread
                }
            });
            watcher.setDaemon(true);
            watcher.start();
            return runner;
        };
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
     * variables, and is killed without a warning. If it ends by itself, it is started again.
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
            var unused = process.onExit().thenAccept(exited -> environment.ended("exit code " + exited.exitValue()));
            return () -> {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
            };
        });
    }
}
