/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.contender;

import java.util.List;
import java.util.ServiceLoader;

/**
 * A library with informers, found by {@link ServiceLoader}. It creates its parts as its own documentation recommends.
 */
public interface Contender {

    /** Returns the library's name in the parameter {@code library} of benchmarks. */
    String name();

    /**
     * Creates a store of pods with an index by namespace. It contains the first state of each of these pods.
     *
     * @throws UnsupportedOperationException if the library has no separate store
     */
    PodStore store(List<PodSeed> pods);

    /**
     * Creates a work queue.
     *
     * @throws UnsupportedOperationException if the library has none
     */
    KeyQueue queue();

    /**
     * Creates an informer of the pods of all namespaces, with one handler. The informer is not started.
     *
     * @param server the API server's address, without a trailing slash
     */
    PodInformer informer(String server, PodInformer.Listener listener);

    /**
     * Returns the library with this name.
     *
     * @throws IllegalArgumentException if it is not on the class path
     */
    static Contender named(String name) {
        return ServiceLoader.load(Contender.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(contender -> contender.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "Cannot find the library " + name + "; the profile -Ppeers adds the other libraries"));
    }
}
