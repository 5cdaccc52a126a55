package io.kubeloop.controller;

import io.kubeloop.api.client.ApiException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Errors as upstream words them: in events and conditions, where people and programs compare the text. */
public final class Errors {

    /** The cause by which a server refuses creations in a namespace that is being deleted. */
    public static final String NAMESPACE_TERMINATING = "NamespaceTerminating";

    private Errors() {}

    /**
     * Returns the text that goes into an event or a condition: the server's own words if it said any, else the
     * exception's message.
     */
    public static String text(Throwable error) {
        if (error instanceof ApiException refused && !refused.status().message().isEmpty()) {
            return refused.status().message();
        }
        String message = error.getMessage();
        return message == null ? error.toString() : message;
    }

    /** Returns whether a creation was refused because its namespace is being deleted. */
    public static boolean isNamespaceTerminating(Throwable error) {
        return error instanceof ApiException refused && refused.hasCause(NAMESPACE_TERMINATING);
    }

    /**
     * Returns whether the error is the server's way to say that the name which it has generated was taken, and that nothing
     * was created. Until v1.27 that came as 500, which else leaves open what has happened (upstream:
     * {@code rest.CheckGeneratedNameError}; no other error of a server names the HTTP method so); since then it is 409.
     */
    public static boolean isGeneratedNameTaken(Throwable error) {
        return error instanceof ApiException refused
                && refused.status().reason().equals("ServerTimeout")
                && refused.status().message().startsWith("The POST operation against ");
    }

    /**
     * Returns one error for many (upstream: {@code utilerrors.NewAggregate}): the error itself if there is one, else one
     * whose message lists the different texts and which carries all as suppressed.
     *
     * @throws IllegalArgumentException if there are none
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
