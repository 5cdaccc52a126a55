/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Captures standard error, which receives the log. Tests that use it run in isolation, because a process has one such
 * stream.
 */
final class CapturedErrors implements BeforeEachCallback, AfterEachCallback {

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream before = System.err;

    @Override
    public void beforeEach(ExtensionContext context) {
        System.setErr(new PrintStream(printed, true, UTF_8));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        System.setErr(before);
    }

    /** Returns everything printed since the test began. */
    String text() {
        return printed.toString(UTF_8);
    }
}
