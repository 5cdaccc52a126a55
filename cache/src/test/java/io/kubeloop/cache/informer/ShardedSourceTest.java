/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.informer;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.ListMetaBuilder;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ListerWatcher;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.api.client.WatchStream;
import io.kubeloop.api.selector.ShardSelector;
import io.kubeloop.cache.fake.Thing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The shard is requested, and kept also if the server ignores the request. */
class ShardedSourceTest {

    /** Contains the hash of the namespace {@code a}, and not that of {@code b}. */
    private static final String SHARD =
            "shardRange(object.metadata.namespace, '0xaf63dc4c8601ec8c', '0xaf63dc4c8601ec8d')";

    private static final class Unsharded implements ListerWatcher<Thing>, WatchStream<Thing> {
        final List<ListOptions> requests = new ArrayList<>();
        final Queue<WatchEvent<Thing>> events = new ArrayDeque<>();
        boolean closed;

        @Override
        public KubeList<Thing> list(ListOptions options) {
            requests.add(options);
            return new KubeList<>(
                    ListMetaBuilder.builder().resourceVersion("7").build(),
                    List.of(Thing.of("a/x", "1"), Thing.of("b/x", "2")));
        }

        @Override
        public WatchStream<Thing> watch(ListOptions options) {
            requests.add(options);
            return this;
        }

        @Override
        public @Nullable WatchEvent<Thing> next() {
            return events.poll();
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private final Unsharded server = new Unsharded();
    private final ShardedSource<Thing> source = new ShardedSource<>(server, ShardSelector.parse(SHARD));

    @Test
    void list_requestsTheShard_andDropsOtherObjects() {
        KubeList<Thing> page = source.list(ListOptions.NONE);
        assertThat(page.items()).hasToString("[a/x@1]");
        assertThat(page.metadata().resourceVersion()).isEqualTo("7");
        assertThat(server.requests.get(0).toQuery(false)).containsEntry("shardSelector", SHARD);
    }

    @Test
    void watch_requestsTheShard_andDropsEventsOfOtherObjects() {
        WatchEvent<Thing> bookmark = new WatchEvent.Bookmark<>(ObjectMeta.named("", ""));
        server.events.addAll(List.of(
                new WatchEvent.Added<>(Thing.of("b/x", "1")),
                new WatchEvent.Added<>(Thing.of("a/x", "2")),
                new WatchEvent.Modified<>(Thing.of("b/x", "3")),
                new WatchEvent.Modified<>(Thing.of("a/x", "4")),
                new WatchEvent.Deleted<>(Thing.of("b/x", "5")),
                new WatchEvent.Deleted<>(Thing.of("a/x", "6")),
                bookmark));
        WatchStream<Thing> stream = source.watch(ListOptions.NONE);
        List<WatchEvent<Thing>> seen = new ArrayList<>();
        for (WatchEvent<Thing> event = stream.next(); event != null; event = stream.next()) {
            seen.add(event);
        }
        assertThat(seen)
                .containsExactly(
                        new WatchEvent.Added<>(Thing.of("a/x", "2")),
                        new WatchEvent.Modified<>(Thing.of("a/x", "4")),
                        new WatchEvent.Deleted<>(Thing.of("a/x", "6")),
                        bookmark);
        assertThat(server.requests.get(0).toQuery(true)).containsEntry("shardSelector", SHARD);
        stream.close();
        assertThat(server.closed).isTrue();
    }
}
