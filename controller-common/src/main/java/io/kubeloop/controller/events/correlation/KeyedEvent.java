/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events.correlation;

import io.kubeloop.api.core.Event;
import java.util.List;

/**
 * An event and the key under which it is counted.
 *
 * @param event the event, or the combined event for it and similar ones
 * @param key events with equal keys are stored as one event
 */
public record KeyedEvent(Event event, List<String> key) {}
