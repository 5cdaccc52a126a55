package io.kubeloop.controller.garbagecollector;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The work that follows from one change of the graph. {@link OwnerGraph} collects it under its lock, and the caller does it
 * afterwards. Confined to one thread.
 */
final class GraphEffects {

    private final Set<String> toCheck = new LinkedHashSet<>();
    private final Set<String> toCheckLater = new LinkedHashSet<>();
    private final Set<String> toOrphan = new LinkedHashSet<>();
    private final List<ObjectCoordinates> absent = new ArrayList<>();
    private final List<WrongNamespace> wrongNamespaces = new ArrayList<>();

    /**
     * An owner reference that leads to another namespace.
     *
     * @param dependent the object with the reference
     * @param claimed the owner as the reference describes it
     */
    record WrongNamespace(ObjectCoordinates dependent, ObjectCoordinates claimed) {}

    void check(String uid) {
        toCheck.add(uid);
    }

    void checkLater(String uid) {
        toCheckLater.add(uid);
    }

    void orphan(String uid) {
        toOrphan.add(uid);
    }

    void isAbsent(ObjectCoordinates owner) {
        absent.add(owner);
    }

    void report(WrongNamespace wrong) {
        wrongNamespaces.add(wrong);
    }

    /** Returns the UIDs of the objects to check now. */
    Set<String> toCheck() {
        return toCheck;
    }

    /** Returns the UIDs of the objects to check after a backoff. */
    Set<String> toCheckLater() {
        return toCheckLater;
    }

    /** Returns the UIDs of the owners whose dependents become orphans. */
    Set<String> toOrphan() {
        return toOrphan;
    }

    /** Returns owners that do not exist. */
    List<ObjectCoordinates> absent() {
        return absent;
    }

    /** Returns the references to report as events. */
    List<WrongNamespace> wrongNamespaces() {
        return wrongNamespaces;
    }
}
