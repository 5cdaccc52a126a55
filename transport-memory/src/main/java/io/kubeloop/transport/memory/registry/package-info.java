/**
 * What the API server does with objects: which kinds it serves, how it defaults, validates, changes and deletes them, and
 * how it answers.
 *
 * <p>Start at {@link io.kubeloop.transport.memory.registry.ApiHandler}, the door for requests, and at {@link
 * io.kubeloop.transport.memory.registry.ResourceRegistry}, the table of kinds. Objects are JSON trees here, so that no field
 * is lost. Requests run on their caller's thread and hold no lock while they compute.
 */
@NullMarked
package io.kubeloop.transport.memory.registry;

import org.jspecify.annotations.NullMarked;
