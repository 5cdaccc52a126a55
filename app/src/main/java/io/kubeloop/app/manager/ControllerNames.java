package io.kubeloop.app.manager;

import io.kubeloop.manager.ControllerTable;
import java.util.Iterator;

/** The names of the controllers in alphabetical order, for the help of {@code --controllers}. */
public final class ControllerNames implements Iterable<String> {

    private final ControllerTable table;

    /** Creates the names of Kubernetes' controllers. */
    public ControllerNames() {
        this(ControllerTable.BUILT_IN);
    }

    /** Creates the names of a table. */
    public ControllerNames(ControllerTable table) {
        this.table = table;
    }

    @Override
    public Iterator<String> iterator() {
        return table.names().stream().sorted().iterator();
    }
}
