/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.simulation;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/**
 * A controller, a real (embedded) API server, and a world that goes wrong. One thread, virtual time; every choice comes
 * from the seed.
 */
public abstract class SeededSimulation implements AutoCloseable {

    /** Creates the resource {@code widgets} of the group {@code sim.example}, whose objects may have any fields. */
    protected static final String WIDGETS_DEFINITION = """
            {"metadata":{"name":"widgets.sim.example"},"spec":{"group":"sim.example","scope":"Namespaced",
             "names":{"plural":"widgets","singular":"widget","kind":"Widget"},
             "versions":[{"name":"v1","served":true,"storage":true,
             "schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}""";

    protected static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    /**
     * What a step is. Each number ends the choices of its kind, from 0 (inclusive) to 100 (exclusive), in this order:
     * a watch delivers, the leader works, other components work, users act, changes are lost, a watch lists again,
     * another process leads. The rest lets time pass.
     */
    public record Odds(int watch, int work, int others, int users, int loss, int relist, int lead) {}

    protected final Random random;
    protected final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    protected final List<String> history = new ArrayList<>();
    protected final EmbeddedApiServer server;
    protected final KubeClient client;
    protected SimulatedProcess leader;

    /** Above 0 while the world changes in the middle of a sync, so changes do not nest. */
    protected int nesting;

    private final Odds odds;
    private Consumer<ObjectName> sync = key -> {};

    /** Makes the server; the subclass makes the first objects and calls {@link #lead}. */
    protected SeededSimulation(long seed, Odds odds) {
        this.odds = odds;
        random = new Random(seed);
        server = EmbeddedApiServer.builder()
                .clock(clock)
                .random(new Random(seed))
                .build();
        client = KubeClient.of(server.transport(), JsonCodec.standard());
    }

    @Override
    public final void close() {
        server.close();
    }

    /** Adds caches to a new process, and returns its sync. */
    protected abstract Consumer<ObjectName> controller(SimulatedProcess process);

    /** Users change the world. */
    protected abstract void usersAct();

    /** Another component works, if there is one. */
    protected void othersWork() {}

    /** With no more faults, the controller ends its work without any further push. Checks the outcome. */
    protected abstract void settle();

    /** Takes random steps, then waits until the world is quiet, and checks it. */
    public final void run(int steps) {
        for (int i = 0; i < steps; i++) {
            step(random.nextInt(100));
        }
        settle();
    }

    /** Something happens; the choice is from 0 (inclusive) to 100 (exclusive). */
    protected void step(int choice) {
        if (choice < odds.watch()) {
            note("watch");
            leader.deliverSome();
        } else if (choice < odds.work()) {
            leader.network.failures(failures());
            work();
        } else if (choice < odds.others()) {
            othersWork();
        } else if (choice < odds.users()) {
            usersAct();
        } else if (choice < odds.loss()) {
            note("changes are lost");
            leader.loseChanges();
        } else if (choice < odds.relist()) {
            note("relist");
            leader.relistSome();
        } else if (choice < odds.lead()) {
            note("another process leads");
            lead();
        } else {
            Duration passed = time();
            note(passed + " pass");
            pass(passed);
        }
    }

    /** Returns how many of a hundred requests of the next sync fail. */
    protected int failures() {
        return random.nextInt(3) * 20;
    }

    /** Returns how much time a step lets pass. */
    protected abstract Duration time();

    /** Lets time pass. */
    protected void pass(Duration duration) {
        clock.advance(duration);
    }

    /**
     * Lets the world change while a write is under way. A process can lose the lead at any moment, also between two
     * writes of one sync, and the next does not wait for it.
     *
     * @param takeovers how often another process leads, of 1,000
     * @param races how often {@link #race} is called instead, of 1,000
     */
    protected final void meanwhile(int takeovers, int races) {
        int choice = nesting == 0 ? random.nextInt(1000) : 1000;
        nesting++;
        if (choice < takeovers) {
            note("another process leads, in the middle of a sync");
            lead();
            for (int i = random.nextInt(8); i > 0; i--) {
                step(random.nextInt(odds.others()));
            }
        } else if (choice < takeovers + races) {
            race();
        }
        nesting--;
    }

    /** The world changes while a write is under way. */
    protected void race() {
        usersAct();
    }

    /** Without further faults, the leader and the others work for some rounds, with time between them. */
    protected final void calm(int rounds, Duration between, Runnable others) {
        note("quiet");
        leader.relistAll();
        for (int round = 0; round < rounds; round++) {
            leader.network.failures(0); // another process may lead by now
            workUntilIdle();
            others.run();
            pass(between);
        }
    }

    /** Returns what the processes connect to. */
    protected Transport transport() {
        return server.transport();
    }

    /** A new process takes the lead. */
    protected final void lead() {
        SimulatedProcess process = new SimulatedProcess(
                transport(), clock, random, asking -> asking == leader, this::beforeWrite, this::afterWrite);
        sync = controller(process);
        leader = process;
        process.start();
    }

    /** A write of the controller is about to leave; the world may change first. */
    protected abstract void beforeWrite(ApiRequest request);

    /** The server has carried out a write of the controller. */
    protected abstract void afterWrite(ApiRequest request);

    /** The leader takes an item from its queue and syncs it; returns false if none is due. */
    protected final boolean work() {
        String outcome = processNextWorkItem(sync);
        if (!outcome.isEmpty()) {
            note(outcome);
        }
        return !outcome.isEmpty();
    }

    /** Returns what came of the next item, or an empty text if none was due. */
    protected String processNextWorkItem(Consumer<ObjectName> syncItem) {
        return leader.processNextWorkItem(syncItem);
    }

    /** The watches deliver everything, and the leader works until nothing is due. */
    protected final void workUntilIdle() {
        while (leader.deliverAll() || work()) {
            // One or the other: each may make work for the others.
        }
    }

    /** Lets the watches of the leader know that the server has changed. */
    protected void worldChanged() {
        if (leader != null) {
            leader.worldChanged();
        }
    }

    /** Posts an object to the server; notes a refusal. */
    protected final void post(String path, String json) {
        ApiRequest.Body body = ApiRequest.Body.json(json.getBytes(StandardCharsets.UTF_8));
        try (ApiResponse answer = server.transport().execute(ApiRequest.of("POST", path, Map.of(), body))) {
            if (!answer.isSuccessful()) {
                note("refused: " + new String(answer.wholeBody("POST"), StandardCharsets.UTF_8));
            }
        }
    }

    protected final void note(String what) {
        history.add(what);
    }

    /** Returns what has happened. */
    @Override
    public String toString() {
        return getClass().getSimpleName() + " " + history;
    }
}
