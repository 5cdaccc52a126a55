/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.junit;

import java.nio.file.Path;

/**
 * The kubeconfig of a test's control plane, for clients of other libraries and for {@code kubectl}.
 *
 * @param text the content, YAML
 * @param file a file with the content, readable by its owner only; it is deleted with the control plane
 */
public record TestKubeconfig(String text, Path file) {}
