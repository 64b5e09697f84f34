import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { packageFile } from '../../shared/process/package-root.js';
import { imageEnvironment } from '../house/deploy/files.js';

export interface Container {
  name: string;
  image: string;
  env?: Variable[];
  envFrom?: { configMapRef: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  volumeMounts?: { name: string; mountPath: string; subPath?: string }[];
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  securityContext: Record<string, unknown>;
  lifecycle?: { preStop: { exec: { command: string[] } } };
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
}
export interface Variable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: { name: string; key: string }; fieldRef?: { fieldPath: string } };
}
interface Probe {
  httpGet?: { path: string; port: string };
}
export interface Pod {
  serviceAccountName?: string;
  terminationGracePeriodSeconds: number;
  securityContext: Record<string, unknown>;
  containers: Container[];
  volumes?: { name: string; configMap?: { name: string } }[];
}
type Labels = Record<string, string>;
export interface Selector {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: string; values: string[] }[];
}
/** An object of Kubernetes, with what the tests look at. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Labels };
  data?: Record<string, string>;
  spec?: any;
}

/** What `kubectl apply -k` would send, of one folder or of an overlay with components beside it. */
export function render(folder: string, ...components: string[]): KubernetesObject[] {
  if (components.length > 0) return renderOverlay(folder, components);
  const text = execFileSync('kubectl', ['kustomize', packageFile(folder)], { encoding: 'utf8' });
  return parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject);
}

function renderOverlay(folder: string, components: string[]): KubernetesObject[] {
  const overlay = realpathSync(mkdtempSync(join(tmpdir(), 'bindery-overlay-')));
  const named = (names: string[]) => names.map((name) => relative(overlay, packageFile(name)));
  try {
    const kustomization = { resources: named([folder]), components: named(components), namespace: 'bindery' };
    writeFileSync(join(overlay, 'kustomization.yaml'), stringify(kustomization));
    return render(relative(packageFile('.'), overlay));
  } finally {
    rmSync(overlay, { recursive: true });
  }
}

export const ofKind = (objects: KubernetesObject[], ...kinds: string[]) =>
  objects.filter(({ kind }) => kinds.includes(kind));

export const podOf = ({ spec }: KubernetesObject): Pod => spec.template.spec;
export const labelsOf = ({ spec }: KubernetesObject): Labels => spec.template.metadata.labels;
export const ownContainer = (workload: KubernetesObject): Container => podOf(workload).containers[0] as Container;

export function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  return (
    Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
    matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''))
  );
}

/** The environment of a container of Bindery, whose secrets have the values given. Throws when a part of it is nowhere. */
export function environmentIn(
  objects: KubernetesObject[],
  workload: KubernetesObject,
  secrets: Record<string, string>,
): Record<string, string> {
  const { env = [], envFrom = [] } = ownContainer(workload);
  const environment: Record<string, string> = { ...imageEnvironment };
  for (const { configMapRef } of envFrom) Object.assign(environment, configMapIn(objects, configMapRef.name).data);
  for (const variable of env) environment[variable.name] = valueFor(variable, { workload, environment, secrets });
  return environment;
}

export function configMapIn(objects: KubernetesObject[], name: string): KubernetesObject {
  const found = ofKind(objects, 'ConfigMap').find(({ metadata }) => metadata.name === name);
  if (!found) throw new Error(`no ConfigMap ${name}`);
  return found;
}

interface Place {
  workload: KubernetesObject;
  /** What is known so far: a value takes others only from above itself. */
  environment: Record<string, string>;
  secrets: Record<string, string>;
}

function valueFor({ name, value, valueFrom }: Variable, { workload, environment, secrets }: Place): string {
  const { secretKeyRef, fieldRef } = valueFrom ?? {};
  const label = /^metadata\.labels\['(.+)'\]$/.exec(fieldRef?.fieldPath ?? '')?.[1];
  const found = secretKeyRef
    ? secrets[secretKeyRef.key]
    : label
      ? labelsOf(workload)[label]
      : value?.replace(/\$\((\w+)\)/g, (_, other: string) => environment[other] ?? `$(${other})`);
  if (found === undefined || found.includes('$(')) throw new Error(`${name} has no value`);
  return found;
}
