/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.json.tree.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Validation of Events in the form of the core group (upstream: {@code pkg/apis/core/validation/events.go}). */
public final class EventRules {

    private static final int MAX_TEXT = 128;
    private static final int MAX_NOTE = 1024;

    /** The fields of an event of {@code events.k8s.io} that cannot change, in upstream's order. */
    private static final List<String> CONTENT = List.of(
            "reason", "message", "source", "firstTimestamp", "lastTimestamp", "count", "type", "eventTime", "action");

    private EventRules() {}

    /** Validates an event of the core group. */
    public static void event(FieldCursor event) {
        legacy(event, "reportingComponent");
    }

    private static void legacy(FieldCursor event, String reporterName) {
        String involved = event.at("involvedObject", "namespace").text();
        String namespace = event.at("metadata", "namespace").text();
        boolean isNew = event.at("eventTime").isSet();
        // Events about cluster-scoped objects are in the namespace default; those of the newer API may also be in
        // kube-system.
        boolean matches = involved.isEmpty()
                ? namespace.equals("default") || (isNew && namespace.equals("kube-system"))
                : isNew || involved.equals(namespace);
        if (!matches) {
            event.at("involvedObject", "namespace").holdingText().invalid("does not match event.namespace");
        }
        if (isNew) {
            FieldCursor reporter = event.at("reportingComponent").named(reporterName);
            reporter.require();
            reporter.follows(NameValidation::qualifiedName);
            for (String field : List.of("reportingInstance", "action", "reason")) {
                event.at(field).require();
                atMost(event.at(field), MAX_TEXT);
            }
            atMost(event.at("message"), MAX_NOTE);
        }
    }

    private static void atMost(FieldCursor field, int most) {
        if (field.text().getBytes(StandardCharsets.UTF_8).length > most) {
            hidden(field, "can have at most " + most + " characters");
        }
    }

    /** Adds an error that does not show the value. */
    private static void hidden(FieldCursor field, String problem) {
        field.holding(new JsonString("")).invalid(problem);
    }

    /** Validates an event that is created through {@code events.k8s.io}. */
    public static void newerEvent(FieldCursor event) {
        series(event);
        event.at("eventTime").require();
        String type = event.at("type").text();
        if (!type.equals("Normal") && !type.equals("Warning")) {
            hidden(event.at("type"), "has invalid value: " + type);
        }
        for (String field : List.of("firstTimestamp", "lastTimestamp", "count")) {
            if (event.at(field).isSet()) {
                hidden(event.at(field), "needs to be unset");
            }
        }
        if (!event.at("source").isEmpty()) {
            hidden(event.at("source"), "needs to be unset");
        }
    }

    private static void series(FieldCursor event) {
        event.at("series").ifSet(series -> {
            if (series.at("count").number() < 2) {
                hidden(series.at("count"), "should be at least 2");
            }
            series.at("lastObservedTime").require();
        });
    }

    /** Validates an event that is written through {@code events.k8s.io}. */
    public static void newer(FieldCursor event) {
        legacy(event, "reportingController");
    }

    /** Validates the change of an event through {@code events.k8s.io}: only its series may change. */
    public static void newerUpdate(FieldCursor event, FieldCursor old, Part part) {
        if (!event.at("series").isSameAs(old.at("series"))) {
            series(event);
        }
        reference(event.at("involvedObject"), old.at("involvedObject"));
        for (String field : CONTENT) {
            same(event.at(field), old.at(field));
        }
        reference(event.at("related"), old.at("related"));
        same(event.at("reportingComponent").named("reportingController"), old.at("reportingComponent"));
        same(event.at("reportingInstance"), old.at("reportingInstance"));
    }

    private static void reference(FieldCursor reference, FieldCursor old) {
        if (!reference.isSameAs(old)) {
            InternalForm.shown("core.v1.ObjectReference", reference).invalid("field is immutable");
        }
    }

    private static void same(FieldCursor field, FieldCursor old) {
        if (!field.isSameAs(old)) {
            boolean isText = old.value() instanceof JsonString && !old.path().endsWith("Time");
            FieldCursor shown =
                    field.path().equals("source") ? InternalForm.shown("core.v1.EventSource", field) : field;
            (isText ? field.holdingText() : shown).invalid("field is immutable");
        }
    }
}
