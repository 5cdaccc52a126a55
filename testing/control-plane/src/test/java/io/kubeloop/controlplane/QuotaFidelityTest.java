/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.Requests.Reply;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Quotas as kube-apiserver's admission and the quota controller apply them. */
class QuotaFidelityTest extends ControlPlaneFixture {

    private static final String QUOTAS = "/api/v1/namespaces/default/resourcequotas";

    private Reply quota(String hard, String more) {
        return requests.post(QUOTAS, "{'metadata':{'name':'q'},'spec':{'hard':{" + hard + "}" + more + "}}");
    }

    /** Waits until the quota has a status, and thus limits. */
    private void limit(String hard, String more) {
        JsonObject spec = quota(hard, more).ok().body().object("spec", "hard");
        await().untilAsserted(() -> assertThat(status().object("hard")).isEqualTo(spec));
    }

    private Reply merge(String path, String patch) {
        return requests.send("PATCH", path, "application/merge-patch+json", patch);
    }

    private JsonObject status() {
        return requests.get(QUOTAS + "/q").ok().body().object("status");
    }

    /**
     * Waits for the usage. The controller counts in caches that may not show a pod yet that the server has; it counts
     * again a second later.
     */
    private void awaitUsed(String resource, String amount) {
        await().untilAsserted(
                        () -> assertThat(status().string("used", resource)).isEqualTo(amount));
    }

    private Reply tryPod(String name, String resources, String spec) {
        return requests.post(
                PODS,
                "{'metadata':{'name':'" + name + "'},'spec':{'containers':[{'name':'c','image':'i','resources':{"
                        + resources + "}}]" + spec + "}}");
    }

    @Test
    void create_beyondTheQuota_isForbiddenInUpstreamsWords() {
        createPod("before");
        limit("'pods':'2'", "");
        awaitUsed("pods", "1");
        createPod("second");

        Reply refused = tryPod("third", "", "");

        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.body().string("reason")).isEqualTo("Forbidden");
        assertThat(refused.body().string("message"))
                .isEqualTo("pods \"third\" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: "
                        + "pods=2");
        assertThat(status().string("used", "pods")).isEqualTo("2");
    }

    @Test
    void delete_givesBack_andSoDoesAPodThatEnds() {
        limit("'pods':'2','count/pods':'3'", "");
        createPod("a", "", ",'nodeName':'n'");
        createPod("b");
        awaitUsed("pods", "2");

        merge(PODS + "/a/status", "{'status':{'phase':'Failed'}}").ok();
        awaitUsed("pods", "1");
        assertThat(status().string("used", "count/pods")).isEqualTo("2");

        requests.delete(PODS + "/a").ok();
        requests.delete(PODS + "/b").ok();
        awaitUsed("count/pods", "0");
        awaitUsed("pods", "0");
    }

    @Test
    void update_ofTheQuota_countsFromThenOn() {
        limit("'pods':'1'", "");
        createPod("a");
        merge(QUOTAS + "/q", "{'spec':{'hard':{'pods':2,'configmaps':'5'}}}").ok();
        await().untilAsserted(() -> assertThat(status().string("hard", "pods")).isEqualTo("2"));
        awaitUsed("configmaps", "0");
        awaitUsed("pods", "1");
        createPod("b");
        assertThat(tryPod("c", "", "").code()).isEqualTo(403);
    }

    @Test
    void create_manyAtOnce_notOneTooMany() throws Exception {
        limit("'configmaps':'10','count/configmaps':'12'", "");
        ExecutorService executor = Executors.newFixedThreadPool(8);
        try {
            List<Callable<Integer>> tries = IntStream.range(0, 100)
                    .<Callable<Integer>>mapToObj(
                            i -> () -> requests.post(CONFIG_MAPS, "{'metadata':{'name':'c" + i + "'}}")
                                    .code())
                    .toList();
            int created = 0;
            for (var answer : executor.invokeAll(tries)) {
                created += answer.get() == 201 ? 1 : 0;
            }
            assertThat(created).isEqualTo(10);
        } finally {
            executor.shutdownNow();
        }
        assertThat(status().object("used").toString()).isEqualTo("{\"configmaps\":\"10\",\"count/configmaps\":\"10\"}");
    }

    @Test
    void create_computeResources_sumsRequestsAndLimits() {
        limit("'requests.cpu':'1','limits.memory':'1Gi'", "");

        assertThat(tryPod("silent", "", "").body().string("message"))
                .isEqualTo("pods \"silent\" is forbidden: failed quota: q: must specify limits.memory for: c;"
                        + " requests.cpu for: c");
        tryPod("half", "'limits':{'cpu':'600m','memory':'256Mi'}", "").ok();
        awaitUsed("requests.cpu", "600m");
        awaitUsed("limits.memory", "256Mi");
        assertThat(tryPod("big", "'limits':{'cpu':'500m','memory':'256Mi'}", "")
                        .body()
                        .string("message"))
                .isEqualTo("pods \"big\" is forbidden: exceeded quota: q, requested: requests.cpu=500m,"
                        + " used: requests.cpu=600m, limited: requests.cpu=1");
    }

    @Test
    void create_initContainers_countByTheirPeak() {
        limit("'requests.cpu':'10'", "");
        String cpu = "'resources':{'requests':{'cpu':'%s'}}";
        tryPod(
                        "p",
                        "'requests':{'cpu':'1'}",
                        ",'initContainers':[{'name':'side','image':'i','restartPolicy':'Always'," + cpu.formatted("2")
                                + "},{'name':'once','image':'i'," + cpu.formatted("3") + "}]")
                .ok();
        awaitUsed("requests.cpu", "5");
    }

    @Test
    void scopes_onlyMatchingPodsCount() {
        limit("'pods':'1'", ",'scopes':['NotTerminating']");
        createPod("a");
        createPod("deadline", "", ",'activeDeadlineSeconds':60");
        assertThat(tryPod("b", "", "").code()).isEqualTo(403);

        // A pod whose scope changes releases its amounts in one scope and uses those of another scope.
        requests.delete(QUOTAS + "/q").ok();
        limit("'pods':'1'", ",'scopes':['Terminating']");
        awaitUsed("pods", "1");
        assertThat(merge(PODS + "/a", "{'spec':{'activeDeadlineSeconds':30}}").code())
                .isEqualTo(403);
    }

    @Test
    void update_ofAService_chargesWhatItsTypeNeeds() {
        limit("'services':'2','services.nodeports':'1','services.loadbalancers':'0'", "");
        requests.post(SERVICES, "{'metadata':{'name':'web'},'spec':{'ports':[{'port':80}]}}")
                .ok();
        String path = SERVICES + "/web";
        merge(path, "{'spec':{'type':'NodePort'}}").ok();
        awaitUsed("services.nodeports", "1");
        assertThat(merge(path, "{'spec':{'type':'LoadBalancer'}}").body().string("message"))
                .isEqualTo("services \"web\" is forbidden: exceeded quota: q, requested: services.loadbalancers=1,"
                        + " used: services.loadbalancers=0, limited: services.loadbalancers=0");
    }

    @Test
    void update_ofWhatWasThereBefore_isLetThrough() {
        createPod("silent");
        limit("'pods':'0','requests.cpu':'1'", "");
        merge(PODS + "/silent", "{'metadata':{'labels':{'a':'b'}}}").ok();
        awaitUsed("pods", "1");
    }

    @Test
    void create_dryRun_isRefusedLikewiseAndChargesNothing() {
        limit("'pods':'1'", "");
        String pod = "{'metadata':{'name':'dry'},'spec':{'containers':[{'name':'c','image':'i'}]}}";
        requests.post(PODS + "?dryRun=All", pod).ok();
        assertThat(status().string("used", "pods")).isEqualTo("0");
        createPod("wet");
        assertThat(requests.post(PODS + "?dryRun=All", pod).code()).isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            'apples':'1'                |                                | must be a standard resource for quota
            'pods':'-1'                 |                                | must be greater than or equal to 0
            'pods':'1500m'              |                                | must be an integer
            'pods':'1'                  | ,'scopes':['Odd']              | unsupported scope
            'count/pods':'1500m'        |                                | must be an integer
            'limits.hugepages-2Mi':'1'  |                                | must be a standard resource type or fully \
            qualified
            'services':'1'              | ,'scopes':['Terminating']      | unsupported scope applied to resource
            'pods':'1'                  | ,'scopes':['VolumeAttributesClass'] | unsupported scope applied to resource
            'limits.ephemeral-storage':'1' | ,'scopes':['NotBestEffort'] | unsupported scope applied to resource
            'pods':'1'                  | ,'scopeSelector':{'matchExpressions':[{'scopeName':'BestEffort',\
            'operator':'Exists'},{'scopeName':'NotBestEffort','operator':'Exists'}]} | \
            spec.scopeSelector.matchExpressions: Invalid value: null: conflicting scopes
            'cpu':'1'                   | ,'scopes':['BestEffort']       | unsupported scope applied to resource
            'pods':'1'                  | ,'scopes':['BestEffort','NotBestEffort'] | conflicting scopes
            'pods':'1'                  | ,'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass',\
            'operator':'In'}]} | must be at least one value
            """)
    void create_quotaThatMakesNoSense_isInvalid(String hard, String more, String why) {
        Reply refused = quota(hard, more == null ? "" : more);
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.body().string("message")).contains(why);
    }

    @Test
    void create_withASelectorThatIsNotAboutTheResource_showsTheSelectorAsUpstream() {
        assertThat(quota(
                                "'cpu':'1'",
                                ",'scopeSelector':{'matchExpressions':[{'scopeName':'BestEffort','operator':'Exists'}"
                                        + "]}")
                        .message())
                .isEqualTo("ResourceQuota \"q\" is invalid: spec.scopeSelector.matchExpressions: Invalid value:"
                        + " {\"MatchExpressions\":[{\"ScopeName\":\"BestEffort\",\"Operator\":\"Exists\","
                        + "\"Values\":null}]}:"
                        + " unsupported scope applied to resource");
    }

    @Test
    void create_withAmountsThatAreNone_isABadRequest() {
        assertThat(quota("'cpu':'lots'", "").code()).isEqualTo(400);
        assertThat(quota("'cpu':{}", "").code()).isEqualTo(400);
    }

    @Test
    void create_ofMoreThanFitsInto64Bits_isTaken() {
        quota("'pods':'1e100'", "").ok();
    }

    @Test
    void update_ofScopes_isInvalid() {
        quota("'pods':'1'", ",'scopes':['Terminating']").ok();
        assertThat(merge(QUOTAS + "/q", "{'spec':{'scopes':[]}}").body().string("message"))
                .contains("spec.scopes: Invalid value: []: field is immutable");
    }

    private Reply claim(String name, String storage, String more) {
        return requests.post(
                "/api/v1/namespaces/default/persistentvolumeclaims",
                "{'metadata':{'name':'" + name + "'},'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{"
                        + "'storage':'" + storage + "'}}" + more + "}}");
    }

    @Test
    void claims_useStorageInTotalAndOfTheirClass() {
        limit(
                "'persistentvolumeclaims':'3','requests.storage':'3Gi',"
                        + "'gold.storageclass.storage.k8s.io/requests.storage':'2Gi',"
                        + "'gold.storageclass.storage.k8s.io/persistentvolumeclaims':'1'",
                "");
        claim("a", "1Gi", ",'storageClassName':'gold'").ok();
        assertThat(claim("b", "1Gi", ",'storageClassName':'gold'").message())
                .isEqualTo("persistentvolumeclaims \"b\" is forbidden: exceeded quota: q, requested: "
                        + "gold.storageclass.storage.k8s.io/persistentvolumeclaims=1, used: "
                        + "gold.storageclass.storage.k8s.io/persistentvolumeclaims=1, limited: "
                        + "gold.storageclass.storage.k8s.io/persistentvolumeclaims=1");
        claim("b", "1536Mi", "").ok();
        assertThat(status().object("used"))
                .isEqualTo(JsonObject.parse("{\"persistentvolumeclaims\":\"2\",\"requests.storage\":\"2560Mi\","
                        + "\"gold.storageclass.storage.k8s.io/requests.storage\":\"1Gi\","
                        + "\"gold.storageclass.storage.k8s.io/persistentvolumeclaims\":\"1\"}"));
        assertThat(claim("c", "1Gi", "").message()).contains("exceeded quota: q, requested: requests.storage=1Gi");
    }

    @Test
    void scopeOfAttributeClasses_countsTheClaimsWithThem() {
        limit(
                "'persistentvolumeclaims':'1'",
                ",'scopeSelector':{'matchExpressions':[{'scopeName':'VolumeAttributesClass','operator':'In',"
                        + "'values':['fast']}]}");
        claim("a", "1Gi", "").ok();
        claim("b", "1Gi", ",'volumeAttributesClassName':'slow'").ok();
        claim("c", "1Gi", ",'volumeAttributesClassName':'fast'").ok();
        assertThat(claim("d", "1Gi", ",'volumeAttributesClassName':'fast'").code())
                .isEqualTo(403);
        assertThat(status().string("used", "persistentvolumeclaims")).isEqualTo("1");
    }

    @Test
    void deviceClaims_useTheMostDevicesOfEachAlternative() {
        limit("'gpu.example.com.deviceclass.resource.k8s.io/devices':'4'", "");
        String requested = "[{'name':'r','firstAvailable':[{'name':'x','deviceClassName':'gpu.example.com',"
                + "'allocationMode':'ExactCount','count':3},{'name':'y','deviceClassName':'gpu.example.com',"
                + "'allocationMode':'ExactCount','count':1}]}]";
        String path = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
        String claim = "{'metadata':{'name':'%s'},'spec':{'devices':{'requests':" + requested + "}}}";
        requests.post(path, String.format(claim, "a")).ok();
        assertThat(requests.post(path, String.format(claim, "b")).message())
                .isEqualTo("resourceclaims.resource.k8s.io \"b\" is forbidden: exceeded quota: q, requested: "
                        + "gpu.example.com.deviceclass.resource.k8s.io/devices=3, used: "
                        + "gpu.example.com.deviceclass.resource.k8s.io/devices=3, limited: "
                        + "gpu.example.com.deviceclass.resource.k8s.io/devices=4");
    }

    @Test
    void extendedResource_isUsedByThePodOrByTheClaimThatItsSchedulerCreates() {
        requests.post(
                        "/apis/resource.k8s.io/v1/deviceclasses",
                        "{'metadata':{'name':'gpu.example.com'},"
                                + "'spec':{'extendedResourceName':'example.com/gpu'}}")
                .ok();
        limit("'requests.example.com/gpu':'3','requests.deviceclass.resource.kubernetes.io/gpu.example.com':'9'", "");
        String pod = requests.post(
                        "/api/v1/namespaces/default/pods",
                        "{'metadata':{'name':'p'},'spec':{'containers':"
                                + "[{'name':'c','image':'i','resources':{'limits':{'example.com/gpu':'2'}}}]}}")
                .ok()
                .body()
                .string("metadata", "uid");
        String path = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
        String claim = "{'metadata':{'name':'%s'%s},'spec':{'devices':{'requests':[{'name':'r','exactly':{"
                + "'deviceClassName':'gpu.example.com','count':2}}]}}}";
        String ofPod = ",'annotations':{'resource.kubernetes.io/extended-resource-claim':'true'},'ownerReferences':"
                + "[{'apiVersion':'v1','kind':'Pod','name':'p','uid':'" + pod + "','controller':true}]";
        requests.post(path, String.format(claim, "a", ofPod)).ok();
        assertThat(status().string("used", "requests.example.com/gpu")).isEqualTo("2");
        assertThat(status().string("used", "requests.deviceclass.resource.kubernetes.io/gpu.example.com"))
                .isEqualTo("2");
        assertThat(requests.post(path, String.format(claim, "b", "")).message())
                .isEqualTo("resourceclaims.resource.k8s.io \"b\" is forbidden: exceeded quota: q, requested: "
                        + "requests.example.com/gpu=2, used: requests.example.com/gpu=2, limited: "
                        + "requests.example.com/gpu=3");
    }

    @Test
    void amountsOfAPod_replaceThoseOfItsContainers() {
        limit("'cpu':'2'", "");
        tryPod("a", "'requests':{'cpu':'500m'}", ",'resources':{'requests':{'cpu':'1500m'}}")
                .ok();
        assertThat(status().string("used", "cpu")).isEqualTo("1500m");
        assertThat(tryPod("b", "", ",'resources':{'requests':{'cpu':'1'}}").message())
                .contains("exceeded quota: q, requested: cpu=1, used: cpu=1500m, limited: cpu=2");
    }

    @Test
    void requiredAmounts_ofEveryQuotaComeBeforeTheLimitsOfAny() {
        limit("'pods':'0'", "");
        requests.post(QUOTAS, "{'metadata':{'name':'r'},'spec':{'hard':{'cpu':'1'}}}")
                .ok();
        await().untilAsserted(
                        () -> assertThat(requests.get(QUOTAS + "/r").ok().body().object("status", "used"))
                                .hasToString("{\"cpu\":\"0\"}"));
        assertThat(tryPod("a", "", "").message())
                .isEqualTo("pods \"a\" is forbidden: failed quota: r: must specify cpu for: c");
    }
}
