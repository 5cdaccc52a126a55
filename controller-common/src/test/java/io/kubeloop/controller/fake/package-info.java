/* SPDX-License-Identifier: Apache-2.0 */
/** Test doubles for controllers: a scripted API server, a recorder and a work queue that remember. */
@NullMarked
package io.kubeloop.controller.fake;

import org.jspecify.annotations.NullMarked;
