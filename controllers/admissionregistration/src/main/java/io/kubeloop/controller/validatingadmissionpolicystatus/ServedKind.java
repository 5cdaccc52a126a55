/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.validatingadmissionpolicystatus;

import java.util.Comparator;

/**
 * A kind in one version. Immutable; sorted by group, version and kind.
 *
 * @param group the API group; empty for the core group
 * @param version such as {@code v1}
 * @param kind such as {@code Deployment}
 */
record ServedKind(String group, String version, String kind) implements Comparable<ServedKind> {

    private static final Comparator<ServedKind> ORDER = Comparator.comparing(ServedKind::group)
            .thenComparing(ServedKind::version)
            .thenComparing(ServedKind::kind);

    @Override
    public int compareTo(ServedKind other) {
        return ORDER.compare(this, other);
    }

    /** Returns the form of upstream's messages. */
    @Override
    public String toString() {
        return group + "/" + version + ", Kind=" + kind;
    }
}
