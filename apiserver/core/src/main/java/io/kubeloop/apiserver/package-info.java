/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The API server of this process.
 *
 * <p>Start at {@link io.kubeloop.apiserver.ApiServer}, which executes requests, and at {@link
 * io.kubeloop.apiserver.registry.ApiKinds}, which plugs kinds in. The packages; {@code
 * storage} to {@code registry} each depend only on those before them:
 *
 * <ul>
 *   <li>{@code storage} stores objects and replays events for watches.
 *   <li>{@code fielderrors} collects the validation errors of fields; {@code objectmeta} reads and validates metadata.
 *   <li>{@code rest} is the contract with a kind: strategies, stores of resources, and rejections.
 *   <li>{@code table} converts objects into tables.
 *   <li>{@code admission} is the chain of plug-ins that change or reject writes.
 *   <li>{@code registry} executes the operations on objects.
 *   <li>{@code patch} applies patches to JSON trees; {@code fieldmanager} merges an applied configuration, and {@code
 *       apply} manages the fields of served objects; {@code typed} decodes JSON as kube-apiserver does.
 *   <li>{@code access} is the interface of an authorizer; {@code expressions} is that of a compiler of CEL.
 *   <li>{@code customresources} serves custom resources.
 *   <li>{@code discovery} and {@code openapi} publish what the server serves.
 * </ul>
 *
 * <p>A request runs on its caller's thread. The server has one thread of its own, for timers.
 */
@NullMarked
package io.kubeloop.apiserver;

import org.jspecify.annotations.NullMarked;
