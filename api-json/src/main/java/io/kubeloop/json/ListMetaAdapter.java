package io.kubeloop.json;

import io.kubeloop.api.ListMeta;
import io.kubeloop.api.UnknownFields;

/** {@link ListMeta}. */
final class ListMetaAdapter extends RecordAdapter<ListMeta> {

    static final ListMetaAdapter INSTANCE = new ListMetaAdapter();

    private ListMetaAdapter() {
        super("resourceVersion", "continue", "remainingItemCount");
    }

    @Override
    protected ListMeta read(RecordReader in) {
        String resourceVersion = "";
        String continueToken = "";
        Long remainingItemCount = null;
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "resourceVersion" -> resourceVersion = in.string();
                case "continue" -> continueToken = in.string();
                case "remainingItemCount" -> remainingItemCount = in.nullableLong();
                default -> throw in.unexpected(member);
            }
        }
        return new ListMeta(resourceVersion, continueToken, remainingItemCount, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, ListMeta value) {
        out.string("resourceVersion", value.resourceVersion());
        out.string("continue", value.continueToken());
        out.nullable("remainingItemCount", value.remainingItemCount());
    }

    @Override
    protected UnknownFields unknownFields(ListMeta value) {
        return value.unknownFields();
    }
}
