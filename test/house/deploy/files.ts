import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { packageFile } from '../../../shared/process/package-root.js';
import { configSchema, readConfig } from '../../../shared/settings/config.js';

/** The text of a file of the repository. */
export const textOf = (path: string): string => readFileSync(packageFile(path), 'utf8');

export const yamlOf = <T>(path: string): T => parse(textOf(path), { merge: true }) as T;

export const version: string = JSON.parse(textOf('package.json')).version;

/** Every service of Bindery that has processes of its own: the reader and the app stand beside the gateway. */
export const services = readdirSync(packageFile('services')).filter(
  (name) => !['reader', 'app'].includes(name) && existsSync(packageFile(`services/${name}/service.ts`)),
);

/** `SERVICES` of the process that has a service's name. */
export const runBy = (service: string): string => (service === 'gateway' ? 'gateway,reader,app' : service);

/** The environment that the image sets. */
export const imageEnvironment: Record<string, string> = Object.fromEntries(
  [...textOf('deploy/Dockerfile').matchAll(/^ENV (.+)$/gm)]
    .flatMap(([, line = '']) => line.split(' '))
    .map((setting) => setting.split('=', 2) as [string, string]),
);

/** What `deploy/secrets` writes, with values of the same form. */
export const secrets: Record<string, string> = Object.fromEntries(
  [...textOf('deploy/secrets').matchAll(/^(?:secrets=")?([A-Z_]+)=\$\(/gm)].map(([, name = '']) => [
    name,
    name === 'SECRET_KEY' ? Buffer.alloc(32).toString('base64') : `p${'0'.repeat(48)}`,
  ]),
);

const settings = new Set([...Object.keys(configSchema.shape), 'NODE_ENV']);

/** What is wrong with the environment of a process of Bindery in a container: names that are no setting, values that are refused. */
export function environmentProblems(environment: Record<string, string>): string[] {
  const unknown = Object.keys(environment).filter((name) => !settings.has(name));
  try {
    readConfig({ ...imageEnvironment, ...environment });
    return unknown;
  } catch (error) {
    return [...unknown, (error as Error).message];
  }
}
