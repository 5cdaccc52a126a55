/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client.request;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.Semaphore;

/**
 * The bodies of errors, which a faulty server may make long for each of many informers at a time. A few long ones are
 * read at a time; the others are cut. Thread-safe.
 */
public final class ErrorBody {

    private static final int LONGEST = 1 << 20;
    private static final int SHORT = 16 << 10;
    private static final int LONG_ONES = 4;
    private static final Semaphore READING = new Semaphore(LONG_ONES);

    /** The most characters of a message that an exception keeps. */
    private static final int LONGEST_MESSAGE = 32 << 10;

    private ErrorBody() {}

    /** Reads a body of at most 1 MiB; longer ones are cut. */
    public static byte[] read(InputStream body) throws IOException {
        byte[] start = body.readNBytes(SHORT);
        if (start.length < SHORT || !READING.tryAcquire()) {
            return start;
        }
        try {
            byte[] rest = body.readNBytes(LONGEST - SHORT);
            byte[] whole = Arrays.copyOf(start, start.length + rest.length);
            System.arraycopy(rest, 0, whole, start.length, rest.length);
            return whole;
        } finally {
            READING.release();
        }
    }

    /** Returns a message of an error, which informers keep, without what is beyond 32,768 characters. */
    static String shortened(String message) {
        return message.length() <= LONGEST_MESSAGE ? message : message.substring(0, LONGEST_MESSAGE) + "...";
    }
}
