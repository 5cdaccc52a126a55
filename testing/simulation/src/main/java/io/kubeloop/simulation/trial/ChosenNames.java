/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.json.tree.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Words by which writes and states of one run are found again in another one: a star stands for what the server
 * generates in names. Thread-safe; no method blocks.
 */
final class ChosenNames {

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, String> generated = new HashMap<>();

    @GuardedBy("lock")
    private final Map<String, Integer> occurrences = new HashMap<>();

    @GuardedBy("lock")
    private final Map<String, Map<String, Integer>> states = new HashMap<>();

    /**
     * Notes the name that the server has generated for an object; does nothing if it has generated none.
     *
     * @param created returns the object
     */
    void created(Call call, Supplier<JsonObject> created) {
        if (call.name().endsWith("*")) {
            String name = created.get().string("metadata", "name");
            lock.lock();
            try {
                generated.put(place(call.named(name)), call.name());
            } finally {
                lock.unlock();
            }
        }
    }

    /** Returns a call with a star in its name if the server has generated the name. */
    Call starred(Call call) {
        lock.lock();
        try {
            return call.named(generated.getOrDefault(place(call), call.name()));
        } finally {
            lock.unlock();
        }
    }

    private static String place(Call call) {
        return call.resource() + " " + call.namespace() + "/" + call.name();
    }

    /** Returns the identity of a write, and counts it. */
    CallId write(Call call) {
        String words = starred(call).toString();
        lock.lock();
        try {
            return new CallId(words, occurrences.merge(words, 1, Integer::sum));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the identity of a state of an object.
     *
     * @param object the object, with its real name: objects with generated names do not share the numbers of states
     * @param version its resource version
     * @param type the type of the event
     */
    EventId state(Call object, String version, String type) {
        String words = starred(object).object();
        lock.lock();
        try {
            Map<String, Integer> known = states.computeIfAbsent(object.object(), key -> new HashMap<>());
            return new EventId(words, known.computeIfAbsent(version, key -> known.size() + 1), type);
        } finally {
            lock.unlock();
        }
    }
}
