package io.kubeloop.app;

/**
 * A line of the table of controllers.
 *
 * @param name the name of old, such as {@code replicaset}
 * @param alias the name since Kubernetes 1.28, such as {@code replicaset-controller}
 * @param initializer makes and starts it
 */
record ControllerDescriptor(String name, String alias, ControllerInitializer initializer) {

    /** Returns whether this is one of its names. */
    boolean isCalled(String either) {
        return name.equals(either) || alias.equals(either);
    }
}
