package io.kubeloop.json;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.core.EndpointSubset;
import io.kubeloop.api.core.Endpoints;
import java.util.List;

/** {@link Endpoints}. */
final class EndpointsAdapter extends ObjectAdapter<Endpoints> {

    static final EndpointsAdapter INSTANCE = new EndpointsAdapter();

    private EndpointsAdapter() {
        super("metadata", "subsets");
    }

    @Override
    protected Endpoints read(RecordReader in) {
        ObjectMeta metadata = ObjectMeta.EMPTY;
        List<EndpointSubset> subsets = List.of();
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "metadata" -> metadata = in.metadata();
                case "subsets" -> subsets = in.list(EndpointSubsetAdapter.INSTANCE);
                default -> throw in.unexpected(member);
            }
        }
        return new Endpoints(metadata, subsets, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, Endpoints value) {
        out.metadata(value.metadata());
        out.list("subsets", EndpointSubsetAdapter.INSTANCE, value.subsets());
    }
}
