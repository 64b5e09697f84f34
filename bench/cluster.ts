import { setTimeout as delay } from 'node:timers/promises';
import autocannon from 'autocannon';
import { Cluster } from '../test/cluster/cluster.js';
import { newScene, type Scene } from '../test/cluster/load/scene.js';
import { type Node, processorTime } from '../test/cluster/node.js';
import { median } from './median.js';
import { token } from './product.js';

/**
 * Services over NATS against all in one process, on the same MongoDB: one and two processes of each service and of the gateway.
 * Ratios of throughput, latencies, and the processor time that a request takes of each kind of process. Needs MONGODB_URL.
 */
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const seconds = Number(process.env.BENCH_SECONDS ?? 4);
const warmSeconds = 10;
const idleSeconds = 5;
const connections = 32;

interface Case {
  name: string;
  path: string;
  method?: 'GET' | 'POST';
  body?: string;
}

/** What runs in a round. */
interface Arrangement {
  name: string;
  nodes: Node[];
}

interface Sample {
  rate: number;
  p50: number;
  p99: number;
  /** Microseconds of processor time a request, by kind of process. */
  spent: Map<string, number>;
}

const casesOf = ({ space, site, client }: Scene): Case[] => [
  { name: 'a space', path: `/v1/spaces/${space}` },
  { name: 'a site of a URL', path: `/v1/urls/published?url=${encodeURIComponent(`${client.url}/sites/${site}/`)}` },
  { name: '50 comments', path: `/v1/spaces/${space}/comments` },
  {
    name: 'a new comment',
    path: `/v1/spaces/${space}/comments`,
    method: 'POST',
    body: JSON.stringify({ body: { markdown: 'Text' } }),
  },
];

function arrangementsOf(cluster: Cluster, together: Node): Arrangement[] {
  const some = (gateways: number, copies: number) =>
    cluster.services.flatMap((name) => cluster.of(name).slice(0, name === 'gateway' ? gateways : copies));
  return [
    { name: 'one process', nodes: [together] },
    { name: '1 gateway, 1 of each service', nodes: some(1, 1) },
    { name: '2 gateways, 1 of each service', nodes: some(2, 1) },
    { name: '1 gateway, 2 of each service', nodes: some(1, 2) },
    { name: '2 gateways, 2 of each service', nodes: some(2, 2) },
  ];
}

const kindOf = ({ service }: Node) => (service === 'gateway' ? 'gateway' : service ? 'services' : 'process');

/** Seconds of processor time so far, by kind of process. */
function spentBy(nodes: Node[], cluster: Cluster): Map<string, number> {
  const spent = new Map([['NATS', processorTime(cluster.engines.nats.pid() as number)]]);
  for (const node of nodes) spent.set(kindOf(node), (spent.get(kindOf(node)) ?? 0) + node.processorTime());
  return spent;
}

/** Seconds of processor time that some work takes, by kind of process. */
async function spending<T>(nodes: Node[], cluster: Cluster, work: () => Promise<T>): Promise<[T, Map<string, number>]> {
  const before = spentBy(nodes, cluster);
  const result = await work();
  const spent = [...spentBy(nodes, cluster)].map(([kind, time]) => [kind, time - (before.get(kind) ?? 0)] as const);
  return [result, new Map(spent)];
}

async function send(nodes: Node[], { path, method = 'GET', body }: Case, duration: number) {
  const doors = nodes.filter(({ service }) => service === 'gateway' || service === '');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const results = await Promise.all(
    doors.map(({ url }) =>
      autocannon({
        url: `${url}${path}`,
        method,
        headers,
        connections: connections / doors.length,
        duration,
        ...(body ? { body } : {}),
      }),
    ),
  );
  const failed = results.reduce((sum, { requests, errors, ...all }) => sum + requests.total - all['2xx'] + errors, 0);
  if (failed > 0) throw new Error(`${method} ${path}: ${failed} failed`);
  return results;
}

async function sample(nodes: Node[], measured: Case, cluster: Cluster): Promise<Sample> {
  const [results, spent] = await spending(nodes, cluster, () => send(nodes, measured, seconds));
  const requests = results.reduce((sum, result) => sum + result.requests.total, 0);
  return {
    rate: results.reduce((sum, result) => sum + result.requests.average, 0),
    p50: Math.max(...results.map(({ latency }) => latency.p50)),
    p99: Math.max(...results.map(({ latency }) => latency.p99)),
    spent: new Map([...spent].map(([kind, time]) => [kind, (time * 1e6) / requests])),
  };
}

async function tellIdle({ name, nodes }: Arrangement, cluster: Cluster): Promise<void> {
  await delay(1000);
  const [, spent] = await spending(nodes, cluster, () => delay(idleSeconds * 1000));
  const each = [...spent].map(([kind, time]) => `${kind} ${Math.round((time * 1e3) / idleSeconds)}`);
  process.stdout.write(`idle, ${name}: ms a second: ${each.join(', ')}\n`);
}

/** Takes each arrangement in turn, several times. A process is warm when it is measured: it has been compiled for all cases. */
async function measure(cluster: Cluster, arrangements: Arrangement[], cases: Case[]): Promise<Map<string, Sample[]>> {
  const samples = new Map<string, Sample[]>();
  for (let round = 0; round < rounds; round++)
    for (const arrangement of arrangements) {
      const { name, nodes } = arrangement;
      await Promise.all(nodes.map((node) => node.start()));
      await Promise.all(nodes.map((node) => node.ready()));
      for (const measured of cases) await send(nodes, measured, warmSeconds);
      for (const measured of cases) {
        const key = `${measured.name} ${name}`;
        samples.set(key, [...(samples.get(key) ?? []), await sample(nodes, measured, cluster)]);
      }
      await tellIdle(arrangement, cluster);
      await Promise.all(nodes.map((node) => node.end('SIGTERM')));
    }
  return samples;
}

function tell(samples: Map<string, Sample[]>, arrangements: Arrangement[], cases: Case[]): void {
  for (const { name: measured } of cases) {
    process.stdout.write(`${measured}\n`);
    const of = (name: string) => samples.get(`${measured} ${name}`) as Sample[];
    for (const { name } of arrangements)
      process.stdout.write(`  ${name.padEnd(32)} ${compared(of(name), of('one process'))}\n`);
  }
}

/** Medians of the samples of an arrangement, and of the ratios to one process. */
function compared(own: Sample[], one: Sample[]): string {
  const middle = (value: (sample: Sample, round: number) => number) => median(own.map(value));
  const ratio = middle((sample, round) => sample.rate / (one[round] as Sample).rate).toFixed(2);
  const [rate, p50, p99] = [
    middle((each) => Math.round(each.rate)),
    middle((each) => each.p50),
    middle((each) => each.p99),
  ];
  const kinds = [...(own[0] as Sample).spent.keys()];
  const spent = kinds.map((kind) => `${kind} ${Math.round(middle((sample) => sample.spent.get(kind) ?? 0))}`);
  return `${ratio} of one process, ${rate}/s, p50 ${p50} ms, p99 ${p99} ms; us a request: ${spent.join(', ')}`;
}

const cluster = await Cluster.start({ token, copies: 2, direct: true });
const together = await cluster.together();
try {
  const scene = await newScene(cluster.url, token);
  for (let n = 0; n < 50; n++)
    await scene.client.post(`/v1/spaces/${scene.space}/comments`, { body: { markdown: `Comment ${n}` } });
  await Promise.all(cluster.nodes.map((node) => node.end('SIGTERM')));
  const [arrangements, cases] = [arrangementsOf(cluster, together), casesOf(scene)];
  tell(await measure(cluster, arrangements, cases), arrangements, cases);
} finally {
  await together.remove();
  await cluster.stop();
}
