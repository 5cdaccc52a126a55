/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReference;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Plays an order of what happens to the only child of an owner around one write of its controller. For one thread.
 *
 * <table>
 *   <caption>Steps, after the server has stored the write</caption>
 *   <tr><td>EVENT</td><td>the watch delivers the next change of the children</td></tr>
 *   <tr><td>LIST</td><td>the watch of the children lists again</td></tr>
 *   <tr><td>VANISH</td><td>a user deletes the child</td></tr>
 *   <tr><td>ANSWER</td><td>the worker reads the response, or finds it lost</td></tr>
 *   <tr><td>SYNC</td><td>the next sync of the owner runs; all other caches are up to date</td></tr>
 * </table>
 *
 * @param <C> the kind of the child
 */
public final class WriteOrders<C extends KubeObject> implements AutoCloseable {

    /** The orders around a creation, with the number of creations when the SYNC returns. */
    public static final String CREATION = """
            # order after the server has stored the creation | created when the sync returns
            EVENT  VANISH EVENT  ANSWER SYNC               | 2
            EVENT  VANISH ANSWER EVENT  SYNC               | 2
            EVENT  VANISH ANSWER SYNC   EVENT              | 1
            EVENT  ANSWER VANISH EVENT  SYNC               | 2
            EVENT  ANSWER VANISH SYNC   EVENT              | 1
            EVENT  ANSWER SYNC   VANISH EVENT              | 1
            ANSWER EVENT  VANISH EVENT  SYNC               | 2
            ANSWER EVENT  VANISH SYNC   EVENT              | 1
            ANSWER EVENT  SYNC   VANISH EVENT              | 1
            ANSWER SYNC   EVENT  VANISH EVENT              | 1
            VANISH EVENT  EVENT  ANSWER SYNC               | 2
            VANISH ANSWER EVENT  EVENT  SYNC               | 2
            VANISH ANSWER EVENT  SYNC   EVENT              | 1
            VANISH ANSWER SYNC   EVENT  EVENT              | 1
            VANISH LIST   ANSWER SYNC                      | 2
            VANISH ANSWER LIST   SYNC                      | 2
            VANISH ANSWER SYNC   LIST                      | 1
            ANSWER VANISH LIST   SYNC                      | 2
            ANSWER VANISH SYNC   LIST                      | 1
            ANSWER SYNC   VANISH LIST                      | 1
            """;

    /**
     * The same if the response is lost. The children are listed from the server then: a sync acts on the truth,
     * whatever the cache shows.
     */
    public static final String LOST_CREATION = """
            # order after the server has stored the creation | created when the sync returns
            EVENT  VANISH EVENT  ANSWER SYNC               | 2
            EVENT  VANISH ANSWER EVENT  SYNC               | 2
            EVENT  VANISH ANSWER SYNC   EVENT              | 2
            EVENT  ANSWER VANISH EVENT  SYNC               | 2
            EVENT  ANSWER VANISH SYNC   EVENT              | 2
            EVENT  ANSWER SYNC   VANISH EVENT              | 1
            ANSWER EVENT  VANISH EVENT  SYNC               | 2
            ANSWER EVENT  VANISH SYNC   EVENT              | 2
            ANSWER EVENT  SYNC   VANISH EVENT              | 1
            ANSWER SYNC   EVENT  VANISH EVENT              | 1
            VANISH EVENT  EVENT  ANSWER SYNC               | 2
            VANISH ANSWER SYNC   EVENT  EVENT              | 2
            VANISH LIST   ANSWER SYNC                      | 2
            VANISH ANSWER SYNC   LIST                      | 2
            ANSWER VANISH SYNC   LIST                      | 2
            ANSWER SYNC   VANISH LIST                      | 1
            """;

    /** The orders around the adoption of a child that had lost its owner, with the number of creations as above. */
    public static final String ADOPTION = """
            # order after the server has stored the patch    | created when the sync returns
            EVENT  ANSWER SYNC                             | 1
            ANSWER EVENT  SYNC                             | 1
            ANSWER SYNC   EVENT                            | 1
            EVENT  VANISH EVENT  ANSWER SYNC               | 2
            EVENT  VANISH ANSWER SYNC   EVENT              | 1
            VANISH ANSWER EVENT  SYNC   EVENT              | 1
            ANSWER VANISH EVENT  EVENT  SYNC               | 2
            ANSWER VANISH SYNC   EVENT  EVENT              | 1
            VANISH LIST   ANSWER SYNC                      | 2
            ANSWER VANISH SYNC   LIST                      | 1
            """;

    /** The orders around a deletion after which the owner wants a child again, before the watch has delivered it. */
    public static final String DELETION = """
            # order after the server has stored the deletion | created when the sync returns
            EVENT  ANSWER SYNC                             | 2
            ANSWER EVENT  SYNC                             | 2
            ANSWER SYNC   EVENT                            | 1
            LIST   ANSWER SYNC                             | 2
            ANSWER LIST   SYNC                             | 2
            ANSWER SYNC   LIST                             | 1
            """;

    private final ObjectName key;
    private final ResourceType<C> type;
    private final Duration pause;
    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final EmbeddedApiServer server =
            EmbeddedApiServer.builder().clock(clock).random(new Random(1)).build();
    private final KubeClient user = KubeClient.of(server.transport(), JsonCodec.standard());
    private final SimulatedProcess process =
            new SimulatedProcess(server.transport(), clock, new Random(1), each -> true, request -> {}, this::stored);
    private final List<String> order = new ArrayList<>();
    private LaggingCache<C> cache = new LaggingCache<>();
    private Consumer<ObjectName> sync = owner -> {};

    /** The method of the write that the order is about. Other writes are answered at once. */
    private String method = "";

    private boolean isAnswerLost;
    private int creations;
    private int creationsAfterSync;

    /** Starts a server without an owner. */
    public WriteOrders(ObjectName key, ResourceType<C> type) {
        this(key, type, Duration.ZERO);
    }

    /**
     * Starts a server without an owner.
     *
     * @param pause passes after each delivery while the world settles
     */
    public WriteOrders(ObjectName key, ResourceType<C> type, Duration pause) {
        this.key = key;
        this.type = type;
        this.pause = pause;
    }

    /** Sets the controller, and fills its caches. */
    public void start(LaggingCache<C> children, Consumer<ObjectName> controller) {
        cache = children;
        sync = controller;
        process.start();
    }

    /** Returns the process of the controller. */
    public SimulatedProcess process() {
        return process;
    }

    public ManualClock clock() {
        return clock;
    }

    /** A user makes an object from its manifest. */
    public <T extends KubeObject> void create(ResourceType<T> resource, String json) {
        user.resource(resource)
                .create(JsonCodec.standard()
                        .decode(resource, new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8))));
    }

    /** A user changes an object by a merge patch. */
    public void patch(ResourceType<?> resource, ObjectName name, String patch) {
        user.resource(resource).patch(name, Patch.merge(patch));
        process.worldChanged();
    }

    /** Another controller changes the status of an object by a merge patch. */
    public void patchStatus(ResourceType<?> resource, ObjectName name, String patch) {
        user.resource(resource).patch(name, Patch.merge(patch), "status");
        process.worldChanged();
    }

    /** Called when the server has carried out a write of the controller, before the response is read. */
    private void stored(ApiRequest request) {
        boolean isOfChild =
                request.path().contains("/" + type.plural()) && !request.path().endsWith("/status");
        creations += isOfChild && request.method().equals("POST") ? 1 : 0;
        assertThat(owned().size()).as("children, before %s", order).isLessThanOrEqualTo(1);
        process.worldChanged();
        if (isOfChild && request.method().equals(method)) {
            method = "";
            runUntil("ANSWER");
            if (isAnswerLost) {
                throw new TransportException(TransportException.Kind.TIMEOUT, "the response is lost", null);
            }
        }
    }

    /** Returns the children of the owner at the server. */
    public List<C> owned() {
        return children().stream()
                .filter(child -> {
                    OwnerReference controller = child.metadata().controller();
                    return controller != null && controller.name().equals(key.name());
                })
                .toList();
    }

    /** Returns the children at the server, with those that have no owner. */
    public List<C> children() {
        return resource().list(key.namespace(), ListOptions.NONE).items();
    }

    private ResourceClient<C> resource() {
        return user.resource(type);
    }

    private void runUntil(String end) {
        while (!order.isEmpty()) {
            String step = order.remove(0);
            if (step.equals(end)) {
                return;
            }
            step(step);
        }
    }

    private void step(String step) {
        switch (step) {
            case "EVENT" -> cache.deliver();
            case "LIST" -> cache.relist();
            case "VANISH" -> {
                children().forEach(child -> {
                    resource().patch(child.objectName(), Patch.merge("{\"metadata\":{\"finalizers\":null}}"));
                    resource().delete(child.objectName(), new DeleteOptions(0L, null, null, null));
                });
                process.worldChanged();
            }
            case "SYNC" -> {
                process.relistOthers(cache);
                process.queue.add(key);
                work();
                creationsAfterSync = creations;
            }
            default -> throw new IllegalArgumentException(step);
        }
    }

    /** Plays an order around the first write with this method that the next sync sends, and lets the world settle. */
    public void play(String steps, String ofMethod, boolean isLost) {
        play(steps, ofMethod, isLost, () -> {});
    }

    /**
     * Plays an order as {@link #play(String, String, boolean)} does.
     *
     * @param afterAnswer a change by a user when the sync with the write has returned
     */
    public void play(String steps, String ofMethod, boolean isLost, Runnable afterAnswer) {
        order.addAll(List.of(steps.trim().split(" +")));
        method = ofMethod;
        isAnswerLost = isLost;
        process.queue.add(key);
        work();
        assertThat(method).as("the sync has sent no %s", ofMethod).isEmpty();
        afterAnswer.run();
        runUntil("END");
        settle();
    }

    /**
     * Asserts that the owner has one child.
     *
     * @param afterSync the number of creations when the SYNC of the order returned
     */
    public void assertOneChild(String steps, int afterSync) {
        assertThat(creationsAfterSync)
                .as("created when the sync returns, %s", steps)
                .isEqualTo(afterSync);
        assertThat(owned()).as("settled, %s", steps).hasSize(1);
    }

    /** Asserts that the owner has one child, as {@link #assertOneChild(String, int)} does, after so many creations. */
    public void assertOneChild(String steps, int afterSync, int ofAll) {
        assertOneChild(steps, afterSync);
        assertThat(creations).isEqualTo(ofAll);
    }

    private boolean work() {
        return !process.processNextWorkItem(sync).isEmpty();
    }

    /** The watches deliver everything and the worker has nothing left to do. */
    public void settle() {
        boolean more = true;
        while (more) {
            more = process.deliverAll();
            clock.advance(isAnswerLost ? pause.plusMillis(5) : pause); // a failed sync is retried after 5 ms
            more |= work();
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
