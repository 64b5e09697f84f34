import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { MongoClient } from 'mongodb';
import { Wire } from '../../shared/testing/wire.js';
import { newFolder } from './children.js';
import { type Deployed, type Environment, readCompose } from './compose.js';
import { clickHouse, type Engine, mongodb, nats, scriptRunner } from './engines.js';
import { Node } from './node.js';

/** The nodes that tests cut off from NATS. */
const cutOff = ['gateway-1', 'content-1'];

/** What the tests need in addition to the compose file's settings. */
const forTests = (token: string): Environment => ({
  BOOTSTRAP_TOKEN: token,
  // No limit hides what a fault does.
  RATE_LIMIT_PER_MINUTE: '0',
  EVENTS_PER_MINUTE: '0',
  CONNECTIONS_PER_ADDRESS: '10000',
  // Repositories and renderers of the tests are on this machine.
  OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
  PDF_BROWSER: process.env.BROWSER ?? '/usr/bin/chromium',
  DNS_SERVERS: process.env.BINDERY_TEST_DNS ?? '127.0.0.1:9',
  CHECK_RESPONSES: 'true',
  METRICS_PUBLIC: 'true',
  // What only an operator's own installation has.
  SMTP_URL: '',
  RENDERER_URLS: '',
  RENDERER_SECRET: '',
});

export interface ClusterOptions {
  token: string;
  /** Processes of each service; 2 by default. */
  copies?: number;
  settings?: Environment;
  /** Without the proxies by which faults are made. */
  direct?: boolean;
}

const mostStarts = 5;

/**
 * Starts a node again whose stores did not answer in time, as the compose file does: on a busy machine, all processes that start wait for
 * each other.
 */
async function startAsDeployed(node: Node): Promise<void> {
  for (let starts = 1; ; starts++)
    try {
      return await node.start();
    } catch (error) {
      if (starts === mostStarts || !/^(NATS|MONGODB|CLICKHOUSE)_URL: no (connection|answer)/m.test(node.lastWords()))
        throw error;
      process.stderr.write(`${node.name} starts again:\n${node.lastWords()}\n`);
    }
}

/** Every service of the compose file as processes of this machine, on NATS, MongoDB and ClickHouse. */
export class Cluster {
  readonly nodes: Node[] = [];
  /** Between NATS and the nodes that tests cut off from it, by their names. */
  readonly wires = new Map<string, Wire>();

  private constructor(
    readonly engines: Record<'nats' | 'mongodb' | 'clickhouse', Engine>,
    readonly documents: Environment,
    private readonly runner: Awaited<ReturnType<typeof scriptRunner>>,
    private readonly folders: string[],
  ) {}

  static async start({ token, copies = 2, settings = {}, direct = false }: ClusterOptions): Promise<Cluster> {
    const { MONGODB_URL } = process.env;
    if (!MONGODB_URL) throw new Error('set MONGODB_URL to a MongoDB replica set');
    const deployed = await readCompose();
    const setting = (name: string) => [...deployed.values()].map((each) => each.environment[name]).find(Boolean) ?? '';
    const folders = await Promise.all(['clickhouse', 'scripts'].map(newFolder));
    const [events = '', scripts = ''] = folders;
    const engines = {
      nats: await nats(setting('NATS_URL')),
      mongodb: await mongodb(MONGODB_URL, direct),
      clickhouse: await clickHouse(setting('CLICKHOUSE_URL'), events),
    };
    await Promise.all([engines.nats.start(), engines.clickhouse.start()]);
    const documents = new URL(MONGODB_URL);
    documents.host = engines.mongodb.address;
    documents.pathname = `/bindery-cluster-${randomBytes(6).toString('hex')}`;
    const store = { MONGODB_URL: documents.href, SECRET_KEY: setting('SECRET_KEY') };
    const cluster = new Cluster(engines, store, await scriptRunner(scripts), folders);
    await cluster.create(deployed, copies, { ...forTests(token), ...settings });
    if (!direct) for (const name of cutOff) await cluster.wire(name, deployed);
    await Promise.all(cluster.nodes.map(startAsDeployed));
    await cluster.ready();
    return cluster;
  }

  private async create(deployed: Map<string, Deployed>, copies: number, settings: Environment): Promise<void> {
    for (const [service, found] of deployed) {
      const environment = { ...found.environment, ...this.addresses(found.environment), ...settings };
      for (let copy = 1; copy <= copies; copy++)
        this.nodes.push(await Node.create(`${service}-${copy}`, { ...found, environment }));
    }
    for (const node of this.nodes) node.set({ BASE_URL: this.url, INTEGRATIONS_API_URL: this.url });
  }

  /** One process with all services, on the same stores. */
  async together(): Promise<Node> {
    const insights = this.of('insights')[0] as Node;
    return Node.create('together', insights.deployed({ SERVICES: '', NATS_URL: '' }));
  }

  private async wire(name: string, deployed: Map<string, Deployed>): Promise<void> {
    const node = this.nodes.find((each) => each.name === name) as Node;
    const [host = '', port] = this.engines.nats.address.split(':');
    const wire = new Wire(host, Number(port));
    const url = new URL(String(deployed.get(node.service)?.environment.NATS_URL));
    url.host = `127.0.0.1:${await wire.listen()}`;
    node.set({ NATS_URL: url.href });
    this.wires.set(name, wire);
  }

  /** The engines and the runner of this machine in the place of those of the compose file. */
  private addresses({ NATS_URL, CLICKHOUSE_URL, INTEGRATION_RUNNER }: Environment): Environment {
    const at = (given: string, { address }: Engine) => Object.assign(new URL(given), { host: address }).href;
    return {
      ...this.documents,
      ...(NATS_URL ? { NATS_URL: at(NATS_URL, this.engines.nats) } : {}),
      ...(CLICKHOUSE_URL ? { CLICKHOUSE_URL: at(CLICKHOUSE_URL, this.engines.clickhouse) } : {}),
      ...(INTEGRATION_RUNNER ? { INTEGRATION_RUNNER: this.runner.socket } : {}),
    };
  }

  /** The names of the services. */
  get services(): string[] {
    return [...new Set(this.nodes.map(({ service }) => service))];
  }

  get gateways(): Node[] {
    return this.of('gateway');
  }

  /** Its public address: that of the first gateway. */
  get url(): string {
    return (this.gateways[0] as Node).url;
  }

  of(service: string): Node[] {
    return this.nodes.filter((node) => node.service === service);
  }

  async ready(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.ready()));
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.remove()));
    const client = await new MongoClient(String(this.documents.MONGODB_URL)).connect();
    await client.db().dropDatabase();
    await client.close();
    for (const wire of this.wires.values()) await wire.close();
    for (const engine of Object.values(this.engines)) await engine.close();
    await this.runner.close();
    for (const folder of this.folders) await rm(folder, { recursive: true, force: true });
  }
}
