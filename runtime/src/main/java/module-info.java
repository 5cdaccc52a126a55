/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Time, threads and calls of user code: the one seam through which every module waits, measures, starts threads and
 * runs code of its users.
 *
 * <p>It depends on the JDK alone.
 */
@SuppressWarnings("module") // the modules that it exports packages to are built later
module io.kubeloop.runtime {
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports io.kubeloop.runtime;
    exports io.kubeloop.runtime.collection to
            io.kubeloop.cache,
            io.kubeloop.workqueue;
    exports io.kubeloop.runtime.testing;
}
