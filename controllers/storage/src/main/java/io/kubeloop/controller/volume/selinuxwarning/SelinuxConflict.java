/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.selinuxwarning;

import io.kubeloop.api.ObjectName;

/**
 * What keeps a pod from sharing a volume with another pod. Immutable.
 *
 * @param property what the pods differ in
 * @param pod the pod that is told
 * @param value its value
 * @param other the other pod
 * @param otherValue the value of that pod
 */
record SelinuxConflict(Property property, ObjectName pod, String value, ObjectName other, String otherValue) {

    /** What two pods can differ in. */
    enum Property {
        LABEL("SELinuxLabel"),
        CHANGE_POLICY("SELinuxChangePolicy");

        private final String text;

        Property(String text) {
            this.text = text;
        }

        /** Returns the name in messages and metrics. */
        String text() {
            return text;
        }
    }

    String reason() {
        return property.text() + "Conflict";
    }

    /** Returns the message for the pod, which names no pod of another namespace. */
    String message() {
        String name = property.text();
        String what;
        if (pod.namespace().equals(other.namespace())) {
            what = name + " \"" + value + "\" conflicts with pod " + other.name()
                    + " that uses the same volume as this pod with " + name + " \"" + otherValue + "\"";
        } else {
            what = name + "\"" + value
                    + "\" conflicts with another pod that uses the same volume as this pod with a different " + name;
        }
        return what + ". If both pods land on the same node, only one of them may access the volume.";
    }

    SelinuxConflict reversed() {
        return new SelinuxConflict(property, other, otherValue, pod, value);
    }

    boolean concerns(ObjectName name) {
        return pod.equals(name) || other.equals(name);
    }
}
