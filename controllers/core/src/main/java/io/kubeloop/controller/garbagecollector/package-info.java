/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The garbage collector, which deletes an object when all of its owners are gone, and handles owners that are deleted
 * in the foreground or leave orphans.
 *
 * <p>Entry type: {@link io.kubeloop.controller.garbagecollector.GarbageCollectorController}. In the order of an event:
 * one metadata informer for each resource feeds {@code OwnerGraph}, which returns the objects to check; {@code
 * DeletionAttempts} checks one object against the server and deletes it, releases it or completes it; {@code Orphaning}
 * releases the dependents of an owner; {@code CollectorRequests} sends the requests. {@link
 * io.kubeloop.controller.discovery.ServedApi} follows the resources of the server.
 *
 * <p>Threading: handlers run on the informers' threads and change the graph under its lock; syncs run on the workers of
 * two queues, with one worker at a time for an object. Requests and events are sent without the lock.
 */
@NullMarked
package io.kubeloop.controller.garbagecollector;

import org.jspecify.annotations.NullMarked;
