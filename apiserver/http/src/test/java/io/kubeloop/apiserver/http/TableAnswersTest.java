/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each class of answers as a table: of one object, a list, a watch, a subresource, an error, and of a custom resource.
 */
class TableAnswersTest {

    private static final String DAEMON_SETS = "/apis/apps/v1/namespaces/default/daemonsets";
    private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String NUTS = "/apis/example.com/v1/namespaces/default/nuts";
    private static final String TEMPLATE =
            "'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':["
                    + "{'name':'c','image':'i'}]}}";

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final HttpApiServer httpServer = HttpApiServer.start(server.server(), HttpApiServer.Config.DEFAULT);
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeEach
    void createDaemonSet() throws Exception {
        create(
                DAEMON_SETS,
                "'apiVersion':'apps/v1','kind':'DaemonSet','metadata':{'name':'d'},'spec':{" + TEMPLATE + "}");
    }

    @AfterEach
    void close() {
        httpServer.close();
        server.close();
    }

    private void create(String path, String members) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(httpServer.uri() + path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{" + members.replace('\'', '"').replace('^', '\'') + "}"))
                .build();
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
    }

    private HttpResponse<String> get(String path, String version) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(httpServer.uri() + path))
                .header("Accept", "application/json;as=Table;g=meta.k8s.io;v=" + version)
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    private JsonObject table(String path, String version) throws Exception {
        HttpResponse<String> response = get(path, version);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        JsonObject table = JsonObject.parse(response.body());
        assertThat(table.string("kind")).isEqualTo("Table");
        assertThat(table.string("apiVersion")).isEqualTo("meta.k8s.io/" + version);
        return table;
    }

    /** Upstream's storage of this status creates no tables; the status of other kinds has one. */
    @Test
    void statusOfSomeKinds_isTheObjectItself() throws Exception {
        create(
                "/apis/resource.k8s.io/v1/devicetaintrules",
                "'metadata':{'name':'t'},'spec':{'taint':{'key':'example.com/k','effect':'NoSchedule'}}");
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(httpServer.uri() + "/apis/resource.k8s.io/v1/devicetaintrules/t/status"))
                .header("Accept", "application/json;as=Table;g=meta.k8s.io;v=v1,application/json")
                .build();
        String body = client.send(request, BodyHandlers.ofString()).body();
        assertThat(JsonObject.parse(body).string("kind")).isEqualTo("DeviceTaintRule");
        assertThat(table(DAEMON_SETS + "/d/status", "v1").array("rows").size()).isEqualTo(1);
    }

    /** The conversion into the served version adds the annotation to whole objects only. */
    @Test
    void annotationsOfAVersion_areNotInTablesAndMetadata() throws Exception {
        String annotation = "deprecated.daemonset.template.generation";
        String path = DAEMON_SETS + "/d";
        assertThat(onlyRow(table(path, "v1")).object("object", "metadata").has("annotations"))
                .isFalse();
        assertThat(onlyRow(table(path + "?includeObject=Object", "v1"))
                        .object("object", "metadata", "annotations")
                        .string(annotation))
                .isEqualTo("1");
        HttpRequest request = HttpRequest.newBuilder(URI.create(httpServer.uri() + path))
                .header("Accept", "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1")
                .build();
        String partial = client.send(request, BodyHandlers.ofString()).body();
        assertThat(JsonObject.parse(partial).object("metadata").has("annotations"))
                .isFalse();
    }

    private static JsonObject onlyRow(JsonObject table) {
        List<JsonObject> rows = table.array("rows").objects().toList();
        assertThat(rows).hasSize(1);
        return rows.get(0);
    }

    private static String headers(JsonObject table) {
        return table.array("columnDefinitions")
                .objects()
                .map(column -> column.string("name") + ":" + column.string("type")
                        + (column.string("format").isEmpty() ? "" : "/" + column.string("format"))
                        + (column.number("priority") == 0 ? "" : "^" + column.number("priority")))
                .toList()
                .toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1", "v1beta1"})
    void object_andList_haveTheSameRowAndColumns(String version) throws Exception {
        JsonObject one = table(DAEMON_SETS + "/d", version);
        JsonObject list = table(DAEMON_SETS, version);

        assertThat(headers(one))
                .isEqualTo("[Name:string/name, Desired:integer, Current:integer, Ready:integer, Up-to-date:integer, "
                        + "Available:integer, Node Selector:string, Age:string, Containers:string^1, Images:string^1, "
                        + "Selector:string^1]");
        assertThat(headers(list)).isEqualTo(headers(one));
        assertThat(onlyRow(one).array("cells").elements().subList(0, 7))
                .hasToString("[\"d\", 0, 0, 0, 0, 0, \"\\u003cnone\\u003e\"]")
                .isEqualTo(onlyRow(list).array("cells").elements().subList(0, 7));
        assertThat(onlyRow(list).string("object", "apiVersion")).isEqualTo("meta.k8s.io/" + version);
        assertThat(list.string("metadata", "resourceVersion")).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'',PartialObjectMetadata,false",
        "Metadata,PartialObjectMetadata,false",
        "Object,DaemonSet,true",
        "None,'',false"
    })
    void includeObject_selectsWhatARowContains(String include, String kind, boolean hasSpec) throws Exception {
        for (String path : List.of(DAEMON_SETS, DAEMON_SETS + "/d")) {
            JsonObject row = onlyRow(table(path + "?includeObject=" + include, "v1"));
            assertThat(row.get("object") == JsonNull.NULL).isEqualTo(kind.isEmpty());
            assertThat(row.string("object", "kind")).isEqualTo(kind);
            assertThat(row.object("object").has("spec")).isEqualTo(hasSpec);
        }
    }

    @Test
    void includeObject_ofAnotherWord_isRejectedForTablesOnly() throws Exception {
        HttpResponse<String> refused = get(DAEMON_SETS + "?includeObject=All", "v1");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(JsonObject.parse(refused.body()).string("message"))
                .isEqualTo("Unable to convert to Table as requested: includeObject: Invalid value: \"All\": must be"
                        + " 'Metadata', 'Object', 'None', or empty");

        HttpRequest plain = HttpRequest.newBuilder(URI.create(httpServer.uri() + DAEMON_SETS + "?includeObject=All"))
                .build();
        assertThat(client.send(plain, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }

    @Test
    void watch_definesTheColumnsInItsFirstEvent() throws Exception {
        create(
                DAEMON_SETS,
                "'apiVersion':'apps/v1','kind':'DaemonSet','metadata':{'name':'e'},'spec':{" + TEMPLATE + "}");
        List<JsonObject> events = get(DAEMON_SETS + "?watch=1&timeoutSeconds=1&includeObject=None", "v1")
                .body()
                .lines()
                .map(JsonObject::parse)
                .toList();
        assertThat(events).extracting(event -> event.string("type")).containsExactly("ADDED", "ADDED");
        assertThat(headers(events.get(0).object("object"))).startsWith("[Name:string/name, Desired:integer");
        assertThat(events.get(1).get("object", "columnDefinitions")).isEqualTo(JsonNull.NULL);
        assertThat(onlyRow(events.get(1).object("object")).get("object")).isEqualTo(JsonNull.NULL);
    }

    @Test
    void error_staysAStatus() throws Exception {
        HttpResponse<String> absent = get(DAEMON_SETS + "/none", "v1");
        assertThat(absent.statusCode()).isEqualTo(404);
        assertThat(JsonObject.parse(absent.body()).string("kind")).isEqualTo("Status");
        assertThat(get(DAEMON_SETS, "v2").statusCode()).isEqualTo(406);
    }

    @Test
    void scale_hasItsOwnColumns() throws Exception {
        create(
                DEPLOYMENTS,
                "'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'x'},'spec':{'replicas':4," + TEMPLATE
                        + "}");
        JsonObject scale = table(DEPLOYMENTS + "/x/scale", "v1");
        assertThat(headers(scale)).isEqualTo("[Name:string, Desired:integer, Available:integer, Age:string]");
        assertThat(onlyRow(scale).array("cells").elements().subList(0, 3)).hasToString("[\"x\", 4, 0]");
    }

    @Test
    void kindWithoutAPrinter_hasTheTimeOfItsCreation() throws Exception {
        String path = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles";
        create(path, "'apiVersion':'rbac.authorization.k8s.io/v1','kind':'Role','metadata':{'name':'r'},'rules':[]");
        JsonObject role = table(path + "/r", "v1");
        assertThat(headers(role)).isEqualTo("[Name:string/name, Created At:date]");
        assertThat(onlyRow(role).array("cells").strings().toList().get(1)).matches("\\d{4}-.*Z");
    }

    private void define(String plural, String kind, String columns) throws Exception {
        create(
                DEFINITIONS,
                "'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition','metadata':{'name':'" + plural
                        + ".example.com'},'spec':{'group':'example.com','scope':'Namespaced','names':{'plural':'"
                        + plural
                        + "','kind':'" + kind + "'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{"
                        + "'openAPIV3Schema':{'type':'object','x-kubernetes-preserve-unknown-fields':true}}" + columns
                        + "}]}");
        create(
                "/apis/example.com/v1/namespaces/default/" + plural,
                "'apiVersion':'example.com/v1','kind':'" + kind + "','metadata':{'name':'w'},'spec':{'size':7}");
    }

    @Test
    void customResource_hasTheColumnsOfItsDefinition() throws Exception {
        define(
                "widgets",
                "Widget",
                ",'additionalPrinterColumns':[{'name':'Size','type':'integer','jsonPath':'.spec.size','priority':1},"
                        + "{'name':'Colour','type':'string','jsonPath':'.spec.colour'}]");
        for (String path : List.of("widgets", "widgets/w")) {
            JsonObject table = table("/apis/example.com/v1/namespaces/default/" + path, "v1");
            assertThat(headers(table)).isEqualTo("[Name:string/name, Size:integer^1, Colour:string]");
            assertThat(onlyRow(table).array("cells")).hasToString("[\"w\",7,null]");
        }
    }

    /** The cells are those of kube-apiserver 1.36.3. An index that is no number ends the columns. */
    @Test
    void column_pathsWithoutAnIndexAndWithQuotes_areReadAsByUpstream() throws Exception {
        List<String> paths = List.of(
                ".spec.http[].hosts",
                ".spec.http[].hosts[1]",
                ".spec.m[^a.b^]",
                ".spec.m[^a\\\\.b^]",
                ".spec.http[,1].hosts",
                ".spec.none[].x",
                ".spec.m[^a.b^,^c^]",
                ".spec.http[-].hosts",
                ".spec.size");
        StringBuilder columns = new StringBuilder();
        for (String path : paths) {
            columns.append(columns.length() == 0 ? "" : ",")
                    .append("{'name':'C','type':'string','jsonPath':'" + path + "'}");
        }
        define("nuts", "Nut", ",'additionalPrinterColumns':[" + columns + "]");
        create(
                NUTS,
                "'apiVersion':'example.com/v1','kind':'Nut','metadata':{'name':'a'},'spec':{'none':[],'http':[{'hosts':"
                        + "['x','y']},{'hosts':['z']}],'m':{'a':{'b':'deep'},'a.b':'flat','c':'see'}}");

        JsonObject table = table(NUTS + "/a", "v1");
        assertThat(onlyRow(table).array("cells"))
                .hasToString("[\"a\",\"[\\\"x\\\",\\\"y\\\"]\",\"y\",\"deep\",\"flat\",\"[\\\"x\\\",\\\"y\\\"]\",null,"
                        + "\"deep\"]");
    }

    /** As upstream, only the list itself has an empty token. */
    @Test
    void listOfCustomResources_hasNoEmptyTokenInOtherForms() throws Exception {
        define("nuts", "Nut", "");
        for (String form : List.of("Table", "PartialObjectMetadataList")) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(httpServer.uri() + NUTS + "?limit=5"))
                    .header("Accept", "application/json;as=" + form + ";g=meta.k8s.io;v=v1")
                    .build();
            JsonObject list = JsonObject.parse(
                    client.send(request, BodyHandlers.ofString()).body());
            assertThat(list.object("metadata").members()).as(form).containsOnlyKeys("resourceVersion");
        }
        HttpRequest plain =
                HttpRequest.newBuilder(URI.create(httpServer.uri() + NUTS)).build();
        JsonObject list =
                JsonObject.parse(client.send(plain, BodyHandlers.ofString()).body());
        assertThat(list.object("metadata").members()).containsOnlyKeys("resourceVersion", "continue");
    }

    @Test
    void customResource_withoutColumns_hasItsAge() throws Exception {
        define("plains", "Plain", "");
        JsonObject table = table("/apis/example.com/v1/namespaces/default/plains", "v1");
        assertThat(headers(table)).isEqualTo("[Name:string/name, Age:date]");
        assertThat(onlyRow(table).array("cells").strings().toList().get(0)).isEqualTo("w");
    }
}
