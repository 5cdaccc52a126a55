package io.kubeloop.jmh.contender;

import java.util.List;
import java.util.ServiceLoader;

/** A library with informers, found by {@link ServiceLoader}. What it makes is made as its own documentation tells users to. */
public interface Contender {

    /** Returns what the parameter {@code library} of a benchmark calls it. */
    String name();

    /**
     * Makes a store of pods with an index by namespace that holds the first state of each of these.
     *
     * @throws UnsupportedOperationException if the library has none that stands alone
     */
    PodStore store(List<PodSeed> pods);

    /**
     * Makes a work queue.
     *
     * @throws UnsupportedOperationException if the library has none
     */
    KeyQueue queue();

    /**
     * Makes an informer of the pods of all namespaces, with one handler, that has not been started.
     *
     * @param server the API server's address, without a slash at its end
     */
    PodInformer informer(String server, PodInformer.Listener listener);

    /**
     * Returns the one with this name.
     *
     * @throws IllegalArgumentException if it is not on the class path
     */
    static Contender named(String name) {
        return ServiceLoader.load(Contender.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(contender -> contender.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no library " + name + " here; those of others are built with -Ppeers"));
    }
}
