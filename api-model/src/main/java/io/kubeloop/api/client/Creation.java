package io.kubeloop.api.client;

import io.kubeloop.api.ObjectIdentity;

/** Creates one more of the same object each time it is called; see {@link ResourceClient#prepareCreate}. Thread-safe. */
@FunctionalInterface
public interface Creation {

    /** Creates the object, and returns which one it has become: the server gives name and UID. Blocks. */
    ObjectIdentity create();
}
