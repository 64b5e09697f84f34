import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { freePort } from '../../shared/process/free-port.js';
import { eventually } from '../../shared/testing/eventually.js';
import { Client, type StartedServer, startServer, testToken } from '../support/server.js';

/** The services of the last release: a gateway is ready when it reaches all of them. */
export const services = ['identity', 'content', 'comments', 'sites', 'insights', 'integrations'] as const;

/** What a gateway of each release has in its process. */
const besideGateway = { last: 'gateway', this: 'gateway,reader,app' };

/** Which release a process runs: the last one or this one. */
export type Release = 'last' | 'this';

export interface FleetOptions {
  natsUrl: string;
  mongodbUrl: string;
  clickhouseUrl: string;
  /** The program of each release. */
  programs: Record<Release, string>;
}

/** The place of a gateway: it keeps its address when its process is replaced. */
export class GatewayPlace extends Client {
  server: StartedServer | undefined;

  constructor(readonly port: number) {
    super(`http://127.0.0.1:${port}`, testToken);
  }

  readiness = (): Promise<number> =>
    fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
      ({ status }) => status,
      () => 0,
    );
}

const fault = /"level":"(error|fatal)"/;

/** Two gateways and a process of each service, of either release, on one bus and in a database of their own. */
export class Fleet {
  private readonly running = new Map<string, StartedServer>();
  /** Every process that ever ran, with its name. */
  private readonly everyone: [name: string, server: StartedServer][] = [];
  private readonly environment: Record<string, string>;

  private constructor(
    private readonly options: FleetOptions,
    /** The address of the first is the public one. */
    readonly gateways: [GatewayPlace, GatewayPlace],
  ) {
    const database = new URL(options.mongodbUrl);
    database.pathname = `/bindery-test-${randomBytes(6).toString('hex')}`;
    this.environment = {
      NATS_URL: options.natsUrl,
      MONGODB_URL: database.href,
      SECRET_KEY: randomBytes(32).toString('base64'),
      BASE_URL: gateways[0].url,
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
      // A load balancer notices meanwhile that a gateway stops.
      DRAIN_SECONDS: '2',
    };
  }

  static async create(options: FleetOptions): Promise<Fleet> {
    const [first, second] = [await freePort(), await freePort()];
    return new Fleet(options, [new GatewayPlace(first), new GatewayPlace(second)]);
  }

  /** For the operator's commands of the tests. */
  get store(): Record<string, string> {
    const { MONGODB_URL = '', SECRET_KEY = '' } = this.environment;
    return { MONGODB_URL, SECRET_KEY };
  }

  async start(release: Release): Promise<void> {
    const start = async (service: string) => this.running.set(service, await this.launch(service, release));
    await Promise.all(services.map(start));
    await Promise.all(this.gateways.map((gateway) => this.openGateway(gateway, release)));
  }

  /** The new process takes requests before the old one is asked to stop. */
  async replaceService(service: string, release: Release): Promise<void> {
    const before = this.running.get(service) as StartedServer;
    this.running.set(service, await this.launch(service, release));
    await ended(service, before);
  }

  /** The other gateway takes the requests meanwhile. */
  async replaceGateway(gateway: GatewayPlace, release: Release): Promise<void> {
    await ended('gateway', gateway.server as StartedServer);
    await this.openGateway(gateway, release);
  }

  /** The errors that processes logged. */
  faults = (): string[] =>
    this.everyone.flatMap(([name, server]) =>
      server
        .output()
        .split('\n')
        .filter((line) => fault.test(line))
        .map((line) => `${name}: ${line}`),
    );

  async close(): Promise<void> {
    const isAlive = ({ process: { exitCode, signalCode } }: StartedServer) => exitCode === null && signalCode === null;
    await Promise.all(this.everyone.map(([, server]) => (isAlive(server) ? server.stop() : undefined)));
    const client = await new MongoClient(String(this.environment.MONGODB_URL)).connect();
    await client.db().dropDatabase();
    await client.close();
  }

  private async openGateway(gateway: GatewayPlace, release: Release): Promise<void> {
    gateway.server = await this.launch('gateway', release, gateway.port);
    await eventually('a gateway that is ready', gateway.readiness, (status) => status === 200);
  }

  private async launch(service: string, release: Release, port?: number): Promise<StartedServer> {
    const { programs, clickhouseUrl } = this.options;
    const server = await startServer({
      program: programs[release],
      ...(port === undefined ? {} : { port }),
      env: {
        ...this.environment,
        SERVICES: service === 'gateway' ? besideGateway[release] : service,
        ...(service === 'insights' ? { CLICKHOUSE_URL: clickhouseUrl } : {}),
      },
    });
    this.everyone.push([`${service} of ${release} release`, server]);
    return server;
  }
}

async function ended(service: string, server: StartedServer): Promise<void> {
  const code = await server.stop();
  if (code !== 0) throw new Error(`${service} ended with ${code}`);
}
