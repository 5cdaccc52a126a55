/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.typed;

import io.kubeloop.json.gotext.GoText;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The unknown and duplicate fields of a document, and the path of the current value. Confined to one thread. */
final class StrictErrors {

    /** An instance that collects nothing. Immutable, and therefore thread-safe. */
    static final StrictErrors OFF = new StrictErrors(1);

    private static final int MOST = 100;

    private final StringBuilder path = new StringBuilder();
    private final Set<String> errors = new LinkedHashSet<>();
    private int suspended;

    StrictErrors() {
        this(0);
    }

    private StrictErrors(int suspended) {
        this.suspended = suspended;
    }

    List<String> errors() {
        return new ArrayList<>(errors);
    }

    /** Stops the collection of errors until {@link #resume}. */
    void suspend() {
        suspended++;
    }

    void resume() {
        suspended--;
    }

    int length() {
        return path.length();
    }

    void push(String name) {
        if (suspended > 0) {
            return;
        }
        if (path.length() > 0) {
            path.append('.');
        }
        path.append(name);
    }

    void push(int index) {
        if (suspended == 0) {
            path.append('[').append(index).append(']');
        }
    }

    void truncate(int length) {
        if (suspended == 0) {
            path.setLength(length);
        }
    }

    void unknown(String name) {
        add("unknown field ", name);
    }

    void duplicate(String name) {
        add("duplicate field ", name);
    }

    private void add(String what, String name) {
        if (suspended == 0 && errors.size() < MOST) {
            errors.add(what + GoText.quoted(path.length() == 0 ? name : path + "." + name));
        }
    }
}
