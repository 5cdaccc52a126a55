/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

/**
 * The state of the writes that a controller made for an owner: shown by the caches, or not yet. See {@link
 * WriteBarrier#check}.
 */
public enum OwnWrites {
    /** Nothing was written since the caches have last caught up. */
    CLEAR,
    /** The caches show all writes now, or a sync reads from the server what they may lack. */
    CAUGHT_UP,
    /** A cache does not show a write yet. The sync must return; its key comes back. */
    BEHIND
}
