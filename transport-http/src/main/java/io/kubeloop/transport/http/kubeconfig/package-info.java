/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The loading of kubeconfig files and of the service account of a pod (upstream: {@code client-go/tools/clientcmd}).
 *
 * <p>In reading order: {@link io.kubeloop.transport.http.kubeconfig.KubeconfigLoader} finds the files, {@code
 * KubeconfigReader} reads one, {@link io.kubeloop.transport.http.kubeconfig.ConfigResolver} makes the settings of one
 * context.
 *
 * <p>Threading: everything is confined to the thread that loads.
 */
@NullMarked
package io.kubeloop.transport.http.kubeconfig;

import org.jspecify.annotations.NullMarked;
