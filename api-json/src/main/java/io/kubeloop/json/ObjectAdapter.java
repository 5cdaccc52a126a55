package io.kubeloop.json;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.UnknownFields;
import java.util.stream.Stream;

/**
 * How one kind of object is read and written. {@code kind} and {@code apiVersion} are not among its members: the codec checks
 * them and writes them.
 *
 * @param <T> the object's type
 */
public abstract class ObjectAdapter<T extends KubeObject> extends RecordAdapter<T> {

    /** Makes an adapter for an object with these members, see {@link RecordAdapter#RecordAdapter}. */
    protected ObjectAdapter(String... members) {
        super(Stream.concat(Stream.of("kind", "apiVersion"), Stream.of(members)).toList(), 2);
    }

    @Override
    protected final UnknownFields unknownFields(T value) {
        return value.unknownFields();
    }

    /** Returns whether documents of other kinds than the resource's are read, too. */
    boolean takesAnyKind() {
        return false;
    }
}
