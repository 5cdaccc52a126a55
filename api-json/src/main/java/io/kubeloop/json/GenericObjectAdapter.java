package io.kubeloop.json;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectMeta;

/** An object of any kind: only its metadata is looked into. */
final class GenericObjectAdapter extends ObjectAdapter<GenericObject> {

    static final GenericObjectAdapter INSTANCE = new GenericObjectAdapter();

    private GenericObjectAdapter() {
        super("metadata");
    }

    @Override
    protected GenericObject read(RecordReader in) {
        ObjectMeta metadata = ObjectMeta.EMPTY;
        while (in.next() != null) {
            metadata = in.metadata();
        }
        return new GenericObject(in.apiVersion(), in.kind(), metadata, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, GenericObject value) {
        out.metadata(value.metadata());
    }
}
