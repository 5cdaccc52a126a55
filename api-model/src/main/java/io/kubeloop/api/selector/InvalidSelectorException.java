/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.selector;

/** An invalid selector. The message is that of kube-apiserver. */
public final class InvalidSelectorException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /** Creates an exception. */
    public InvalidSelectorException(String message) {
        super(message);
    }
}
