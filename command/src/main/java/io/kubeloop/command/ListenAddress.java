/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.command;

/** Checks the flags that name the address of a server. */
public final class ListenAddress {

    private ListenAddress() {}

    /**
     * Checks that a number is a port. 0 selects a free port.
     *
     * @throws UsageException if the number is not between 0 and 65535
     */
    public static void checkPort(String flag, int port) {
        if (port < 0 || port > 65535) {
            throw new UsageException(flag + " must be 0 to 65535, got " + port);
        }
    }

    /**
     * Checks that an address is not empty. Only the attempt to listen can check more.
     *
     * @throws UsageException if the address is empty, for example because a shell variable is not set
     */
    public static void checkAddress(String flag, String address) {
        if (address.isBlank()) {
            throw new UsageException(flag + " must not be empty");
        }
    }
}
