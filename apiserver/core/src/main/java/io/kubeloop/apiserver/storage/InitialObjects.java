/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The objects with which a watch begins, in the state of its start. A watch whose client does not read would hold that
 * state, whatever is written later. So it expires together with the events that follow it: while it has not, the log
 * holds the difference anyway. One thread reads; {@link #expire} runs on any.
 */
final class InitialObjects {

    private final long position;
    private volatile @Nullable Iterator<StoredObject> rest;
    private boolean exhausted;

    /**
     * Creates the objects.
     *
     * @param position the position in the log after the state
     */
    InitialObjects(long position, Iterator<StoredObject> objects) {
        this.position = position;
        this.rest = objects;
    }

    /** Returns the position in the log after the state. */
    long position() {
        return position;
    }

    /** Releases the state. */
    void expire() {
        rest = null;
    }

    /** Returns whether the state was released before all its objects were read. */
    boolean hasExpired() {
        return !exhausted && rest == null;
    }

    /** Returns the next object; null if there is none, or the state has expired. */
    @Nullable
    StoredObject next() {
        Iterator<StoredObject> left = rest;
        if (left == null) {
            return null;
        }
        if (left.hasNext()) {
            return left.next();
        }
        exhausted = true;
        rest = null;
        return null;
    }
}
