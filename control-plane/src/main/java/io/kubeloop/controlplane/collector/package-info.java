/**
 * The server's own follow-up work after writes: recalculation of quota usage.
 *
 * <p>Start at {@link io.kubeloop.controlplane.collector.CollectorLoop}. It owns one thread, and every other type of this
 * package is confined to that thread. The loop reads changes from the storage and writes through the same operations as
 * client requests.
 */
@NullMarked
package io.kubeloop.controlplane.collector;

import org.jspecify.annotations.NullMarked;
