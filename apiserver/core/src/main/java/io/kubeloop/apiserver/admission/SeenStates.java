/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.admission;

import java.util.HashSet;
import java.util.Set;

/**
 * The parts of a plug-in, such as webhooks, that have seen a state of the object that is no longer the present one
 * (upstream: {@code webhookReinvokeContext}). Used for one write, by the thread of the request.
 *
 * @param <K> identifies a part
 */
public final class SeenStates<K> {

    private final Set<K> seen = new HashSet<>();
    private final Set<K> outdated = new HashSet<>();

    /** No part has seen the object yet. */
    public SeenStates() {}

    /** Notes that a part has seen the present state, and must be called again after a change of it. */
    public void saw(K part) {
        seen.add(part);
    }

    /** Notes that the object has changed. */
    public void changed() {
        outdated.addAll(seen);
        seen.clear();
    }

    /** Returns whether the object has changed since a part saw it for the first time. */
    public boolean isOutdated(K part) {
        return outdated.contains(part);
    }
}
