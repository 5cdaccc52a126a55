/**
 * The kinds of work queue: entry type {@link io.kubeloop.workqueue.queue.AbstractWorkQueue}, whose one lock guards the state of
 * all items. Every type is thread-safe; {@code get} and {@code shutDownWithDrain} block.
 */
@NullMarked
package io.kubeloop.workqueue.queue;

import org.jspecify.annotations.NullMarked;
