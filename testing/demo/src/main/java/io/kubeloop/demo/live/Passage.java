/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo.live;

import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import java.util.Locale;

/**
 * One event of one object at one stage of the pipeline. Immutable.
 *
 * @param stage the stage, numbered as in the tour
 * @param kind what happens to the object there, such as {@code added}, {@code merged} or {@code failed}
 * @param lane the resource, the queue or the controller
 * @param key namespace and name of the object
 * @param version the resource version; empty if it is not known
 * @param by the handler, the worker's key or the cause; empty for none
 */
public record Passage(Stage stage, String kind, String lane, String key, String version, String by) {

    /** The name in the key of an object that does not exist yet. */
    static final String NEW = "(new)";

    /** The stages. Their order is that of the pipeline. */
    public enum Stage {
        /** The server has executed a request. */
        SERVER,
        /** The reflector has read an event. */
        REFLECTOR,
        /** The store has the change. */
        STORE,
        /** A handler is called or has returned. */
        LISTENERS,
        /** A key waits in a work queue. */
        QUEUE,
        /** A worker has a key. */
        WORKERS,
        /** A worker writes. */
        WRITES
    }

    /**
     * Returns the key that decides whether a viewer receives it: for an object that does not exist yet, the key that
     * causes it.
     */
    String subject() {
        return key.endsWith(NEW) && !by.isEmpty() ? by.substring(by.indexOf(' ') + 1) : key;
    }

    /**
     * Returns it as the stream contains it.
     *
     * @param number the number of the passage
     * @param nanos the time since the start of the view
     */
    JsonObject json(long number, long nanos) {
        JsonObject json = JsonObject.EMPTY
                .with("n", number)
                .with("t", new JsonNumber(String.format(Locale.ROOT, "%.3f", nanos / 1e6)))
                .with("stage", stage.name().toLowerCase(Locale.ROOT))
                .with("kind", kind)
                .with("lane", lane)
                .with("key", key);
        json = version.isEmpty() ? json : json.with("version", version);
        return by.isEmpty() ? json : json.with("by", by);
    }
}
