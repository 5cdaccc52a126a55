package io.kubeloop.app.demo;

import java.io.Console;
import java.lang.reflect.InvocationTargetException;

/** Whether somebody is watching. */
final class Terminal {

    private Terminal() {}

    /**
     * Returns whether standard output is a terminal that understands cursor movement. From JDK 22 on there is a console
     * even in a pipe, and {@code Console.isTerminal()} tells; before, having one was the answer.
     */
    @SuppressWarnings("SystemConsoleNull") // what is asked below
    static boolean isInteractive() {
        Console console = System.console();
        String term = System.getenv("TERM");
        if (console == null || term == null || term.equals("dumb")) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException e) {
            return true;
        } catch (IllegalAccessException | InvocationTargetException e) {
            return false;
        }
    }
}
