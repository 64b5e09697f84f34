import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { packageFile } from '../../shared/process/package-root.js';

export type Environment = Record<string, string>;

interface ComposeService {
  environment?: Record<string, unknown> | string[];
  stop_grace_period?: string;
}

/** What the compose file says of one application service. */
export interface Deployed {
  environment: Environment;
  /** Milliseconds that a stop may take. */
  graceMs: number;
}

/** Replaces `${NAME}`, `${NAME:-default}` and `${NAME:?message}` as Docker Compose does. */
export function interpolate(text: string, variables: Environment): string {
  return text.replace(/\$\$|\$\{(\w+)(?::?([-?])([^}]*))?\}/g, (whole, name?: string, kind?: string, rest = '') => {
    if (name === undefined) return whole === '$$' ? '$' : whole;
    const value = variables[name];
    if (value) return value;
    if (kind === '-') return rest;
    if (kind === '?') throw new Error(`docker-compose.yml needs ${name}: ${rest}`);
    return '';
  });
}

/**
 * A value for each variable that the compose file cannot do without, as `deploy/secrets` makes it: a letter first, since NATS takes
 * `1e7a…` for a number.
 */
const secretsFor = (text: string): Environment =>
  Object.fromEntries(
    [...text.matchAll(/\$\{(\w+):?\?/g)].map(([, name = '']) => [
      name,
      name.endsWith('SECRET_KEY') ? randomBytes(32).toString('base64') : `p${randomBytes(16).toString('hex')}`,
    ]),
  );

const asText = (value: unknown) => (value === null || value === undefined ? '' : String(value));

const environmentOf = ({ environment = {} }: ComposeService): Environment =>
  Array.isArray(environment)
    ? Object.fromEntries(environment.map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]))
    : Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, asText(value)]));

const unitMs: Record<string, number> = { s: 1000, m: 60_000 };

function milliseconds(duration = '10s'): number {
  const parts = [...duration.matchAll(/(\d+)([sm])/g)];
  return parts.reduce((sum, [, count, unit = 's']) => sum + Number(count) * (unitMs[unit] as number), 0);
}

/** The application services of docker-compose.yml by their names, with generated secrets. */
export async function readCompose(): Promise<Map<string, Deployed>> {
  const text = await readFile(packageFile('docker-compose.yml'), 'utf8');
  const filled = interpolate(text, secretsFor(text));
  const { services } = parse(filled, { merge: true }) as { services: Record<string, ComposeService> };
  const found = new Map<string, Deployed>();
  for (const [name, service] of Object.entries(services)) {
    const environment = environmentOf(service);
    if (environment.SERVICES) found.set(name, { environment, graceMs: milliseconds(service.stop_grace_period) });
  }
  return found;
}
