/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The values of Kubernetes' extension libraries: addresses, prefixes, URLs and semantic versions, with the problems
 * that their parsers report in Go's words.
 *
 * <p>Threading: everything is immutable.
 */
@NullMarked
package io.kubeloop.apiserver.cel.value;

import org.jspecify.annotations.NullMarked;
