/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The annotation processor of {@code kubeloop-crd}. Entry type: {@link
 * io.kubeloop.crd.processor.CustomResourceProcessor}, which the compiler finds.
 *
 * <p>A {@code RecordSchema} walks a record and makes its schema, a {@code Definition} joins the versions of a kind and
 * checks the result with the rules of the API server. Sources come from {@code BuilderSource} and {@code UnionSource}.
 * Everything runs on the thread of the compiler. An error is reported at the annotation that causes it.
 */
@NullMarked
package io.kubeloop.crd.processor;

import org.jspecify.annotations.NullMarked;
