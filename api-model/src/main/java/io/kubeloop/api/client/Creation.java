package io.kubeloop.api.client;

import io.kubeloop.api.ObjectMeta;

/** Creates one more of the same object each time it is called; see {@link ResourceClient#prepareCreate}. Thread-safe. */
@FunctionalInterface
public interface Creation {

    /** Creates the object, and returns the metadata that the server has given it. Blocks. */
    ObjectMeta create();
}
