/**
 * What the API server does with objects: which kinds it serves, how it defaults, validates, changes and deletes them, and
 * how it answers.
 *
 * <p>Start at {@link io.kubeloop.transport.memory.registry.ApiHandler}, the door for requests, and at {@link
 * io.kubeloop.transport.memory.registry.ResourceRegistry}, the table of kinds. Objects are JSON trees here, so that no field
 * is lost. Requests run on their caller's thread and hold no lock while they compute.
 *
 * <p>By the beginnings and ends of their names:
 *
 * <ul>
 *   <li>{@code Object...}: an operation for all kinds, such as {@code ObjectCreator}; what it asks for is in {@code RequestInfo},
 *       {@code Query} and {@code ...Parameters};
 *   <li>{@code ...Strategy}: what is special about one kind; {@code Strategies} has them all, those of services and quotas from {@code
 *       service} and {@code quota};
 *   <li>{@code CollectorLoop} and what it calls ({@code GarbageCollector}, {@code NamespaceCleaner}, {@code QuotaKeeper}): what follows
 *       from a write, on a thread of its own.
 * </ul>
 *
 * <p>What it speaks of, metadata and refusals and such, is in {@code machinery}; what it writes to, in {@code storage}; what fields
 * must look like, in {@code validation}.
 */
@NullMarked
package io.kubeloop.transport.memory.registry;

import org.jspecify.annotations.NullMarked;
