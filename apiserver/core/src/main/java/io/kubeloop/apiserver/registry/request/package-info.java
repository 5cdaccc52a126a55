/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What a request asks for: its path and its parameters, checked as kube-apiserver checks them.
 *
 * <p>Entry types: {@link io.kubeloop.apiserver.registry.request.RequestInfo} and {@link
 * io.kubeloop.apiserver.registry.request.Query}.
 *
 * <p>Threading: everything is immutable.
 */
@NullMarked
package io.kubeloop.apiserver.registry.request;

import org.jspecify.annotations.NullMarked;
