package io.kubeloop.cache.store;

import io.kubeloop.cache.KeyException;
import java.util.List;

/** Some changes of a transaction could not be made (upstream: {@code cache.TransactionError}, ST-09). */
final class StoreTransactionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<Integer> successful;

    /**
     * Makes an exception; the first failure becomes the cause, the others are suppressed in it.
     *
     * @param total how many changes were asked for
     * @param successful the places in the list, from 0, of those that were made
     * @param failures why the others were not; at least one
     */
    StoreTransactionException(int total, List<Integer> successful, List<KeyException> failures) {
        super(
                "of " + total + " changes " + successful.size() + " were made: "
                        + failures.get(0).getMessage(),
                failures.get(0));
        this.successful = List.copyOf(successful);
        failures.stream().skip(1).forEach(this::addSuppressed);
    }

    /** Returns the places in the list, from 0, of the changes that were made. */
    public List<Integer> successful() {
        return successful;
    }
}
