package io.kubeloop.jmh.contender;

/** An informer of pods. */
public interface PodInformer extends AutoCloseable {

    /** Its handler. Called by one thread at a time. */
    interface Listener {

        /** A pod appeared. */
        void added();

        /** A pod changed. */
        void updated();
    }

    /** Lists and watches, on threads of its own. */
    void start();

    /** Ends it, with all it opened. */
    @Override
    void close();
}
