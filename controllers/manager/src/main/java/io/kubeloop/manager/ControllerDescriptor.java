/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager;

import io.kubeloop.controller.Controller;
import io.kubeloop.controller.ControllerContext;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the table of controllers (upstream: {@code app.ControllerDescriptor}).
 *
 * @param name the name that Kubernetes uses since 1.28, such as {@code replicaset-controller}
 * @param alias the short name of older releases, such as {@code replicaset}; equal to the name if there is none
 * @param isOnByDefault whether {@code *} includes the controller
 * @param skipped the reason why a manager accepts the name and starts nothing; empty for a controller that runs
 * @param initializer creates and starts the controller
 */
public record ControllerDescriptor(
        String name, String alias, boolean isOnByDefault, String skipped, Initializer initializer) {

    /**
     * Checks the names.
     *
     * @throws IllegalArgumentException if a name is empty, has a comma, starts with {@code -} or is {@code *}, so
     *     no {@link ControllerSelection} can name it
     */
    public ControllerDescriptor {
        check(name);
        check(alias);
        Objects.requireNonNull(initializer, "initializer");
    }

    private static void check(String name) {
        if (name.isBlank() || name.equals("*") || name.startsWith("-") || name.contains(",")) {
            throw new IllegalArgumentException(
                    "a controller's name cannot be empty, '*', start with '-' or contain ',', got '" + name + "'");
        }
    }

    /** Creates an entry that {@code *} includes. */
    public ControllerDescriptor(String name, String alias, Initializer initializer) {
        this(name, alias, true, "", initializer);
    }

    /**
     * Returns an entry for a controller of Kubernetes that does not run here, so a selection can name it.
     *
     * @param why the reason, such as a feature gate that is off
     */
    static ControllerDescriptor skipped(String name, String alias, String why) {
        return new ControllerDescriptor(name, alias, true, why, (context, options) -> null);
    }

    /**
     * Returns an entry for a user's own controller, which {@code *} includes and which has no short name.
     *
     * @param name such as {@code card-controller}
     * @param workers the number of keys that the controller syncs at a time, at least 1
     * @param factory makes the controller; it registers its handlers and starts nothing
     */
    public static ControllerDescriptor of(
            String name, int workers, Function<ControllerContext, ? extends Controller> factory) {
        return new ControllerDescriptor(
                name, name, (context, options) -> ControllerTable.started(factory.apply(context), workers));
    }

    /** Returns whether the controller has this name or alias. */
    public boolean isCalled(String either) {
        return name.equals(either) || alias.equals(either);
    }

    /** Creates a controller and starts its workers (upstream: {@code app.InitFunc}). */
    @FunctionalInterface
    public interface Initializer {

        /**
         * Returns the started controller; null if the options disable it. Does not block: the workers wait for their
         * caches.
         */
        @Nullable
        Controller start(ControllerContext context, ControllerOptions options);
    }
}
