/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The counterpart of etcd and the watch cache: objects under keys, one sequence of revisions, and a bounded history
 * for watches.
 *
 * <p>Start at {@link io.kubeloop.apiserver.storage.Storage}. The package uses keys and JSON trees, and depends neither
 * on kinds nor on HTTP. Reads use immutable snapshots and take no lock. Writes take one lock for the duration of a map
 * update. Every kind's event log has a lock of its own, taken inside the write lock.
 */
@NullMarked
package io.kubeloop.apiserver.storage;

import org.jspecify.annotations.NullMarked;
