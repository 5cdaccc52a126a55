/**
 * Time, threads and calls of user code: the one seam through which every module waits, measures, starts threads and runs code of
 * its users.
 *
 * <p>It depends on the JDK alone.
 */
module io.kubeloop.runtime {
    requires static transitive org.jspecify;

    exports io.kubeloop.runtime;
    exports io.kubeloop.runtime.testing;
}
