/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage;

import java.util.function.Function;

/**
 * A value that all objects of a watch have, so the watch sleeps while other objects change (upstream: the triggers
 * of {@code storage/cacher}). Immutable.
 *
 * @param name the name of the value; all watches of a bucket read the value of one name in the same way
 * @param value the value
 * @param reader reads the value of an object; must be pure and fast, because it runs under the lock of the event log
 */
public record WatchTrigger(String name, String value, Function<StoredObject, String> reader) {}
