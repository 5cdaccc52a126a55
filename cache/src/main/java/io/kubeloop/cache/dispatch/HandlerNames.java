/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.dispatch;

import java.util.regex.Pattern;

/** Derives the names of handlers in logs, health and metrics (upstream: {@code nameForHandler}). */
public final class HandlerNames {

    private HandlerNames() {}

    /** The numbers of anonymous and local classes in binary names, and the suffix of lambdas. */
    private static final Pattern WITHOUT_NAME = Pattern.compile("\\$\\$Lambda.*|\\$\\d+");

    /**
     * Returns the name of the object's class without its package, such as {@code DisruptionController.PodHandler}; for
     * a lambda or an object of an anonymous class, the class that contains it.
     */
    public static String of(Object handler) {
        String name = WITHOUT_NAME.matcher(handler.getClass().getName()).replaceAll("");
        return name.substring(name.lastIndexOf('.') + 1).replace('$', '.');
    }
}
