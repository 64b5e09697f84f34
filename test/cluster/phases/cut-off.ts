import { setTimeout as delay } from 'node:timers/promises';
import type { Wire } from '../../../shared/testing/wire.js';
import { Client } from '../../support/server.js';
import { checkAnswers } from '../load/verdicts.js';
import type { Node } from '../node.js';
import { type Setting, seconds, type UnderLoad, underLoad } from './phase.js';

/** How a node loses NATS: its connections are refused, or fall silent. The driver notices silence by pings. */
const cuts = [
  { how: 'refused', cut: (wire: Wire) => wire.refuse(), awaySeconds: 5, noticedMs: 2_000 },
  { how: 'silent', cut: (wire: Wire) => wire.hang(), awaySeconds: 14, noticedMs: 11_000 },
];

const freshMs = 1_000;

const until = async (isSo: () => Promise<boolean>): Promise<number> => {
  const began = performance.now();
  while (!(await isSo())) await delay(20);
  return performance.now() - began;
};

/** Milliseconds that the answer of `ask` stays another after a node has come back. */
const staleFor = async (expected: number, ask: () => Promise<{ status: number }>): Promise<number> =>
  until(async () => (await ask()).status === expected);

/** What is changed while a node is away: a token is revoked and a space is deleted. */
async function changes({ client, organization }: UnderLoad['load']['scene'], away: Client) {
  const { body: token } = await client.post('/v1/user/tokens', { label: 'to revoke' });
  const { body: space } = await client.post(`/v1/orgs/${organization}/spaces`, { title: 'To delete' });
  const asked = [
    () => away.get('/v1/user', { token: token.token }),
    () => client.get(`/v1/spaces/${space.id}`),
  ] as const;
  return {
    /** Fills the caches of the node. */
    read: () => Promise.all(asked.map((ask) => ask())),
    async make(through: Client) {
      await through.delete(`/v1/user/tokens/${token.id}`);
      await through.delete(`/v1/spaces/${space.id}`);
    },
    async areSeen(): Promise<number> {
      const [revoked, deleted] = await Promise.all([staleFor(401, asked[0]), staleFor(404, asked[1])]);
      return Math.max(revoked, deleted);
    },
  };
}

async function cutOff(setting: Setting, node: Node, { how, cut, awaySeconds, noticedMs }: (typeof cuts)[number]) {
  const { cluster, token } = setting;
  const wire = cluster.wires.get(node.name) as Wire;
  await underLoad(setting, `${node.name} cut off, ${how}`, async ({ load, phase, report }) => {
    await seconds(2);
    const other = new Client((cluster.gateways[1] as Node).url, token);
    const changed = await changes({ ...load.scene, client: other }, new Client(cluster.url, token));
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
    await changed.make(other);
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
