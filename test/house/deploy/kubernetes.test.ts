import { existsSync, readdirSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { packageFile } from '../../../shared/process/package-root.js';
import { environmentProblems, imageEnvironment, services, textOf, version, yamlOf } from './files.js';

interface Kustomization {
  nameSuffix?: string;
  labels?: { pairs: Record<string, string> }[];
  resources?: string[];
  components?: string[];
  patches?: { path?: string }[];
  configMapGenerator?: { name: string; literals?: string[]; files?: string[] }[];
  images?: { name: string; newTag?: string }[];
}
interface Deployment {
  spec: { template: { spec: { containers: Container[]; volumes: { name: string }[] } } };
}
interface Container {
  image: string;
  env: { name: string; value?: string }[];
  envFrom?: unknown;
  securityContext: unknown;
  ports: { name: string; containerPort: number }[];
  volumeMounts: { name: string; mountPath: string }[];
  [probe: `${string}Probe`]: { httpGet: { path: string; port: string } };
}

const kustomizations = readdirSync(packageFile('k8s'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('kustomization.yaml'))
  .map((path) => ({ path: `k8s/${path}`, ...yamlOf<Kustomization>(`k8s/${path}`) }));
const containerIn = (path: string) => yamlOf<Deployment>(path).spec.template.spec.containers[0] as Container;
const container = containerIn('k8s/service/deployment.yaml');

// What they make of these files is tested by `npm run check:deploy`, which needs kubectl.
describe('the files of Kubernetes', () => {
  it('are all there', () => {
    const named = kustomizations.flatMap(
      ({ path, resources = [], components = [], patches = [], configMapGenerator = [] }) =>
        [
          ...resources,
          ...components,
          ...patches.flatMap((patch) => patch.path ?? []),
          ...configMapGenerator.flatMap(({ files = [] }) => files),
        ].map((name) => posix.join(dirname(path), name)),
    );
    expect(named.filter((path) => !existsSync(packageFile(path)))).toEqual([]);
  });

  it('give every service its name', () => {
    const named = kustomizations.flatMap(({ path, nameSuffix, labels }) =>
      nameSuffix ? [[path, nameSuffix, labels?.[0]?.pairs['app.kubernetes.io/component']]] : [],
    );
    expect(named.sort()).toEqual(
      [...services].sort().map((name) => [`k8s/base/${name}/kustomization.yaml`, `-${name}`, name]),
    );
    const [base] = kustomizations.filter(({ path }) => path === 'k8s/base/kustomization.yaml');
    expect(base?.resources).toEqual(expect.arrayContaining(services));
  });

  it('have settings that Bindery knows and accepts', () => {
    const problems = kustomizations.flatMap(({ path, configMapGenerator = [] }) =>
      configMapGenerator.flatMap(({ literals = [] }) => {
        const environment = Object.fromEntries(literals.map((line) => line.split(/=(.*)/s, 2) as [string, string]));
        return environmentProblems(environment).map((problem) => `${path}: ${problem}`);
      }),
    );
    expect(problems).toEqual([]);
  });

  it('name the image of this version', () => {
    const tags = kustomizations.flatMap(({ images = [] }) => images.flatMap(({ newTag }) => newTag ?? []));
    expect(tags).toEqual([version]);
    expect(container.image).toBe('bindery');
  });

  it('ask for health on the port of each process, at paths that it serves', () => {
    const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe].map(
      (probe) => probe?.httpGet,
    );
    expect(probes.map((get) => get?.path)).toEqual(['/healthz', '/healthz', '/readyz']);
    expect(new Set(probes.map((get) => get?.port))).toEqual(new Set(['metrics']));
    const served = textOf('shared/monitoring/health-server.ts');
    expect(probes.filter((get) => !served.includes(`'${get?.path}'`))).toEqual([]);
  });

  it('run scripts in a container that shares a folder with its service, and no setting but its place', () => {
    const { containers, volumes } = yamlOf<Deployment>('k8s/base/integrations/scripts.yaml').spec.template.spec;
    const [service, runner] = containers as [Container, Container];
    const mounts = [{ name: 'scripts', mountPath: '/scripts' }];
    expect([service.volumeMounts, runner.volumeMounts, volumes[0]?.name]).toEqual([mounts, mounts, 'scripts']);
    expect([runner.envFrom, runner.env]).toEqual([undefined, service.env.slice(1)]);
    expect(runner.env).toEqual([{ name: 'INTEGRATION_RUNNER', value: '/scripts/socket' }]);
    expect(runner.securityContext).toEqual(container.securityContext);
  });

  it('use the ports and the folder of the image', () => {
    const ports = [...container.ports, ...containerIn('k8s/base/gateway/port.yaml').ports];
    expect(ports.map(({ name, containerPort }) => [name, String(containerPort)])).toEqual([
      ['metrics', imageEnvironment.METRICS_PORT],
      ['http', imageEnvironment.PORT],
    ]);
    expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toContain(imageEnvironment.DATA_DIR);
  });
});

it('Compose and Kubernetes run the same versions of NATS, MongoDB and ClickHouse', () => {
  const compose = Object.values(yamlOf<{ services: Record<string, { image: string }> }>('docker-compose.yml').services);
  const stores = ['nats', 'mongodb', 'clickhouse'].flatMap((name) =>
    textOf(`k8s/stores/${name}.yaml`).match(/(?<=image: ).+/g),
  );
  const images = compose.map(({ image }) => image).filter((image) => !image.startsWith('bindery:'));
  expect(stores.sort()).toEqual(images.sort());
});
