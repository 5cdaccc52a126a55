package io.kubeloop.controller.events.write;

import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.TransportException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the failure of an event's write means (EV-21, EN-04). */
public final class EventWriteErrors {

    private static final Logger LOG = LoggerFactory.getLogger(EventWriteErrors.class);

    private EventWriteErrors() {}

    /** Returns whether another try can help: no answer came, or one that makes no sense. A refusal is final. */
    public static boolean mayPass(Throwable error) {
        if (error instanceof TransportException failed) {
            return failed.kind() != TransportException.Kind.CONFIGURATION
                    && failed.kind() != TransportException.Kind.CLOSED;
        }
        return error instanceof DecodeException;
    }

    /** Says that an event was not written, loudly unless that is to be expected. */
    public static void logRefusal(String reason, RuntimeException error) {
        boolean expected = (error instanceof ApiException refused && refused.isAlreadyExists())
                || (error instanceof ApiException terminating && terminating.hasCause("NamespaceTerminating"));
        if (expected) {
            LOG.debug("Event {} refused: {}", reason, error.getMessage());
        } else {
            LOG.warn("Event {} refused (will not retry): {}", reason, error.getMessage());
        }
    }
}
