/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json;

import java.io.ByteArrayInputStream;
import java.io.InputStream;

/** Gives one byte at a time at first, then up to seven, so every token is cut somewhere. */
final class TrickleStream extends InputStream {

    private static final int SINGLE_BYTES = 500;

    private final ByteArrayInputStream source;
    private int turn;

    TrickleStream(byte[] bytes) {
        source = new ByteArrayInputStream(bytes);
    }

    @Override
    public int read() {
        return source.read();
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        turn++;
        return source.read(target, offset, Math.min(length, turn <= SINGLE_BYTES ? 1 : 1 + turn % 7));
    }
}
