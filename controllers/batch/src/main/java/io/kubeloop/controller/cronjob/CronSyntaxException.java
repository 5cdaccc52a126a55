/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.cronjob;

/** A text that is not a schedule. The message is upstream's, because events contain it. */
public final class CronSyntaxException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    CronSyntaxException(String message) {
        super(message);
    }
}
