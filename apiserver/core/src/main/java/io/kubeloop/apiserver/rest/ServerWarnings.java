/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.rest;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Collects the warnings of one request, which clients show to their users (upstream: {@code apiserver/pkg/warning}).
 * Repeated texts count once. Confined to the thread of the request.
 */
public final class ServerWarnings {

    private final Set<String> texts = new LinkedHashSet<>();

    /** Adds a warning. */
    public void add(String text) {
        texts.add(text);
    }

    /** Adds warnings. */
    public void addAll(List<String> added) {
        texts.addAll(added);
    }

    /** Returns the warnings in the order in which they were added. Copies. */
    public List<String> texts() {
        return List.copyOf(texts);
    }
}
