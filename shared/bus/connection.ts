import { type ServiceBroker, Transporters } from 'moleculer';
import type { NatsConnection, Subscription } from 'nats';
import { Gauge } from 'prom-client';
import type { Log } from '../monitoring/log.js';
import { metricsRegistry } from '../monitoring/metrics.js';
import { scaleMs } from '../settings/time-scale.js';
import { natsServers } from './nats.js';

/** Always 1 where all services are in this process. */
export const busConnected = new Gauge({
  name: 'bindery_bus_connected',
  help: 'Whether the bus is connected (1) or not (0).',
  registers: [metricsRegistry],
});

/** The parts of Moleculer's transporter that we use; its types lack them. */
interface Transporter {
  connected: boolean;
  client: NatsConnection | null;
  broker: ServiceBroker;
  /** Subscriptions by which calls and events come by name. */
  subscriptions: Subscription[];
  connect(): Promise<void>;
  unsubscribeFromBalancedCommands(): Promise<void>;
}

interface Transit {
  tx: Transporter;
  sendNodeInfo(info: unknown): Promise<void>;
  discoverNodes(): Promise<void>;
}

const MoleculerNats = Transporters.NATS as unknown as new (options: object) => Transporter;

export interface NatsOptions {
  url: string;
  log: Log;
  /** Called when the connection is lost or restored. */
  changed: (connected: boolean) => void;
  /** For a server to greet a new connection: one that breaks off before is tried again after that. 5 s by default. */
  greetingMs?: number;
}

/** Moleculer's NATS transporter, extended to notice when its connection is lost or restored. */
export class NatsTransporter extends MoleculerNats {
  constructor(private readonly own: NatsOptions) {
    super({
      ...natsServers(own.url),
      reconnectTimeWait: 200,
      maxReconnectAttempts: -1,
      // Leaves a server that hangs after two unanswered pings.
      pingInterval: scaleMs(3_000),
      maxPingOut: 2,
      timeout: own.greetingMs ?? scaleMs(5_000),
    });
  }

  override async connect(): Promise<void> {
    await super.connect();
    busConnected.set(1);
    void this.watchStatus();
  }

  /** Takes no new calls. Moleculer would drop those that NATS has sent and this process not read yet. */
  override async unsubscribeFromBalancedCommands(): Promise<void> {
    const given = this.subscriptions;
    this.subscriptions = [];
    await Promise.all(given.map((each) => each.drain()));
  }

  private async watchStatus(): Promise<void> {
    const { log } = this.own;
    for await (const { type, data } of (this.client as NatsConnection).status()) {
      if (type === 'disconnect' && this.connected) {
        log.error({ server: data }, 'the bus is disconnected');
        this.setConnected(false);
      } else if (type === 'reconnect' && !this.connected) {
        log.info({ server: data }, 'the bus is connected again');
        this.setConnected(true);
        await this.discoverProcesses();
      } else if (type === 'error') log.error({ code: data }, 'the bus reported an error');
    }
  }

  private setConnected(connected: boolean): void {
    this.connected = connected;
    busConnected.set(Number(connected));
    this.own.changed(connected);
  }

  /** Announces this node and asks for the others: both sides may have missed heartbeats. */
  private async discoverProcesses(): Promise<void> {
    const { broker } = this;
    const transit = broker.transit as unknown as Transit;
    await transit.sendNodeInfo((broker as unknown as { getLocalNodeInfo(): unknown }).getLocalNodeInfo());
    await transit.discoverNodes();
  }
}

/** Whether calls reach other processes; always true where all services are in this one. */
export const isBusConnected = (broker: ServiceBroker): boolean =>
  broker.transit ? (broker.transit as unknown as Transit).tx.connected : true;
