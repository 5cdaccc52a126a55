/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.store;

import java.util.List;

/**
 * The objects of a store after one commit. Immutable.
 *
 * @param objects all objects, in no particular order
 * @param commit the number of that commit; 0 before the first
 * @param <T> the type of the objects
 */
public record StoreSnapshot<T>(List<T> objects, long commit) {}
