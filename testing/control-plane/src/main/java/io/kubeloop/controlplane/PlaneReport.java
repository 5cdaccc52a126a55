/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.storage.Snapshot;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A text about the state of a control plane for the log of a failed test: objects, events and requests, each with a
 * bound.
 *
 * @param backend the objects
 * @param since the revision before the test; older objects are not listed
 * @param requests the requests of the test
 */
record PlaneReport(ApiBackend backend, long since, List<RecordedRequest> requests) {

    private static final int OBJECTS = 60;
    private static final int EVENTS = 40;
    private static final int REQUESTS = 60;
    private static final int WIDTH = 400;

    /** One line of the report, in the order of the writes. */
    private record Line(long revision, String text) {}

    String text() {
        Snapshot now = backend.storage().snapshot();
        List<Line> objects = new ArrayList<>();
        List<Line> events = new ArrayList<>();
        for (ResourceStore store : backend.stores()) {
            boolean isEvent = store.type().plural().equals("events");
            for (StoredObject object : store.objects(now, "")) {
                if (object.revision() > since) {
                    (isEvent ? events : objects)
                            .add(new Line(object.revision(), isEvent ? event(object) : object(store, object)));
                }
            }
        }
        StringBuilder text = new StringBuilder();
        append(text, "objects", last(objects, OBJECTS), objects.size());
        append(text, "events", last(events, EVENTS), events.size());
        List<String> lines = requests.stream().map(PlaneReport::request).toList();
        append(text, "requests", lines.subList(Math.max(0, lines.size() - REQUESTS), lines.size()), lines.size());
        return text.toString();
    }

    private static List<String> last(List<Line> lines, int most) {
        lines.sort(Comparator.comparingLong(Line::revision));
        return lines.stream()
                .skip(Math.max(0, lines.size() - most))
                .map(Line::text)
                .toList();
    }

    private static void append(StringBuilder text, String title, List<String> lines, int of) {
        text.append("  ").append(title).append(" (");
        text.append(lines.size() < of ? "the last " + lines.size() + " of " + of : Integer.toString(of));
        text.append("):\n");
        lines.forEach(line -> text.append("    ").append(cut(line)).append('\n'));
    }

    private static String cut(String line) {
        return line.length() <= WIDTH ? line : line.substring(0, WIDTH) + "...";
    }

    private static String object(ResourceStore store, StoredObject object) {
        JsonObject tree = object.tree();
        String deleting = tree.string("metadata", "deletionTimestamp");
        JsonObject status = tree.object("status");
        return object.revision() + " " + store.type().kind() + " " + name(tree)
                + (deleting.isEmpty() ? "" : " deleting since " + deleting)
                + (status.members().isEmpty() ? "" : " status " + status);
    }

    private static String event(StoredObject object) {
        JsonObject tree = object.tree();
        String note = tree.string("message").isEmpty() ? tree.string("note") : tree.string("message");
        JsonObject about = tree.object("involvedObject").members().isEmpty()
                ? tree.object("regarding")
                : tree.object("involvedObject");
        return tree.string("type") + " " + tree.string("reason") + " " + about.string("kind") + " "
                + about.string("name") + ": " + note;
    }

    private static String name(JsonObject tree) {
        String namespace = tree.string("metadata", "namespace");
        return (namespace.isEmpty() ? "" : namespace + "/") + tree.string("metadata", "name");
    }

    private static String request(RecordedRequest request) {
        return DateTimeFormatter.ISO_INSTANT.format(request.at()) + " "
                + (request.code() == 0 ? "---" : Integer.toString(request.code())) + " "
                + request.method() + " " + request.path()
                + (request.query().isEmpty() ? "" : " " + request.query());
    }
}
