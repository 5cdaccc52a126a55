/* SPDX-License-Identifier: Apache-2.0 */
/** Helpers that several test suites share. Not published. */
module io.kubeloop.testing {
    requires static transitive org.jspecify;
    requires com.squareup.moshi;
    requires okio;
    requires java.management;
    requires jdk.management;
    requires transitive org.junit.jupiter.api;

    exports io.kubeloop.testing;

    provides org.junit.jupiter.api.extension.Extension with
            io.kubeloop.testing.DeadlockCheck;
}
