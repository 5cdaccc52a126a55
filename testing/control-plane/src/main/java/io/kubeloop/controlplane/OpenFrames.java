/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.registry.WatchFrame;
import io.kubeloop.apiserver.storage.SleepObserver;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The frames of a watch that reports its end. Thread-safe as the frames are. */
class OpenFrames implements ServerResponse.Frames {

    private final ServerResponse.Frames frames;
    private final Consumer<OpenFrames> onClose;

    OpenFrames(ServerResponse.Frames frames, Consumer<OpenFrames> onClose) {
        this.frames = frames;
        this.onClose = onClose;
    }

    @Override
    public @Nullable WatchFrame next() throws InterruptedException {
        return frames.next();
    }

    @Override
    public boolean hasMore() {
        return frames.hasMore();
    }

    @Override
    public List<String> warnings() {
        return frames.warnings();
    }

    @Override
    public void observe(SleepObserver observer) {
        frames.observe(observer);
    }

    @Override
    public void close() {
        frames.close();
        onClose.accept(this);
    }
}
