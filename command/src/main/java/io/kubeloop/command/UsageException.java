/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.command;

/** Wrong usage of the command line. The exit code is 2. */
public final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }
}
