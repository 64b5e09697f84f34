import { readConfig } from '../../shared/settings/config.js';
import {
  environmentProblems,
  imageEnvironment,
  runBy,
  secrets,
  services,
  textOf,
  version,
} from '../house/deploy/files.js';
import { typeProblems } from './api-types.js';
import {
  configMapIn,
  environmentIn,
  type KubernetesObject,
  labelsOf,
  ofKind,
  ownContainer,
  podOf,
  render,
  type Selector,
  selects,
} from './rendered.js';

/** The keys of the secret that the handbook tells to make. */
const external = Object.fromEntries(
  [...textOf('docs/operations/kubernetes.md').matchAll(/--from-literal=(\w+)=["']([^'"]+)/g)].map(
    ([, key = '', value = '']) => [key, key === 'SECRET_KEY' ? (secrets.SECRET_KEY as string) : value],
  ),
);

it('finds fields that the API does not have, and values of another type', () => {
  const object = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'a' } };
  const problems = typeProblems([
    { ...object, spec: { maxUnavailable: 1, selectr: {} } },
    { ...object, spec: { selector: 1 } },
  ]);
  expect(problems).toEqual([
    expect.stringContaining('\'"selectr"\' does not exist'),
    expect.stringContaining("'number'"),
  ]);
});

describe.each([
  { folder: 'k8s/small', components: [], secret: secrets },
  { folder: 'k8s/production', components: [], secret: external },
  { folder: 'k8s/production', components: ['k8s/monitoring'], secret: external },
])('$folder with $components', ({ folder, components, secret }) => {
  const objects = render(folder, ...components);
  const workloads = ofKind(objects, 'Deployment', 'StatefulSet');
  const ours = ofKind(objects, 'Deployment');
  const environmentOf = (deployment: KubernetesObject) => environmentIn(objects, deployment, secret);
  const podsOf = (selector: Selector) => workloads.filter((workload) => selects(selector, labelsOf(workload)));

  it('is made of what the API of Kubernetes has', () => {
    expect(typeProblems(objects)).toEqual([]);
    expect(objects.filter(({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'bindery')).toEqual(
      [],
    );
  });

  it('needs no objects of an operator, unless the component of monitoring is chosen', () => {
    const foreign = objects.filter(
      ({ apiVersion }) => /\./.test(apiVersion) && !/^[a-z.]+\.k8s\.io\//.test(apiVersion),
    );
    expect(new Set(foreign.map(({ apiVersion }) => apiVersion))).toEqual(
      new Set(components.map(() => 'monitoring.coreos.com/v1')),
    );
  });

  it('runs every service by itself, from the image of this version', () => {
    expect(new Map(ours.map((each) => [each.metadata.name, environmentOf(each).SERVICES]))).toEqual(
      new Map(services.map((service) => [`bindery-${service}`, runBy(service)])),
    );
    expect(ours.filter((each) => !ownContainer(each).image.endsWith(`bindery:${version}`))).toEqual([]);
  });

  it('gives each process settings that it knows and accepts', () => {
    const problems = ours.flatMap((each) => {
      const environment = environmentOf(each);
      // Parts of addresses, such as NATS_PASSWORD, are in the environment only to be put into them.
      const parts = JSON.stringify(ownContainer(each).env).matchAll(/\$\((\w+)\)/g);
      for (const [, part = ''] of parts) delete environment[part];
      return environmentProblems(environment);
    });
    expect(problems).toEqual([]);
  });

  it('uses ConfigMaps, secrets, accounts and volumes that exist', () => {
    const keys = workloads
      .flatMap((each) => ownContainer(each).env ?? [])
      .flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []);
    expect(keys.filter(({ name, key }) => name !== 'bindery' || secret[key] === undefined)).toEqual([]);
    const accounts = ofKind(objects, 'ServiceAccount').map(({ metadata }) => metadata.name);
    expect(ours.map((each) => podOf(each).serviceAccountName).sort()).toEqual(accounts.sort());
    for (const workload of workloads) {
      const volumes = podOf(workload).volumes ?? [];
      const claims: KubernetesObject[] = workload.spec.volumeClaimTemplates ?? [];
      const named = [...volumes.map(({ name }) => name), ...claims.map(({ metadata }) => metadata.name)];
      for (const { name, subPath } of ownContainer(workload).volumeMounts ?? []) {
        expect(named).toContain(name);
        const map = volumes.find((volume) => volume.name === name)?.configMap?.name;
        if (map && subPath) expect(configMapIn(objects, map).data).toHaveProperty([subPath]);
      }
    }
  });

  it('selects pods that there are, by ports that they have', () => {
    for (const { spec, metadata } of [
      ...ofKind(objects, 'PodDisruptionBudget'),
      ...ofKind(objects, 'Deployment', 'StatefulSet'),
    ])
      expect([metadata.name, podsOf(spec.selector).map((each) => each.metadata.name)]).toEqual([
        metadata.name,
        [metadata.name],
      ]);
    for (const { spec } of ofKind(objects, 'HorizontalPodAutoscaler'))
      expect(ours.map(({ metadata }) => metadata.name)).toContain(spec.scaleTargetRef.name);
    for (const { spec } of ofKind(objects, 'Service')) {
      const [workload] = podsOf({ matchLabels: spec.selector });
      const ports = ownContainer(workload as KubernetesObject).ports?.flatMap(({ name, containerPort }) => [
        name,
        containerPort,
      ]);
      for (const { port, targetPort } of spec.ports) expect(ports).toContain(targetPort ?? port);
    }
    for (const { spec } of ofKind(objects, 'PodMonitor'))
      for (const pod of podsOf(spec.selector))
        expect(ownContainer(pod).ports?.map(({ name }) => name)).toContain(spec.podMetricsEndpoints[0].port);
    for (const { spec } of ofKind(objects, 'Ingress')) {
      const backend = spec.rules[0].http.paths[0].backend.service;
      const service = ofKind(objects, 'Service').find(({ metadata }) => metadata.name === backend.name);
      expect(service?.spec.ports.map(({ name }: { name: string }) => name)).toContain(backend.port.name);
      expect(readConfig(environmentOf(ours[0] as KubernetesObject)).baseUrl).toBe(`https://${spec.rules[0].host}`);
    }
  });

  it('has network policies about pods and ports that there are, and one about everything', () => {
    const policies = ofKind(objects, 'NetworkPolicy');
    expect(
      policies.filter(({ spec }) => Object.keys(spec.podSelector).length === 0 && !spec.egress && !spec.ingress),
    ).toHaveLength(1);
    for (const { metadata, spec } of policies) {
      const peers = [...(spec.ingress ?? []), ...(spec.egress ?? [])].flatMap(({ from = [], to = [] }) => [
        ...from,
        ...to,
      ]);
      const selectors: Selector[] = [spec.podSelector, ...peers.flatMap(({ podSelector }) => podSelector ?? [])];
      expect([metadata.name, selectors.filter((selector) => podsOf(selector).length === 0)]).toEqual([
        metadata.name,
        [],
      ]);
      const ports = podsOf(spec.podSelector).flatMap((pod) => ownContainer(pod).ports ?? []);
      for (const { port } of (spec.ingress ?? []).flatMap(({ ports = [] }) => ports))
        expect(ports.flatMap(({ name, containerPort }) => [name, containerPort])).toContain(port);
    }
  });

  it('lets every process reach the servers of its settings', () => {
    const egress = (deployment: KubernetesObject) =>
      ofKind(objects, 'NetworkPolicy')
        .filter(({ spec }) => spec.egress && selects(spec.podSelector, labelsOf(deployment)))
        .flatMap(({ spec }) => spec.egress)
        .flatMap(({ ports = [] }) => ports.map(({ port }: { port: number }) => port));
    for (const deployment of ours) {
      const { NATS_URL, MONGODB_URL, CLICKHOUSE_URL } = environmentOf(deployment);
      const urls = [NATS_URL?.split(',')[0], MONGODB_URL, CLICKHOUSE_URL].flatMap((url) => (url ? [new URL(url)] : []));
      const wanted = urls.map(({ port }) => Number(port || 27017));
      expect(egress(deployment)).toEqual(expect.arrayContaining(wanted));
      if (folder !== 'k8s/small') continue;
      const names = ofKind(objects, 'Service').map(({ metadata }) => metadata.name);
      expect(
        urls.map(({ hostname }) => hostname.split('.').at(-1)).filter((name) => !names.includes(name ?? '')),
      ).toEqual([]);
    }
  });

  it('keeps pods from whatever the standard `restricted` forbids, and from writing outside of their volumes', () => {
    for (const workload of workloads) {
      expect(podOf(workload)).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: expect.any(Number),
          seccompProfile: { type: 'RuntimeDefault' },
        },
      });
      expect(ownContainer(workload).securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const { requests, limits } = ownContainer(workload).resources;
      for (const quantity of [requests.memory, limits.memory]) expect(quantity).toMatch(/^\d+[MG]i$/);
      expect(requests.cpu).toMatch(/^\d+m$/);
    }
  });

  it('waits for the end of a process as long as it may take', () => {
    for (const deployment of ours) {
      const wait = Number(ownContainer(deployment).lifecycle?.preStop.exec.command[1] ?? 0);
      const { drainSeconds } = readConfig(environmentOf(deployment));
      // Connections, requests of the gateway and those of other services: 8 seconds each at most.
      expect(podOf(deployment).terminationGracePeriodSeconds).toBeGreaterThan(wait + drainSeconds + 3 * 8);
    }
  });

  it('uses the ports of the image', () => {
    const ports = Object.fromEntries(
      ours.flatMap((each) => ownContainer(each).ports ?? []).map(({ name, containerPort }) => [name, containerPort]),
    );
    expect(ports).toEqual({ http: Number(imageEnvironment.PORT), metrics: Number(imageEnvironment.METRICS_PORT) });
  });
});
