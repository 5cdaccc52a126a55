package io.kubeloop.json;

import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.discovery.Endpoint;
import io.kubeloop.api.discovery.EndpointConditions;
import java.util.List;

/** {@link Endpoint}. */
final class EndpointAdapter extends RecordAdapter<Endpoint> {

    static final EndpointAdapter INSTANCE = new EndpointAdapter();

    private EndpointAdapter() {
        super("addresses", "conditions", "hostname", "targetRef", "nodeName", "zone");
    }

    @Override
    protected Endpoint read(RecordReader in) {
        List<String> addresses = List.of();
        EndpointConditions conditions = EndpointConditions.EMPTY;
        String hostname = null;
        ObjectReference targetRef = null;
        String nodeName = null;
        String zone = null;
        for (String member = in.next(); member != null; member = in.next()) {
            switch (member) {
                case "addresses" -> addresses = in.strings();
                case "conditions" -> conditions = in.value(EndpointConditionsAdapter.INSTANCE);
                case "hostname" -> hostname = in.nullableString();
                case "targetRef" -> targetRef = in.nullable(ObjectReferenceAdapter.INSTANCE);
                case "nodeName" -> nodeName = in.nullableString();
                case "zone" -> zone = in.nullableString();
                default -> throw in.unexpected(member);
            }
        }
        return new Endpoint(addresses, conditions, hostname, targetRef, nodeName, zone, in.unknownFields());
    }

    @Override
    protected void write(RecordWriter out, Endpoint value) {
        out.strings("addresses", value.addresses());
        out.value("conditions", EndpointConditionsAdapter.INSTANCE, value.conditions());
        out.nullable("hostname", value.hostname());
        out.nullable("targetRef", ObjectReferenceAdapter.INSTANCE, value.targetRef());
        out.nullable("nodeName", value.nodeName());
        out.nullable("zone", value.zone());
    }

    @Override
    protected UnknownFields unknownFields(Endpoint value) {
        return value.unknownFields();
    }
}
