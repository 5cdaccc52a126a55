/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.command;

import org.jspecify.annotations.Nullable;

/** A failure of a command at run time. Its message is the one line on standard error; the exit code is 1. */
public final class CommandException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CommandException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
