/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.podsecurity;

import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.kinds.podsecurity.PodSecurityLevel.Level;
import io.kubeloop.apiserver.kinds.podsecurity.PodSecurityLevel.Mode;
import io.kubeloop.json.tree.JsonObject;

/**
 * The levels of a namespace (upstream: {@code api.Policy}).
 *
 * @param enforce the level whose violations are rejected
 * @param audit the level whose violations are audited
 * @param warn the level whose violations are warned of
 */
record PodSecurityLevels(PodSecurityLevel enforce, PodSecurityLevel audit, PodSecurityLevel warn) {

    private static final String PREFIX = "pod-security.kubernetes.io/";
    private static final PodSecurityLevels PRIVILEGED =
            new PodSecurityLevels(PodSecurityLevel.DEFAULT, PodSecurityLevel.DEFAULT, PodSecurityLevel.DEFAULT);

    /** Returns the levels in the member {@code defaults} of a configuration. */
    static PodSecurityLevels ofDefaults(JsonObject defaults, FieldErrors errors) {
        return read(defaults, "", PRIVILEGED, errors);
    }

    /** Returns the levels of a namespace with these labels; invalid labels are added to the errors. */
    static PodSecurityLevels of(JsonObject labels, PodSecurityLevels defaults, FieldErrors errors) {
        PodSecurityLevels stated = read(labels, PREFIX, defaults, errors);
        boolean enforces = Level.of(labels.string(PREFIX + Mode.ENFORCE)) != null;
        if (labels.has(PREFIX + Mode.WARN)
                || !enforces
                || stated.enforce.level().compareTo(stated.warn.level()) <= 0) {
            return stated;
        }
        // A client is warned of what is enforced, unless the labels state something else.
        boolean ownVersion = labels.has(PREFIX + Mode.WARN + "-version");
        return new PodSecurityLevels(
                stated.enforce,
                stated.audit,
                new PodSecurityLevel(
                        stated.enforce.level(), ownVersion ? stated.warn.version() : stated.enforce.version()));
    }

    private static PodSecurityLevels read(
            JsonObject labels, String prefix, PodSecurityLevels defaults, FieldErrors errors) {
        return new PodSecurityLevels(
                PodSecurityLevel.read(labels, prefix, Mode.ENFORCE, defaults.enforce, errors),
                PodSecurityLevel.read(labels, prefix, Mode.AUDIT, defaults.audit, errors),
                PodSecurityLevel.read(labels, prefix, Mode.WARN, defaults.warn, errors));
    }

    /** Returns the levels that are not privileged and have a label, for a message. */
    String described(JsonObject labels) {
        StringBuilder text = new StringBuilder();
        for (Mode mode : Mode.values()) {
            PodSecurityLevel level = mode == Mode.ENFORCE ? enforce : mode == Mode.AUDIT ? audit : warn;
            boolean stated = labels.has(PREFIX + mode) || labels.has(PREFIX + mode + "-version");
            if (stated && !level.isPrivileged()) {
                text.append(text.length() == 0 ? "" : ", ")
                        .append(mode)
                        .append('=')
                        .append(level);
            }
        }
        return text.toString();
    }

    boolean arePrivileged() {
        return enforce.isPrivileged() && audit.isPrivileged() && warn.isPrivileged();
    }
}
