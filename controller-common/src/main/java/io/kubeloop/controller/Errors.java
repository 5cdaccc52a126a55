/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.TransportException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Error texts for events and conditions, equal to upstream's, because people and programs compare them. Stateless. */
public final class Errors {

    /** The cause of a rejected creation in a namespace that is being deleted. */
    public static final String NAMESPACE_TERMINATING = "NamespaceTerminating";

    private Errors() {}

    /**
     * Returns the text for an event or a condition: the server's message if there is one, else the exception's.
     */
    public static String text(Throwable error) {
        if (error instanceof ApiException refused && !refused.status().message().isEmpty()) {
            return refused.status().message();
        }
        String message = error.getMessage();
        return message == null ? error.toString() : message;
    }

    /** Returns whether the server rejected a creation because its namespace is being deleted. */
    public static boolean isNamespaceTerminating(Throwable error) {
        return error instanceof ApiException refused && refused.hasCause(NAMESPACE_TERMINATING);
    }

    /**
     * Returns whether the server rejected a creation because the name that it generated was taken. Nothing was
     * created then. Servers until v1.27 return 500 in this case, which otherwise leaves the outcome open (upstream:
     * {@code rest.CheckGeneratedNameError}); later ones return 409. No other error of a server begins with this text.
     */
    public static boolean isGeneratedNameTaken(Throwable error) {
        return error instanceof ApiException refused
                && refused.status().reason().equals("ServerTimeout")
                && refused.status().message().startsWith("The POST operation against ");
    }

    /**
     * Returns whether a write that failed may have been carried out: the server has not responded, or has failed
     * itself.
     */
    public static boolean isOutcomeUnknown(RuntimeException error) {
        Throwable cause = error instanceof ControllerException ? error.getCause() : error;
        if (cause instanceof ApiException refused) {
            return refused.code() >= 500 && !isGeneratedNameTaken(refused);
        }
        return !(cause instanceof TransportException broken) || broken.kind() != TransportException.Kind.CONNECT;
    }

    /**
     * Combines errors into one (upstream: {@code utilerrors.NewAggregate}). A single error is returned as it is.
     * Otherwise the message lists the distinct texts, and the other errors are suppressed in the result.
     *
     * @throws IllegalArgumentException if the list is empty
     */
    public static RuntimeException aggregate(List<? extends RuntimeException> errors) {
        if (errors.isEmpty()) {
            throw new IllegalArgumentException("no errors to aggregate");
        }
        if (errors.size() == 1) {
            return errors.get(0);
        }
        Set<String> texts = new LinkedHashSet<>();
        errors.forEach(error -> texts.add(text(error)));
        String message = String.join(", ", texts);
        ControllerException all =
                new ControllerException(texts.size() == 1 ? message : "[" + message + "]", errors.get(0));
        errors.stream().skip(1).forEach(all::addSuppressed);
        return all;
    }
}
