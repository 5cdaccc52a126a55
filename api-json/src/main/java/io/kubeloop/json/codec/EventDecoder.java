/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.codec;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.Status;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.json.record.RecordAdapter;
import io.kubeloop.json.record.RecordReader;
import io.kubeloop.json.scan.JsonScanner;
import java.util.function.Function;

/**
 * Reads one frame of a watch, {@code {"type":"ADDED","object":{...}}}. It needs one pass when the type comes first, as
 * in the frames of all known servers. Otherwise it skips the object, and reads it when the type is known.
 *
 * <p>Confined to one thread.
 */
public final class EventDecoder<T extends KubeObject> {

    private static final int UNSEEN = -1;

    private final RecordReader reader;
    private final Function<RecordReader, T> object;

    /**
     * Makes a decoder for one document.
     *
     * @param object reads the object that comes next
     */
    public EventDecoder(RecordReader reader, Function<RecordReader, T> object) {
        this.reader = reader;
        this.object = object;
    }

    /** Reads the frame in this part of the array. */
    public WatchEvent<T> decode(byte[] array, int from, int length) {
        JsonScanner json = reader.open(array, from, length);
        int typeAt = UNSEEN;
        int objectAt = UNSEEN;
        String eventType = "";
        WatchEvent<T> event = null;
        json.beginObject();
        while (json.hasNextMember()) {
            int name = json.name();
            switch (reader.text(name, json.nameEnd())) {
                case "type" -> {
                    json.token();
                    typeAt = json.position();
                    int text = json.string("a string");
                    eventType = reader.text(text, json.position() - 1);
                }
                case "object" -> {
                    json.token();
                    objectAt = json.position();
                    if (typeAt == UNSEEN) {
                        json.skipValue();
                    } else {
                        event = event(json, eventType, typeAt);
                    }
                }
                default -> json.skipValue();
            }
        }
        json.end();
        if (typeAt == UNSEEN || objectAt == UNSEEN) {
            throw json.expected("a watch event with \"type\" and \"object\"", 0, null);
        }
        if (event == null) {
            json.rewind(objectAt);
            event = event(json, eventType, typeAt);
        }
        return event;
    }

    private WatchEvent<T> event(JsonScanner json, String eventType, int typeAt) {
        if (json.token() != '{') {
            throw json.expected("an object");
        }
        return switch (eventType) {
            case "ADDED" -> new WatchEvent.Added<>(object());
            case "MODIFIED" -> new WatchEvent.Modified<>(object());
            case "DELETED" -> new WatchEvent.Deleted<>(object());
            case "BOOKMARK" ->
                new WatchEvent.Bookmark<>(reader.object(RecordAdapter.of(GenericObject.class), "", "")
                        .metadata());
            case "ERROR" -> new WatchEvent.Failed<>(reader.record(RecordAdapter.of(Status.class)));
            default ->
                throw json.expected(
                        "the type of a watch event (ADDED, MODIFIED, DELETED, BOOKMARK, ERROR)", typeAt, null);
        };
    }

    private T object() {
        return object.apply(reader);
    }
}
