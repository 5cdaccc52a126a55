package io.kubeloop.json;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.PartialObjectMetadata;

/** Metadata alone: of a {@code PartialObjectMetadata}, or of the object itself where a server sends it whole. */
final class PartialObjectMetadataAdapter extends ObjectAdapter<PartialObjectMetadata> {

    static final PartialObjectMetadataAdapter INSTANCE = new PartialObjectMetadataAdapter();

    private PartialObjectMetadataAdapter() {
        super("metadata");
    }

    @Override
    boolean takesAnyKind() {
        return true;
    }

    @Override
    protected PartialObjectMetadata read(RecordReader in) {
        ObjectMeta metadata = ObjectMeta.EMPTY;
        while (in.next() != null) {
            metadata = in.metadata();
        }
        return new PartialObjectMetadata(metadata);
    }

    @Override
    protected void write(RecordWriter out, PartialObjectMetadata value) {
        throw new UnsupportedOperationException("of " + value.objectName()
                + " only the metadata was read; writing that would drop the rest: patch it, or read it whole");
    }
}
