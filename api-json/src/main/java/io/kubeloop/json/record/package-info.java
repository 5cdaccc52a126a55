/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Records read from JSON objects and written back, as derived from their components.
 *
 * <p>Entry type: {@link io.kubeloop.json.record.RecordAdapter}. A {@link io.kubeloop.json.record.RecordReader} or
 * {@link io.kubeloop.json.record.RecordWriter} belongs to one thread; all other types are thread-safe.
 */
@NullMarked
package io.kubeloop.json.record;

import org.jspecify.annotations.NullMarked;
