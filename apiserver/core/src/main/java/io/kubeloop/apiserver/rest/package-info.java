/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The contract between the server and a kind: strategies, served resources and their stores, the options of a write,
 * and the reasons for which a request is rejected (upstream: {@code apiserver/pkg/registry/rest}).
 *
 * <p>Start at {@link io.kubeloop.apiserver.rest.RestStrategy}, which lists the behavior that is specific to a kind.
 * {@link io.kubeloop.apiserver.rest.StatusException} rejects a request. This package depends on no kind. Types are
 * immutable or consist of pure functions; the records of one request are confined to its thread.
 */
@NullMarked
package io.kubeloop.apiserver.rest;

import org.jspecify.annotations.NullMarked;
