/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.kubeloop.apiserver.registry.LostResponseException;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.simulation.disturbance.TrialPlanner;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** While a second instance takes over, the first one writes nothing, on none of its threads. */
class TakeoverTest {

    private static final CallId HELD = new CallId("update pods/status default/a", 1);
    private static final CallId OTHER = new CallId("create pods default/b", 1);

    private final Lane first = new Lane(0);
    private final Lane second = new Lane(1);
    private final Queue<String> executed = new ConcurrentLinkedQueue<>();
    private final FutureTask<ServerResponse> otherThread = new FutureTask<>(() -> write(OTHER, first));
    private final Effect takeover = TrialPlanner.named("takeover: " + HELD, recording(), 1)
            .orElseThrow()
            .begin(run());

    private static Recording recording() {
        Recording.Write write =
                new Recording.Write(Instant.EPOCH, HELD, Call.Verb.UPDATE, 0, 200, true, "pods default/a", "u", 0, 1);
        return new Recording(List.of(write), Map.of(), List.of(), List.of(), false, 1, "", "");
    }

    @Test
    void otherThreadsOfTheInstance_writeNothingBesideTheSecondOne() {
        assertThatThrownBy(() -> write(HELD, first)).isInstanceOf(LostResponseException.class);

        assertThatThrownBy(otherThread::get).hasCauseInstanceOf(LostResponseException.class);
        assertThat(executed).containsExactly(OTHER + " of instance 1", HELD + " of instance 0");
        assertThat(takeover.hasMet()).isTrue();
    }

    private ServerResponse write(CallId id, Lane lane) {
        return takeover.write(id, new Effect.Attempt() {
            @Override
            public Lane lane() {
                return lane;
            }

            @Override
            public Call call() {
                return new Call(Call.Verb.UPDATE, "pods", "", "default", "a");
            }

            @Override
            public ServerResponse execute() {
                executed.add(id + " of instance " + lane.number());
                return ServerResponse.Document.of(200, JsonObject.EMPTY);
            }
        });
    }

    /** Returns a run in which the first instance has another thread, and the second one has the same work to do. */
    private RunControl run() {
        return (RunControl) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {RunControl.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "startBeside" -> {
                            Thread other = new Thread(otherThread);
                            other.start();
                            await().until(() -> other.getState() == Thread.State.WAITING || otherThread.isDone());
                            write(OTHER, second);
                        }
                        case "end" -> first.kill();
                        default -> throw new AssertionError("a takeover does not need " + method);
                    }
                    return null;
                });
    }
}
