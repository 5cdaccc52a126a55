package io.kubeloop.controller.events.correlation;

import io.kubeloop.api.core.Event;
import java.util.List;

/**
 * An event and what it is counted under.
 *
 * @param event the event, or the one that stands for it and those like it
 * @param key equal keys, one stored event
 */
public record KeyedEvent(Event event, List<String> key) {}
