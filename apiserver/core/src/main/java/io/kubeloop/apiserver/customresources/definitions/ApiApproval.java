/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import com.google.re2j.Pattern;
import io.kubeloop.apiserver.customresources.definitions.DefinitionConditions.Condition;
import io.kubeloop.apiserver.customresources.values.UriFormat;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import org.jspecify.annotations.Nullable;

/**
 * The policy for groups of the Kubernetes community: an annotation must name the approval of the API (upstream: {@code
 * pkg/apihelpers}). Static functions only.
 */
final class ApiApproval {

    private static final String ANNOTATION = "api-approved.kubernetes.io";
    private static final String PATH = "metadata.annotations[" + ANNOTATION + "]";
    private static final String SEE = "see https://github.com/kubernetes/enhancements/pull/1111";
    private static final Pattern URL = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*://[^/?]+.*");

    private enum State {
        INVALID("False", "InvalidAnnotation"),
        APPROVED("True", "ApprovedAnnotation"),
        BYPASSED("False", "UnapprovedAnnotation"),
        MISSING("False", "MissingAnnotation");

        private final String status;
        private final String reason;

        State(String status, String reason) {
            this.status = status;
            this.reason = reason;
        }
    }

    private ApiApproval() {}

    private static boolean isProtected(Crd definition) {
        String group = "." + definition.group();
        return group.endsWith(".k8s.io") || group.endsWith(".kubernetes.io");
    }

    private static String annotation(Crd definition) {
        return definition.object().string("metadata", "annotations", ANNOTATION);
    }

    private static State state(String annotation) {
        if (annotation.isEmpty()) {
            return State.MISSING;
        }
        if (annotation.startsWith("unapproved")) {
            return State.BYPASSED;
        }
        boolean url =
                UriFormat.isRequestUri(annotation) && URL.matcher(annotation).matches();
        return url ? State.APPROVED : State.INVALID;
    }

    private static String message(State state, String annotation) {
        String required = "protected groups must have approval annotation \"" + ANNOTATION + "\"";
        return switch (state) {
            case MISSING -> required + ", " + SEE;
            case INVALID -> required + " with either a URL or a reason starting with \"unapproved\", " + SEE;
            case BYPASSED -> "not approved: \"" + annotation + "\"";
            case APPROVED -> "approved in " + annotation;
        };
    }

    /** Adds the error of the annotation; none if its state has not changed. */
    static void check(Crd definition, @Nullable Crd old, FieldErrors errors) {
        if (!isProtected(definition)) {
            return;
        }
        String annotation = annotation(definition);
        State state = state(annotation);
        if (old != null && state(annotation(old)) == state) {
            return;
        }
        if (state == State.INVALID) {
            errors.invalid(PATH, annotation, message(state, annotation));
        } else if (state == State.MISSING) {
            errors.required(PATH, message(state, annotation));
        }
    }

    /** Returns the condition that states the approval; null for a group that needs none. */
    static @Nullable Condition condition(Crd definition) {
        if (!isProtected(definition)) {
            return null;
        }
        String annotation = annotation(definition);
        State state = state(annotation);
        return new Condition(DefinitionConditions.APPROVED, state.status, state.reason, message(state, annotation));
    }
}
