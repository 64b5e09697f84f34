import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { spaceDeleted } from '../../services/content/events.js';
import { outboxCollection } from '../../shared/jobs/outbox.js';
import { createLog } from '../../shared/monitoring/log.js';
import { freePort } from '../../shared/process/free-port.js';
import { packageFile } from '../../shared/process/package-root.js';
import { openStore } from '../../shared/process/platform.js';
import { version } from '../../shared/process/version.js';
import { readConfig } from '../../shared/settings/config.js';
import type { Collection } from '../../shared/store/port.js';
import { newId, timestamp } from '../../shared/values/ids.js';
import { newOrganization, newSpace } from '../support/fixtures.js';
import { NameServer } from '../support/name-server.js';
import { openOperator } from '../support/operator.js';
import { type StartedServer, startServer } from '../support/server.js';
import { answersTo, changesSince } from './answers.js';
import { packData, writeContract, writeRecording } from './baseline.js';
import { declaredContract } from './contract/declared.js';
import { fill } from './filling.js';

/** Records this code as the release that the next one is compared with: see docs/contributing/change-in-two-releases.md. */
it('records the baseline', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bindery-baseline-'));
  process.env.BINDERY_TEST_STORE = JSON.stringify({ DATA_DIR: dataDir });
  const endOperator = await openOperator();
  const names = new NameServer();
  process.env.BINDERY_TEST_DNS = await names.open();
  process.env.BINDERY_TEST_DNS_CONTROL = await names.openControl();
  const port = await freePort();
  const start = () => startServer({ dataDir, port, env: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' } });
  let server = await start();
  const { setting, tokens, questions } = await fill(server, await newOrganization(server));
  const organization = await newOrganization(server);
  const deleted = await newSpace(server, organization);
  await server.post(`/v1/spaces/${deleted}/comments`, { body: { markdown: 'Of a space that is gone' } });
  const importing = await newSpace(server, organization);
  await settled(server);
  const ask = () => answersTo(questions, { client: server, tokens });
  await server.stop();
  server = await start();
  const answers = await ask();
  await server.stop();
  server = await start();
  const again = await ask();
  expect(changesSince(answers, again)).toEqual([]);
  await hangingImport(server, importing);
  await server.kill();
  await leaveEvent(dataDir, { organization, space: deleted });
  const { id, email } = setting.member;
  writeRecording({
    commit: productCommit(),
    version,
    at: Date.now(),
    port,
    tokens,
    organization: setting.organization,
    member: { id, email },
    importing,
    deleted,
    answers,
  });
  await endOperator();
  names.close();
  await pack(dataDir);
  writeContract(declaredContract());
  await rm(dataDir, { recursive: true });
});

/** The last commit that changed the product: what was built. */
const productCommit = () =>
  execFileSync('git', ['log', '-1', '--format=%H', '--', 'services', 'shared', 'package.json'], {
    cwd: packageFile(''),
    encoding: 'utf8',
  }).trim();

const measureMs = 5_000;

/** Nothing waits to be delivered, and nothing runs. */
async function settled(server: StartedServer): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    // What is counted is measured every 5 s.
    await delay(measureMs);
    const { body } = await server.get<string>('/metrics');
    quiet = /^bindery_(outbox_pending\{.*|jobs\{.*"running"\}) [1-9]/m.test(body) ? 0 : quiet + 1;
  }
}

/** Starts an import that does not end: its repository never answers. */
async function hangingImport(server: StartedServer, space: string): Promise<void> {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/none.git`;
  await server.post(`/v1/spaces/${space}/git/import`, { url, ref: 'refs/heads/main' });
  while ((await server.get(`/v1/spaces/${space}/git/info`)).body.operation.queued);
  silent.close();
}

/** An event in the outbox of content that the process did not live to deliver. */
async function leaveEvent(dataDir: string, payload: { organization: string; space: string }): Promise<void> {
  const store = await openStore(readConfig({ DATA_DIR: dataDir }), createLog('silent'));
  const outbox = outboxCollection('content');
  await store.prepare([outbox] as Collection<never>[]);
  const event = { name: spaceDeleted.name, payload, createdAt: timestamp() };
  await store.insert(outbox, { _id: `comments:${newId()}`, ...event });
  await store.close();
}

/** Caches, locks, and events of visitors: their table is compared by what it declares. */
const left = /^(lock.*|git|analytics|bindery\.sqlite-.*|\.probe.*)$/;

async function pack(dataDir: string): Promise<void> {
  const { default: Database } = await import('libsql');
  const database = new Database(join(dataDir, 'bindery.sqlite'));
  database.exec('PRAGMA wal_checkpoint(TRUNCATE); VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  await packData(dataDir, (await readdir(dataDir)).filter((name) => !left.test(name)).sort());
}
