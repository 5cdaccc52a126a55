/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.statefulset;

import io.kubeloop.api.apps.StatefulSet;
import io.kubeloop.api.apps.StatefulSetOrdinals;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The numbers of pods: {@code web-3} is the pod with ordinal 3 of the set {@code web}. Stateless. */
final class Ordinals {

    /** The ordinal of a name without a number that fits. */
    static final int NONE = -1;

    private static final Pattern NAME = Pattern.compile("(.*)-([0-9]+)$");

    private Ordinals() {}

    /** Returns the name of the set that a pod's name belongs to; empty if it belongs to none. */
    static String setName(String pod) {
        Matcher name = NAME.matcher(pod);
        return name.find() ? name.group(1) : "";
    }

    /** Returns the ordinal in a pod's name; {@link #NONE} if there is none, or if it exceeds an int. */
    static int of(String pod) {
        Matcher name = NAME.matcher(pod);
        if (!name.find()) {
            return NONE;
        }
        try {
            return Integer.parseInt(name.group(2));
        } catch (NumberFormatException e) {
            return NONE;
        }
    }

    /** Returns the name of a set's pod. */
    static String podName(StatefulSet set, int ordinal) {
        return set.metadata().name() + "-" + ordinal;
    }

    /** Returns the ordinal of the first pod. */
    static int start(StatefulSet set) {
        StatefulSetOrdinals ordinals = set.spec().ordinals();
        return ordinals == null ? 0 : ordinals.start();
    }

    /** Returns the wanted number of pods. */
    static int replicas(StatefulSet set) {
        Integer replicas = set.spec().replicas();
        return replicas == null ? 1 : replicas;
    }

    /** Returns whether the set wants a pod with this ordinal. */
    static boolean isWanted(StatefulSet set, int ordinal) {
        int start = start(set);
        return ordinal >= start && ordinal < start + replicas(set);
    }
}
