/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.demo.live.LiveFeed.Viewer;
import io.kubeloop.demo.live.Passage.Stage;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LiveFeedTest {

    private final AtomicInteger gated = new AtomicInteger();
    private final LiveFeed feed = new LiveFeed(passage -> gated.incrementAndGet());

    @Test
    void withoutViewer_nothingIsWatchedOrHeld() {
        assertThat(feed.isWatched()).isFalse();
        feed.report(Stage.STORE, "added", "pods", "default/a", "");
        assertThat(gated).hasValue(0);
    }

    @Test
    void viewer_receivesPassages_untilItLeaves() {
        try (Viewer viewer = feed.open("")) {
            feed.report(Stage.STORE, "added", "pods", "default/a", "watch");
            List<JsonObject> passages = viewer.take();
            assertThat(passages).singleElement().satisfies(passage -> {
                assertThat(passage.string("stage")).isEqualTo("store");
                assertThat(passage.string("key")).isEqualTo("default/a");
                assertThat(passage.string("by")).isEqualTo("watch");
            });
            assertThat(viewer.take()).isEmpty();
        }
        assertThat(feed.isWatched()).isFalse();
    }

    @Test
    void manyPassages_areSampledByObject_andTheFollowedObjectIsComplete() {
        try (Viewer viewer = feed.open("default/followed")) {
            long end = System.nanoTime() + 1_200_000_000L; // the decision about the sample is made after a second
            for (int i = 0; System.nanoTime() < end || i < 20 * LiveFeed.READABLE; i++) {
                feed.report(Stage.STORE, "updated", "pods", "default/p" + i % 1000, "");
                if (i % 1000 == 0) {
                    viewer.take();
                }
            }
            assertThat(feed.sample()).isGreaterThan(1);
            viewer.take();
            for (int i = 0; i < 1000; i++) {
                feed.report(Stage.STORE, "updated", "pods", "default/p" + i, "");
                feed.report(Stage.STORE, "updated", "pods", "default/followed", "");
            }
            List<JsonObject> last = viewer.take();
            assertThat(last)
                    .filteredOn(passage -> passage.string("key").equals("default/followed"))
                    .hasSize(1000);
            assertThat(last).hasSizeLessThan(1900);
        }
    }

    @Test
    void slowViewer_missesPassages_andIsToldHowMany() {
        try (Viewer viewer = feed.open("default/a")) {
            for (int i = 0; i < 5000; i++) {
                feed.report(Stage.STORE, "updated", "pods", "default/a", "");
            }
            assertThat(viewer.dropped()).isEqualTo(5000 - 4096);
        }
    }
}
