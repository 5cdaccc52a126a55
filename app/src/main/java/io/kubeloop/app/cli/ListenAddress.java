package io.kubeloop.app.cli;

/** Where to listen, as the command line says it. */
public final class ListenAddress {

    private ListenAddress() {}

    /**
     * Checks that a number can be a port; 0 stands for any.
     *
     * @throws UsageException if it cannot
     */
    public static void checkPort(String flag, int port) {
        if (port < 0 || port > 65535) {
            throw new UsageException(flag + " must be 0 to 65535, got " + port);
        }
    }

    /**
     * Checks that there is an address; which it is, only the attempt to listen there can tell.
     *
     * @throws UsageException if it is empty, as a variable is that nobody has set
     */
    public static void checkAddress(String flag, String address) {
        if (address.isBlank()) {
            throw new UsageException(flag + " must not be empty");
        }
    }
}
