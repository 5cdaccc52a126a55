package io.kubeloop.cache.dispatch;

/** What handlers are called in logs, health and metrics (upstream: {@code nameForHandler}, FH-03). */
public final class HandlerNames {

    private HandlerNames() {}

    /** Returns the name of the object's class without its package; of a lambda, the class that it is written in. */
    public static String of(Object handler) {
        String name = handler.getClass().getName();
        int lambda = name.indexOf("$$Lambda");
        if (lambda >= 0) {
            name = name.substring(0, lambda);
        }
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
