/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.codec;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ListMeta;
import io.kubeloop.api.ListMetaBuilder;
import io.kubeloop.json.record.RecordAdapter;
import io.kubeloop.json.record.RecordReader;
import io.kubeloop.json.scan.JsonScanner;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Reads one list, element by element. It releases the bytes of an element before it reads the next.
 *
 * <p>Confined to one thread.
 */
public final class ListDecoder<T extends KubeObject> {

    private static final ListMeta NO_METADATA = ListMetaBuilder.builder().build();

    private final RecordReader reader;
    private final Function<RecordReader, T> element;
    private final String kind;
    private ListMeta metadata = NO_METADATA;
    private final List<T> items = new ArrayList<>();

    /**
     * Makes a decoder for one document.
     *
     * @param element reads the element that comes next
     * @param kind the kind of the elements; empty for any kind
     */
    public ListDecoder(RecordReader reader, Function<RecordReader, T> element, String kind) {
        this.reader = reader;
        this.element = element;
        this.kind = kind;
    }

    /** Reads the list. */
    public KubeList<T> decode(InputStream in) {
        JsonScanner json = reader.open(in);
        json.beginObject();
        while (json.hasNextMember()) {
            int from = json.name();
            switch (json.text(from, json.nameEnd())) {
                case "kind" -> readKind(json);
                case "metadata" -> metadata = reader.record(RecordAdapter.of(ListMeta.class));
                case "items" -> readItems(json);
                default -> json.skipValue();
            }
        }
        json.end();
        return new KubeList<>(metadata, items);
    }

    private void readKind(JsonScanner json) {
        if (json.takeNull()) {
            return;
        }
        int from = json.string("a string");
        String listKind = json.text(from, json.position() - 1);
        if (!kind.isEmpty() && !listKind.equals(kind + "List") && !listKind.equals("List")) {
            throw json.expected("\"" + kind + "List\"", from - 1, null);
        }
    }

    private void readItems(JsonScanner json) {
        items.clear();
        if (json.takeNull()) {
            return;
        }
        json.beginArray();
        while (json.hasNextElement()) {
            json.startHere("$.items", items.size(), false);
            items.add(element.apply(reader));
        }
        json.startHere("$", -1, true);
    }
}
