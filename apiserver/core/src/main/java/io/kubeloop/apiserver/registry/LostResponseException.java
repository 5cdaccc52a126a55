/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

/** A {@link RequestFilter} withholds the response: the client receives none and loses its connection. */
public final class LostResponseException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates an exception. */
    public LostResponseException(String message) {
        super(message, null, false, false);
    }
}
