package io.kubeloop.cache.dispatch;

/** The names of handlers in logs, health and metrics (upstream: {@code nameForHandler}). */
public final class HandlerNames {

    private HandlerNames() {}

    /** Returns the name of the object's class without its package; for a lambda, the class that contains it. */
    public static String of(Object handler) {
        String name = handler.getClass().getName();
        int lambda = name.indexOf("$$Lambda");
        if (lambda >= 0) {
            name = name.substring(0, lambda);
        }
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
