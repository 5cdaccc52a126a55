/**
 * What the API server does with objects: which kinds it serves, how it creates, changes, lists, watches and deletes their objects, and
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
 *   <li>{@code Subresources} and what it calls ({@code PodActions}, {@code ScaleView}): what hangs below an object;
 *   <li>{@code CollectorLoop} and what it calls ({@code GarbageCollector}, {@code NamespaceCleaner}, {@code QuotaRecounter}): what follows
 *       from a write, on a thread of its own.
 * </ul>
 *
 * <p>The packages beside it, each of which knows only those before it:
 *
 * <ul>
 *   <li>{@code storage}: where objects are kept, and what watches replay;
 *   <li>{@code machinery}: what all speak of, such as metadata and refusals;
 *   <li>{@code validation}: what fields must look like;
 *   <li>{@code service}, {@code quota}: all about these kinds, and what they give out or limit;
 *   <li>{@code strategy}: what is special about each of the other kinds, and the table of all strategies.
 * </ul>
 */
@NullMarked
package io.kubeloop.transport.memory.registry;

import org.jspecify.annotations.NullMarked;
