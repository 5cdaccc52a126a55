package io.kubeloop.transport.memory.http;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads for requests: one for each while it lasts, virtual where the JVM has virtual threads. */
final class HttpThreads {

    private static final String PREFIX = "kubeloop-http-";

    private HttpThreads() {}

    static ExecutorService newExecutor() {
        try {
            return newVirtualExecutor();
        } catch (ReflectiveOperationException | UnsupportedOperationException e) {
            // Before Java 21 there are none, and platform threads do as well.
            return Executors.newCachedThreadPool(platformThreads());
        }
    }

    /** Reflection, because this is compiled for Java 17. */
    private static ExecutorService newVirtualExecutor() throws ReflectiveOperationException {
        Class<?> builderType = Class.forName("java.lang.Thread$Builder");
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        builder = builderType.getMethod("name", String.class, long.class).invoke(builder, PREFIX, 1L);
        ThreadFactory factory = (ThreadFactory) builderType.getMethod("factory").invoke(builder);
        return (ExecutorService) Executors.class
                .getMethod("newThreadPerTaskExecutor", ThreadFactory.class)
                .invoke(null, factory);
    }

    private static ThreadFactory platformThreads() {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, PREFIX + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
