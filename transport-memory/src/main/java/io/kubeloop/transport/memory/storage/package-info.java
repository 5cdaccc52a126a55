/**
 * What etcd and the watch cache are to an API server: objects under keys on one clock of revisions, with a bounded history
 * that watches replay.
 *
 * <p>Start at {@link io.kubeloop.transport.memory.storage.Storage}. It knows keys and trees, no kinds, no HTTP. Reads are
 * from immutable snapshots and take no lock; writes take one lock, for the length of a map update; every kind's event log
 * has a lock of its own inside of it.
 */
@NullMarked
package io.kubeloop.transport.memory.storage;

import org.jspecify.annotations.NullMarked;
