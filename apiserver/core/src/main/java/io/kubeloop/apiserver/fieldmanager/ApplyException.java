/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import java.util.List;

/** The reason why an apply is rejected. The message is the one of kube-apiserver. */
public final class ApplyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The kinds of failures. */
    public enum Reason {
        /** The configuration is not one of this object. */
        BAD_REQUEST,
        /** Other managers own fields that the configuration changes. */
        CONFLICT,
        /** The configuration or the stored object does not fit the schema. */
        FAILED
    }

    private final Reason reason;
    private final transient List<Conflict> conflicts;

    /**
     * A field that the configuration changes and another manager owns.
     *
     * @param manager the description of the other manager, such as <code>"web" using apps/v1</code>
     * @param path the field
     */
    public record Conflict(String manager, FieldPath path) {}

    private ApplyException(Reason reason, String message, List<Conflict> conflicts) {
        super(message);
        this.reason = reason;
        this.conflicts = List.copyOf(conflicts);
    }

    static ApplyException badRequest(String message) {
        return new ApplyException(Reason.BAD_REQUEST, message, List.of());
    }

    static ApplyException failed(String message) {
        return new ApplyException(Reason.FAILED, message, List.of());
    }

    static ApplyException conflicting(List<Conflict> conflicts) {
        return new ApplyException(Reason.CONFLICT, describe(conflicts), conflicts);
    }

    private static String describe(List<Conflict> conflicts) {
        if (conflicts.size() == 1) {
            Conflict conflict = conflicts.get(0);
            return "Apply failed with 1 conflict: conflict with " + conflict.manager() + ": " + conflict.path();
        }
        StringBuilder text = new StringBuilder("Apply failed with " + conflicts.size() + " conflicts: ");
        String manager = null;
        for (Conflict conflict : conflicts) {
            if (!conflict.manager().equals(manager)) {
                text.append(manager == null ? "" : "\n")
                        .append("conflicts with ")
                        .append(conflict.manager())
                        .append(':');
                manager = conflict.manager();
            }
            text.append("\n- ").append(conflict.path());
        }
        return text.toString();
    }

    /** Returns the kind of the failure. */
    public Reason reason() {
        return reason;
    }

    /** Returns the conflicts, sorted by manager; empty for other failures. */
    public List<Conflict> conflicts() {
        return conflicts;
    }
}
