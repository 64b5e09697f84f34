import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../support/server.js';

/** What needs a setting, a kind of request or a job; each costs a start at least a hundredth of its processor time. */
const usedLater = [
  '@node-saml/node-saml',
  '@opentelemetry/sdk-trace-node',
  '@scalar/openapi-upgrader',
  'chdb',
  'hast-util-from-parse5',
  'mammoth',
  'mongodb',
  'nats',
  'nodemailer',
  'undici',
  'workerd',
];

/** The packages that a process loaded, by the coverage that Node.js wrote at its end. */
async function loadedPackages(folder: string, pid: number): Promise<Set<string>> {
  const packages = new Set<string>();
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`coverage-${pid}-`)) continue;
    const { result } = JSON.parse(await readFile(join(folder, name), 'utf8')) as { result: { url: string }[] };
    for (const { url } of result) {
      const [, found] = /^file:.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
      if (found) packages.add(found);
    }
  }
  return packages;
}

it('loads no package before it is used', async () => {
  const NODE_V8_COVERAGE = await mkdtemp(join(tmpdir(), 'bindery-loading-'));
  const server = await startServer({ env: { NODE_V8_COVERAGE } });
  expect((await server.get('/v1/user')).status).toBe(200);
  expect(await server.stop()).toBe(0);
  const packages = await loadedPackages(NODE_V8_COVERAGE, Number(server.process.pid));
  expect(packages).toContain('moleculer');
  expect(usedLater.filter((name) => packages.has(name))).toEqual([]);
  await rm(NODE_V8_COVERAGE, { recursive: true });
});
