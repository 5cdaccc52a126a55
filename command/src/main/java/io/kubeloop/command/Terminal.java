/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.command;

import java.io.Console;
import java.lang.reflect.InvocationTargetException;

/** Detects an interactive terminal. Holds no state. */
public final class Terminal {

    private Terminal() {}

    /**
     * Returns whether standard output is a terminal that supports cursor movement. Since JDK 22 a console exists even
     * in a pipe, and {@code Console.isTerminal()} distinguishes the two; before, a console existed only on a terminal.
     */
    @SuppressWarnings("SystemConsoleNull") // isTerminal() is checked below
    public static boolean isInteractive() {
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
