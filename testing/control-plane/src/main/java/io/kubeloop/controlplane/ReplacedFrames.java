/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.registry.WatchFrame;
import org.jspecify.annotations.Nullable;

/** A watch with one frame or none, which then ends. One thread reads; closing has no effect. */
final class ReplacedFrames implements ServerResponse.Frames {

    /** Confined to the reading thread. */
    private @Nullable WatchFrame only;

    ReplacedFrames(@Nullable WatchFrame only) {
        this.only = only;
    }

    @Override
    public @Nullable WatchFrame next() {
        WatchFrame frame = only;
        only = null;
        return frame;
    }

    @Override
    public boolean hasMore() {
        return only != null;
    }

    @Override
    public void close() {}
}
