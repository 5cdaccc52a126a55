/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Writes a report as text, as JUnit XML and as a page. All types are stateless.
 */
@NullMarked
package io.kubeloop.simulation.report;

import org.jspecify.annotations.NullMarked;
