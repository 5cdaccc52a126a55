package io.kubeloop.app;

/** Port numbers of the command line. */
final class Ports {

    private Ports() {}

    /**
     * Checks that a number can be a port; 0 stands for any.
     *
     * @throws UsageException if it cannot
     */
    static void check(String flag, int port) {
        if (port < 0 || port > 65535) {
            throw new UsageException(flag + " must be 0 to 65535, got " + port);
        }
    }
}
