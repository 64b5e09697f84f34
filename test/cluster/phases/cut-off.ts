import { randomUUID } from 'node:crypto';
import { eventually } from '../../../shared/testing/eventually.js';
import { stopwatch } from '../../../shared/testing/stopwatch.js';
import type { Wire } from '../../../shared/testing/wire.js';
import { Client } from '../../support/server.js';
import type { Scene } from '../load/scene.js';
import { checkAnswers } from '../load/verdicts.js';
import type { Node } from '../node.js';
import { inTurn } from '../turn.js';
import { type Setting, underLoad } from './phase.js';

/** How a node loses NATS: its connections are refused, or fall silent. The driver notices silence by pings. */
const cuts = [
  { how: 'refused', cut: (wire: Wire) => wire.refuse() },
  { how: 'silent', cut: (wire: Wire) => wire.hang() },
];

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
    areSeen: () => Promise.all([eventually('the revoked token', isRevoked), eventually('the new title', isRenamed)]),
  };
}

async function cutOff(setting: Setting, node: Node, { how, cut }: (typeof cuts)[number]) {
  const { cluster, token } = setting;
  const wire = cluster.wires.get(node.name) as Wire;
  await underLoad(setting, `${node.name} cut off, ${how}`, async ({ load, phase, report }) => {
    let since = stopwatch();
    const tell = (what: string) => {
      report.note(phase, `${what} after ${Math.round(since())} ms`);
      since = stopwatch();
    };
    const becomes = (status: number) =>
      eventually(`${status} of the readiness of ${node.name}`, node.readiness.bind(node), (is) => is === status);
    const other = new Client((cluster.gateways[1] as Node).url, token);
    const changed = await changes(load.scene, other, new Client(cluster.url, token));
    await changed.read();
    cut(wire);
    await becomes(503);
    tell('not ready');
    if (node.service === 'gateway') {
      const { status } = await new Client(node.url, token).get('/v1/orgs');
      report.promise(phase, `answers ${status} by itself`, status === 503);
    }
    await changed.make();
    await load.goesOn(2);
    since = stopwatch();
    wire.go();
    await becomes(200);
    tell('the wire is back: ready');
    await changed.areSeen();
    tell('what changed meanwhile is seen');
    await load.goesOn(2);
    await load.stop();
    // A gateway that has not noticed yet is asked until its readiness tells.
    checkAnswers(load.samples, { reads: node.service === 'gateway' ? [503] : [], writes: [503, 504] }, [phase, report]);
  });
}

/** Cuts a service, then a gateway, off from NATS under load, by refused and by silent connections. */
export async function cutOffs(setting: Setting): Promise<void> {
  const { cluster } = setting;
  const all = [...cluster.wires.keys()].flatMap((name) => cuts.map((cut) => [name, cut] as const));
  for (const [name, cut] of inTurn(all))
    await cutOff(setting, cluster.nodes.find((node) => node.name === name) as Node, cut);
}
