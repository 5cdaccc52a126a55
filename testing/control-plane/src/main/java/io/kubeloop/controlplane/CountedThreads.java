/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import io.kubeloop.runtime.OwnedThreads;
import io.kubeloop.runtime.WorkCounter;
import java.util.Set;
import java.util.concurrent.ThreadFactory;

/** Threads that count as work from their start to their end. Thread-safe. */
final class CountedThreads extends OwnedThreads {

    private final WorkCounter work;

    CountedThreads(ThreadFactory factory, Set<Thread> family, WorkCounter work) {
        super(factory, family);
        this.work = work;
    }

    @Override
    public Thread prepare(String name, Runnable body) {
        return super.prepare(name, () -> {
            try {
                body.run();
            } finally {
                work.end();
            }
        });
    }

    @Override
    public void start(Thread prepared) {
        work.begin();
        boolean running = false;
        try {
            super.start(prepared);
            running = true;
        } finally {
            if (!running) {
                work.end();
            }
        }
    }
}
