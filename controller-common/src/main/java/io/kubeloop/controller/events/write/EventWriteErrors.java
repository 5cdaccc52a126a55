/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events.write;

import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.TransportException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Classifies failed writes of events. Stateless. */
public final class EventWriteErrors {

    private static final Logger LOG = LoggerFactory.getLogger(EventWriteErrors.class);

    private EventWriteErrors() {}

    /** Returns whether another try can help: no response arrived, or a malformed one. A rejection is final. */
    public static boolean mayPass(Throwable error) {
        if (error instanceof TransportException failed) {
            return failed.kind() != TransportException.Kind.CONFIGURATION
                    && failed.kind() != TransportException.Kind.CLOSED;
        }
        return error instanceof DecodeException;
    }

    /** Logs a rejected event: as a warning, or at debug level if the rejection is expected. */
    public static void logRefusal(String reason, RuntimeException error) {
        boolean expected = (error instanceof ApiException refused && refused.isAlreadyExists())
                || (error instanceof ApiException terminating && terminating.hasCause("NamespaceTerminating"));
        if (expected) {
            LOG.debug("The server rejected event {}: {}", reason, error.getMessage());
        } else {
            LOG.warn("The server rejected event {}, it is not retried: {}", reason, error.getMessage());
        }
    }
}
