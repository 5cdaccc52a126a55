package io.kubeloop.controller.events;

import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.selector.FieldSelector;
import io.kubeloop.api.selector.FieldSelector.Requirement;
import java.util.ArrayList;
import java.util.List;

/** Selects the events about an object (upstream: {@code GetFieldSelector} of {@code client-go/tools/events}). Stateless. */
public final class EventFieldSelectors {

    private EventFieldSelectors() {}

    /**
     * Returns a selector for lists and watches of events.
     *
     * @param events the resource of the request, of {@code v1}, {@code events.k8s.io/v1} or {@code events.k8s.io/v1beta1}
     * @param regarding the object; its name, kind, API version and UID are selected on unless they are empty. The
     * namespace is that of the request
     * @throws IllegalArgumentException if {@code events} is none of these
     */
    public static FieldSelector about(ResourceType<?> events, ObjectReference regarding) {
        String prefix = prefix(events.apiVersion());
        List<Requirement> requirements = new ArrayList<>();
        require(requirements, prefix + ".apiVersion", regarding.apiVersion());
        require(requirements, prefix + ".kind", regarding.kind());
        require(requirements, prefix + ".name", regarding.name());
        require(requirements, prefix + ".uid", regarding.uid());
        return new FieldSelector(requirements);
    }

    private static String prefix(String apiVersion) {
        return switch (apiVersion) {
            case "v1" -> "involvedObject";
            case "events.k8s.io/v1", "events.k8s.io/v1beta1" -> "regarding";
            default ->
                throw new IllegalArgumentException("there are no events in " + apiVersion
                        + ", only in v1, events.k8s.io/v1 and events.k8s.io/v1beta1");
        };
    }

    private static void require(List<Requirement> requirements, String field, String value) {
        if (!value.isEmpty()) {
            requirements.add(new Requirement(field, false, value));
        }
    }
}
