package io.kubeloop.cache.store;

import io.kubeloop.cache.KeyException;
import java.util.List;

/** Thrown when some changes of a transaction cannot be made (upstream: {@code cache.TransactionError}). */
public final class StoreTransactionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<Integer> successful;

    /**
     * Makes an exception. The first failure becomes the cause; the others are suppressed in it.
     *
     * @param total number of requested changes
     * @param successful positions in the list, from 0, of the changes that were made
     * @param failures the reasons why the other changes were not made; at least one
     */
    StoreTransactionException(int total, List<Integer> successful, List<KeyException> failures) {
        super(
                successful.size() + " of " + total + " changes were made: "
                        + failures.get(0).getMessage(),
                failures.get(0));
        this.successful = List.copyOf(successful);
        failures.stream().skip(1).forEach(this::addSuppressed);
    }

    /** Returns the positions in the list, from 0, of the changes that were made. */
    public List<Integer> successful() {
        return successful;
    }
}
