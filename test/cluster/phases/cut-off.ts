import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Wire } from '../../../shared/testing/wire.js';
import { Client } from '../../support/server.js';
import type { Scene } from '../load/scene.js';
import { checkAnswers } from '../load/verdicts.js';
import type { Node } from '../node.js';
import { type Setting, seconds, underLoad } from './phase.js';

/** How a node loses NATS: its connections are refused, or fall silent. The driver notices silence by pings. */
const cuts = [
  { how: 'refused', cut: (wire: Wire) => wire.refuse(), awaySeconds: 5, noticedMs: 2_000 },
  { how: 'silent', cut: (wire: Wire) => wire.hang(), awaySeconds: 14, noticedMs: 11_000 },
];

const freshMs = 1_000;

const longestMs = 20_000;

/** Milliseconds until the first question of which the answer is that something is so; how long a busy machine takes to answer does not count. */
async function until(isSo: () => Promise<boolean>): Promise<number> {
  const began = performance.now();
  let asked = 0;
  while (!(await isSo()) && asked < longestMs) {
    await delay(50);
    asked = performance.now() - began;
  }
  return asked;
}

const keyed = () => ({ headers: { 'idempotency-key': randomUUID() } });

async function done(ask: () => Promise<{ status: number; body: unknown }>): Promise<void> {
  const { status, body } = await ask();
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
}

/** What is changed while a node is away: a token is revoked and a space gets another title. `away` may reach the node. */
async function changes({ organization }: Scene, client: Client, away: Client) {
  const { body: token } = await client.post('/v1/user/tokens', { label: 'to revoke' });
  const { body: space } = await client.post(`/v1/orgs/${organization}/spaces`, { title: 'To rename' });
  const path = `/v1/spaces/${space.id}`;
  const isRevoked = async () => (await away.get('/v1/user', { token: token.token })).status === 401;
  const isRenamed = async () => (await away.get(path)).body.title === 'Renamed';
  return {
    /** Fills the caches. */
    read: () => Promise.all([isRevoked(), isRenamed()]),
    async make() {
      await done(() => client.delete(`/v1/user/tokens/${token.id}`, keyed()));
      await done(() => client.patch(path, { title: 'Renamed' }, keyed()));
    },
    /** Milliseconds until both are seen. */
    areSeen: async () => Math.max(...(await Promise.all([until(isRevoked), until(isRenamed)]))),
  };
}

async function cutOff(setting: Setting, node: Node, { how, cut, awaySeconds, noticedMs }: (typeof cuts)[number]) {
  const { cluster, token } = setting;
  const wire = cluster.wires.get(node.name) as Wire;
  await underLoad(setting, `${node.name} cut off, ${how}`, async ({ load, phase, report }) => {
    await seconds(2);
    const other = new Client((cluster.gateways[1] as Node).url, token);
    const changed = await changes(load.scene, other, new Client(cluster.url, token));
    await changed.read();
    cut(wire);
    const noticed = await until(async () => (await node.readiness()) === 503);
    report.promise(phase, `not ready ${Math.round(noticed)} ms after the cut`, noticed < noticedMs);
    if (node.service === 'gateway') {
      const began = performance.now();
      const { status } = await new Client(node.url, token).get('/v1/orgs');
      const ms = Math.round(performance.now() - began);
      report.promise(phase, `answers ${status} by itself in ${ms} ms`, status === 503 && ms < 500);
    }
    await changed.make();
    await seconds(Math.max(1, awaySeconds - noticed / 1000));
    wire.go();
    const back = await until(async () => (await node.readiness()) === 200);
    const stale = await changed.areSeen();
    report.promise(phase, `ready ${(back / 1000).toFixed(1)} s after the wire is back`, back < 10_000);
    report.promise(phase, `what changed meanwhile is seen ${Math.round(stale)} ms later`, stale < freshMs);
    await seconds(3);
    await load.stop();
    // A gateway that has not noticed yet is asked until its readiness tells.
    checkAnswers(load.samples, { reads: node.service === 'gateway' ? [503] : [], writes: [503, 504] }, [phase, report]);
  });
}

/** Cuts a service, then a gateway, off from NATS under load, by refused and by silent connections. */
export async function cutOffs(setting: Setting): Promise<void> {
  for (const name of setting.cluster.wires.keys())
    for (const each of cuts)
      await cutOff(setting, setting.cluster.nodes.find((node) => node.name === name) as Node, each);
}
