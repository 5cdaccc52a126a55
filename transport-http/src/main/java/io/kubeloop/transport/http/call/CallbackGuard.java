package io.kubeloop.transport.http.call;

import java.util.function.Consumer;

/** Runs code of the user, such as metrics and warning handlers, so that an exception cannot end a request. Stateless. */
final class CallbackGuard {

    private CallbackGuard() {}

    /**
     * Runs the code on the calling thread. Errors pass through; they are not the user code's own failures.
     *
     * @param failed receives an exception that the code has thrown
     */
    static void run(Runnable code, Consumer<RuntimeException> failed) {
        try {
            code.run();
        } catch (RuntimeException e) {
            failed.accept(e);
        }
    }
}
