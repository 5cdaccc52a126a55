// The official JavaScript client, unmodified, against the server of KUBECONFIG. Prints a line per check and a summary; exits with 1 if a check failed.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';

const k8s = await import(createRequire(process.cwd() + '/').resolve('@kubernetes/client-node'));
const kc = new k8s.KubeConfig();
kc.loadFromDefault();
const core = kc.makeApiClient(k8s.CoreV1Api);
const apps = kc.makeApiClient(k8s.AppsV1Api);
const objects = k8s.KubernetesObjectApi.makeApiClient(kc);
const namespace = 'node-' + randomBytes(4).toString('hex');
const group = `${namespace}.example.com`;
const checks = [];
const check = (name, body) => checks.push([name, body]);

async function eventually(condition, seconds = 60) {
    for (const end = Date.now() + seconds * 1000; ; await pause(100)) {
        const value = await condition();
        if (value) return value;
        if (Date.now() > end) throw new Error(`not reached within ${seconds} s`);
    }
}
async function refused(code, call) {
    try {
        await call();
    } catch (e) {
        assert.equal(e.code, code, e.body ?? e.message);
        return typeof e.body === 'string' ? JSON.parse(e.body) : e.body;
    }
    assert.fail('not refused');
}
const map = (name, data = { a: '1' }, labels) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, labels }, data });
const make = (...args) => core.createNamespacedConfigMap({ namespace, body: map(...args) });
const merge = k8s.setHeaderOptions('Content-Type', k8s.PatchStrategy.MergePatch);
const strategic = k8s.setHeaderOptions('Content-Type', k8s.PatchStrategy.StrategicMergePatch);

check('version', async () => assert.match((await kc.makeApiClient(k8s.VersionApi).getCode()).gitVersion, /^v1\./));

check('discovery', async () => {
    const groups = (await kc.makeApiClient(k8s.ApisApi).getAPIVersions()).groups.map((g) => g.name);
    for (const name of ['apps', 'batch', 'coordination.k8s.io', 'apiextensions.k8s.io']) assert.ok(groups.includes(name), name);
    assert.ok((await core.getAPIResources()).resources.some((r) => r.name === 'pods/status'));
});

check('config map: create, read, replace, patch, delete', async () => {
    const made = await make('crud');
    assert.ok(made.metadata.creationTimestamp instanceof Date);
    await refused(409, () => make('crud'));
    made.data.b = '2';
    assert.deepEqual((await core.replaceNamespacedConfigMap({ name: 'crud', namespace, body: made })).data, { a: '1', b: '2' });
    assert.equal((await refused(409, () => core.replaceNamespacedConfigMap({ name: 'crud', namespace, body: made }))).reason, 'Conflict');
    const patch = [{ op: 'replace', path: '/data/a', value: 'x' }];
    assert.equal((await core.patchNamespacedConfigMap({ name: 'crud', namespace, body: patch })).data.a, 'x');
    const merged = await core.patchNamespacedConfigMap({ name: 'crud', namespace, body: { data: { a: null } } }, merge);
    assert.deepEqual(merged.data, { b: '2' });
    assert.equal((await core.deleteNamespacedConfigMap({ name: 'crud', namespace })).status, 'Success');
    assert.equal((await refused(404, () => core.readNamespacedConfigMap({ name: 'crud', namespace }))).reason, 'NotFound');
});

check('lists: selectors, pages', async () => {
    for (let i = 0; i < 5; i++) await make(`page-${i}`, {}, { set: 'page', odd: String(i % 2) });
    const first = await core.listNamespacedConfigMap({ namespace, labelSelector: 'set=page', limit: 2 });
    assert.equal(first.items.length, 2);
    const rest = await core.listNamespacedConfigMap({ namespace, labelSelector: 'set=page', _continue: first.metadata._continue });
    assert.equal(rest.items.length, 3);
    assert.equal((await core.listNamespacedConfigMap({ namespace, labelSelector: 'set,odd notin (1)' })).items.length, 3);
    assert.equal((await core.listNamespacedConfigMap({ namespace, fieldSelector: 'metadata.name=page-1' })).items.length, 1);
    assert.ok((await core.listNamespacedConfigMap({ namespace, resourceVersion: '0', resourceVersionMatch: 'NotOlderThan' })).items.length);
});

check('delete collection', async () => {
    await core.deleteCollectionNamespacedConfigMap({ namespace, labelSelector: 'set=page' });
    assert.equal((await core.listNamespacedConfigMap({ namespace, labelSelector: 'set=page' })).items.length, 0);
});

check('dry run', async () => {
    await core.createNamespacedConfigMap({ namespace, body: map('dry'), dryRun: 'All', pretty: 'true' });
    await refused(404, () => core.readNamespacedConfigMap({ name: 'dry', namespace }));
});

check('watch', async () => {
    const seen = [];
    let ended;
    const end = new Promise((resolve) => (ended = resolve));
    const controller = await new k8s.Watch(kc).watch(`/api/v1/namespaces/${namespace}/configmaps`, { allowWatchBookmarks: true, labelSelector: 'w=1' },
        (type, object) => type === 'BOOKMARK' || seen.push([type, object.metadata.name]), ended);
    await make('w', {}, { w: '1' });
    await core.patchNamespacedConfigMap({ name: 'w', namespace, body: { data: { b: '2' } } }, merge);
    await core.deleteNamespacedConfigMap({ name: 'w', namespace });
    await eventually(() => seen.length >= 3);
    controller.abort();
    await end;
    assert.deepEqual(seen, [['ADDED', 'w'], ['MODIFIED', 'w'], ['DELETED', 'w']]);
});

check('watch ends when its time is over', async () => {
    const start = Date.now();
    await new Promise((resolve) => new k8s.Watch(kc).watch(`/api/v1/namespaces/${namespace}/configmaps`, { timeoutSeconds: 1 }, () => {}, resolve));
    assert.ok(Date.now() - start < 20000);
});

check('informer', async () => {
    const list = () => core.listNamespacedConfigMap({ namespace, labelSelector: 'i=1' });
    const informer = k8s.makeInformer(kc, `/api/v1/namespaces/${namespace}/configmaps`, list, 'i=1');
    const seen = [];
    for (const verb of ['add', 'update', 'delete']) informer.on(verb, (o) => seen.push(`${verb} ${o.metadata.name}`));
    await make('i0', {}, { i: '1' });
    await informer.start();
    await make('i1', {}, { i: '1' });
    await eventually(() => seen.includes('add i1'));
    await core.patchNamespacedConfigMap({ name: 'i1', namespace, body: { data: { x: 'y' } } }, merge);
    await eventually(() => seen.includes('update i1'));
    await core.deleteNamespacedConfigMap({ name: 'i0', namespace });
    await eventually(() => seen.includes('delete i0'));
    assert.equal(informer.list().length, 1);
    await informer.stop();
});

const labels = { app: 'web' };
const pod = { containers: [{ name: 'main', image: 'example.com/app:1', resources: { requests: { cpu: '10m' } } }] };
check('deployment: rolls out, scales', async () => {
    const body = { metadata: { name: 'web' }, spec: { replicas: 2, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: pod } } };
    await apps.createNamespacedDeployment({ namespace, body });
    await eventually(async () => (await apps.readNamespacedDeployment({ name: 'web', namespace })).status.availableReplicas === 2);
    const scale = await apps.readNamespacedDeploymentScale({ name: 'web', namespace });
    assert.equal(scale.status.selector, 'app=web');
    delete scale.metadata.resourceVersion;
    scale.spec.replicas = 1;
    assert.equal((await apps.replaceNamespacedDeploymentScale({ name: 'web', namespace, body: scale })).spec.replicas, 1);
    const image = { spec: { template: { spec: { containers: [{ name: 'main', image: 'example.com/app:2' }] } } } };
    await apps.patchNamespacedDeployment({ name: 'web', namespace, body: image }, strategic);
    await eventually(async () => {
        const { status, metadata } = await apps.readNamespacedDeploymentStatus({ name: 'web', namespace });
        return status.observedGeneration === metadata.generation && status.updatedReplicas === 1 && status.replicas === 1;
    });
});

check('pod: runs, is evicted', async () => {
    await core.createNamespacedPod({ namespace, body: { metadata: { name: 'one' }, spec: pod } });
    await eventually(async () => (await core.readNamespacedPod({ name: 'one', namespace })).status.phase === 'Running');
    await core.createNamespacedPodEviction({ name: 'one', namespace, body: { metadata: { name: 'one', namespace } } });
    await eventually(async () => !(await core.listNamespacedPod({ namespace, fieldSelector: 'metadata.name=one' })).items.length);
});

check('service', async () => {
    const spec = { selector: labels, ports: [{ port: 80, targetPort: 8080 }] };
    const made = await core.createNamespacedService({ namespace, body: { metadata: { name: 'web' }, spec } });
    assert.ok(made.spec.clusterIP && made.spec.clusterIPs.length === 1);
    const slices = kc.makeApiClient(k8s.DiscoveryV1Api);
    await eventually(async () => (await slices.listNamespacedEndpointSlice({ namespace })).items.some((s) => s.endpoints?.length === 1));
});

check('events', async () => {
    const involvedObject = { kind: 'Service', name: 'web', namespace };
    await core.createNamespacedEvent({ namespace, body: { metadata: { name: 'e' }, involvedObject, reason: 'R', message: 'm', type: 'Normal' } });
    assert.equal((await core.listNamespacedEvent({ namespace, fieldSelector: 'reason=R' })).items.length, 1);
    const eventTime = new k8s.V1MicroTime('2026-01-02T03:04:05.678Z');
    const body = { metadata: { name: 'e2' }, eventTime, reportingController: 'example.com/c', reportingInstance: 'i', action: 'A', reason: 'R', type: 'Normal', regarding: involvedObject };
    const made = await kc.makeApiClient(k8s.EventsV1Api).createNamespacedEvent({ namespace, body });
    assert.equal(new Date(made.eventTime).getTime(), eventTime.getTime());
});

check('lease', async () => {
    const api = kc.makeApiClient(k8s.CoordinationV1Api);
    const spec = { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: new k8s.V1MicroTime() };
    await api.createNamespacedLease({ namespace, body: { metadata: { name: 'l' }, spec } });
    assert.equal((await api.readNamespacedLease({ name: 'l', namespace })).spec.holderIdentity, 'me');
});

check('self reviews', async () => {
    const body = { spec: { resourceAttributes: { verb: 'list', resource: 'pods', namespace } } };
    assert.ok((await kc.makeApiClient(k8s.AuthorizationV1Api).createSelfSubjectAccessReview({ body })).status.allowed);
    assert.ok((await kc.makeApiClient(k8s.AuthenticationV1Api).createSelfSubjectReview({ body: {} })).status.userInfo.username);
});

check('token of a service account', async () => {
    await core.createNamespacedServiceAccount({ namespace, body: { metadata: { name: 'robot' } } });
    const body = { spec: { audiences: [], expirationSeconds: 600 } };
    const { token } = (await core.createNamespacedServiceAccountToken({ name: 'robot', namespace, body })).status;
    const other = new k8s.KubeConfig();
    const { name, server, caData, caFile, skipTLSVerify } = kc.getCurrentCluster();
    other.loadFromClusterAndUser({ name, server, caData, caFile, skipTLSVerify }, { name: 'robot', token });
    const me = await other.makeApiClient(k8s.AuthenticationV1Api).createSelfSubjectReview({ body: {} });
    assert.equal(me.status.userInfo.username, `system:serviceaccount:${namespace}:robot`);
    other.loadFromClusterAndUser({ name, server, caData, caFile, skipTLSVerify }, { name: 'robot', token: 'wrong' });
    await refused(401, () => other.makeApiClient(k8s.CoreV1Api).listNamespace());
});

check('generic objects: create, read, patch kinds, apply, delete', async () => {
    await objects.create(map('generic'));
    assert.equal((await objects.read(map('generic'))).data.a, '1');
    const patched = await objects.patch(map('generic', { a: '2' }));
    assert.equal(patched.data.a, '2');
    const applied = await objects.patch(map('applied', { b: '3' }), undefined, undefined, 'node', true, k8s.PatchStrategy.ServerSideApply);
    assert.ok(applied.metadata.managedFields.some((m) => m.manager === 'node' && m.operation === 'Apply'));
    const conflict = await refused(409, () => objects.patch(map('applied', { b: '4' }), undefined, undefined, 'other', false, k8s.PatchStrategy.ServerSideApply));
    assert.match(conflict.message, /conflict with "node"/);
    assert.equal((await objects.list('v1', 'ConfigMap', namespace)).items.filter((o) => o.metadata.name === 'generic').length, 1);
    await objects.delete(map('generic'));
});

check('custom resources', async () => {
    const openAPIV3Schema = { type: 'object', properties: {
        spec: { type: 'object', properties: { size: { type: 'integer', minimum: 1 } } },
        status: { type: 'object', properties: { ready: { type: 'boolean' } } } } };
    const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, subresources: { status: {} } }];
    const names = { plural: 'toys', singular: 'toy', kind: 'Toy' };
    const extensions = kc.makeApiClient(k8s.ApiextensionsV1Api);
    await extensions.createCustomResourceDefinition({ body: { metadata: { name: `toys.${group}` }, spec: { group, scope: 'Namespaced', names, versions } } });
    await eventually(async () => (await extensions.readCustomResourceDefinition({ name: `toys.${group}` })).status.conditions
        ?.some((c) => c.type === 'Established' && c.status === 'True'));
    const api = kc.makeApiClient(k8s.CustomObjectsApi);
    const where = { group, version: 'v1', namespace, plural: 'toys' };
    const toy = (name, size) => ({ apiVersion: `${group}/v1`, kind: 'Toy', metadata: { name }, spec: { size } });
    const made = await eventually(() => api.createNamespacedCustomObject({ ...where, body: toy('t', 2) }).catch((e) => assert.equal(e.code, 404)));
    assert.equal(made.metadata.generation, 1);
    await refused(422, () => api.createNamespacedCustomObject({ ...where, body: toy('bad', 0) }));
    const status = await api.patchNamespacedCustomObjectStatus({ ...where, name: 't', body: { status: { ready: true } } }, merge);
    assert.deepEqual(status.status, { ready: true }, JSON.stringify(status));
    assert.equal((await api.listNamespacedCustomObject(where)).items.length, 1);
    await api.deleteNamespacedCustomObject({ ...where, name: 't' });
    await objects.create({ ...toy('generic', 1), metadata: { name: 'generic', namespace } });
});

check('metrics and logs of a client: health', async () => {
    const health = new k8s.Health(kc);
    assert.ok(await health.readyz({}));
    assert.ok(await health.livez({}));
});

check('namespace deletion', async () => {
    await core.deleteNamespace({ name: namespace });
    await eventually(async () => !(await core.listNamespace()).items.some((n) => n.metadata.name === namespace), 120);
    await kc.makeApiClient(k8s.ApiextensionsV1Api).deleteCustomResourceDefinition({ name: `toys.${group}` });
});

await core.createNamespace({ body: { metadata: { name: namespace } } });
let failed = 0;
for (const [name, body] of checks) {
    try {
        await body();
        console.log(`ok    ${name}`);
    } catch (e) {
        failed++;
        console.log(`FAIL  ${name}: ${(e.stack ?? String(e)).split('\n').filter((l, i) => i < 6 || l.includes('node.mjs')).join(' ').replaceAll(/\s+/g, ' ').slice(0, 900)}`);
    }
}
console.log(`node: ${checks.length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
