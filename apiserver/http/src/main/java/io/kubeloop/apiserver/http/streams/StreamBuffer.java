/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.streams;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.apiserver.http.wire.ClientMemory;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The bytes of one stream between the thread that reads frames and the reader of the stream. It grows as far as
 * {@link ClientMemory} permits; otherwise it stays small, and its writer waits for its reader.
 * Thread-safe.
 */
final class StreamBuffer extends InputStream {

    private static final int SMALL = 1 << 10;
    private static final int SHARE = 16 << 10;
    private static final int CAPACITY = 128 << 10;

    // The ring grows up to CAPACITY, for which it holds memory. ended: no more bytes will come; closed: the reader
    // wants no
    // more, and bytes are dropped.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ClientMemory.Share memory = ClientMemory.share();

    @GuardedBy("lock")
    private byte[] ring = {};

    @GuardedBy("lock")
    private int first;

    @GuardedBy("lock")
    private int size;

    @GuardedBy("lock")
    private boolean ended;

    @GuardedBy("lock")
    private boolean closed;

    /** Adds bytes. Blocks while the buffer is full; drops them if the stream has ended or the reader has closed it. */
    void put(byte[] bytes, int offset, int length) throws IOException {
        lock.lock();
        try {
            int done = 0;
            while (done < length && !ended && !closed) {
                if (size == ring.length && !grow()) {
                    changed.await();
                    continue;
                }
                int end = (first + size) % ring.length;
                int n = Math.min(length - done, Math.min(ring.length - size, ring.length - end));
                System.arraycopy(bytes, offset + done, ring, end, n);
                size += n;
                done += n;
                changed.signalAll();
            }
        } catch (InterruptedException e) {
            throw interrupted();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private boolean grow() {
        int length = ring.length == 0 ? SMALL : ring.length < SHARE ? SHARE : ring.length * 2;
        if (length > CAPACITY || (length > SMALL && !memory.tryTake(length - ring.length))) {
            return false;
        }
        byte[] larger = new byte[length];
        int tail = Math.min(size, ring.length - first);
        System.arraycopy(ring, first, larger, 0, tail);
        System.arraycopy(ring, 0, larger, tail, size - tail);
        ring = larger;
        first = 0;
        return true;
    }

    /** Ends the stream: the reader reads the bytes so far, then the end. */
    void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        lock.lock();
        try {
            while (size == 0 && !ended && !closed && length > 0) {
                changed.await();
            }
            if (size == 0 || closed) {
                return length == 0 ? 0 : -1;
            }
            int n = Math.min(length, Math.min(size, ring.length - first));
            System.arraycopy(ring, first, into, offset, n);
            first = (first + n) % ring.length;
            size -= n;
            if (size == 0 && ended) {
                release();
            }
            changed.signalAll();
            return n;
        } catch (InterruptedException e) {
            throw interrupted();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int available() {
        lock.lock();
        try {
            return closed ? 0 : size;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            release();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns a stream that adds bytes; its end is the end of this stream. */
    OutputStream output() {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                put(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                put(bytes, offset, length);
            }

            @Override
            public void close() {
                end();
            }
        };
    }

    @GuardedBy("lock")
    private void release() {
        memory.close();
        size = 0;
        first = 0;
        ring = new byte[0];
    }

    private static IOException interrupted() {
        Thread.currentThread().interrupt();
        return new InterruptedIOException("interrupted while waiting for a stream");
    }
}
