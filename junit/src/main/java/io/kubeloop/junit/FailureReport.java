package io.kubeloop.junit;

/** The text that is printed after a failed test. Stateless. */
final class FailureReport {

    private FailureReport() {}

    static String of(String test, TestCluster cluster) {
        return "Control plane of the failed test " + test + ", at "
                + cluster.clock().now() + "\n"
                + "  faults that met no request: " + cluster.faults().pending() + "\n"
                + cluster.plane().report();
    }
}
