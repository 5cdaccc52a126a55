/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Creates a controller of an optional module. A manager finds it with {@link ServiceLoader}, and runs without the
 * controller if the module is absent. Implementations must be thread-safe.
 */
public interface ControllerProvider {

    /** Returns the name of the controller in a manager's table. */
    String name();

    /** Creates the controller, registered with its informers and not started. */
    Controller create(ControllerContext context);

    /** Returns the provider of a controller; empty if its module is absent. Loads the providers at each call. */
    static Optional<ControllerProvider> find(String name) {
        return ServiceLoader.load(ControllerProvider.class, ControllerProvider.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals(name))
                .findFirst();
    }
}
