/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.informer;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ListOptionsBuilder;
import io.kubeloop.api.client.ListerWatcher;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.api.client.WatchStream;
import io.kubeloop.api.selector.ShardSelector;
import org.jspecify.annotations.Nullable;

/**
 * Lists and watches one shard of a resource. A server that supports shards sends only the objects of this shard. Any
 * other server ignores the parameter and sends all objects, so this class drops those of other shards. Thread-safe if
 * the source is.
 */
record ShardedSource<T extends KubeObject>(ListerWatcher<T> source, ShardSelector shard) implements ListerWatcher<T> {

    @Override
    public KubeList<T> list(ListOptions options) {
        KubeList<T> page = source.list(ofShard(options));
        return new KubeList<>(
                page.metadata(),
                page.items().stream()
                        .filter(object -> shard.matches(object.metadata()))
                        .toList());
    }

    @Override
    public WatchStream<T> watch(ListOptions options) {
        return new ShardedStream<>(source.watch(ofShard(options)), shard);
    }

    private ListOptions ofShard(ListOptions options) {
        return ListOptionsBuilder.builder(options)
                .shardSelector(shard.toString())
                .build();
    }

    private record ShardedStream<T extends KubeObject>(WatchStream<T> stream, ShardSelector shard)
            implements WatchStream<T> {

        @Override
        public @Nullable WatchEvent<T> next() {
            WatchEvent<T> event;
            do {
                event = stream.next();
            } while (event != null && !isOfShard(event));
            return event;
        }

        private boolean isOfShard(WatchEvent<T> event) {
            if (event instanceof WatchEvent.Added<T> added) {
                return shard.matches(added.object().metadata());
            }
            if (event instanceof WatchEvent.Modified<T> modified) {
                return shard.matches(modified.object().metadata());
            }
            return !(event instanceof WatchEvent.Deleted<T> deleted)
                    || shard.matches(deleted.object().metadata());
        }

        @Override
        public void close() {
            stream.close();
        }
    }
}
