import { type ServiceBroker, Transporters } from 'moleculer';
import type { NatsConnection } from 'nats';
import { Gauge } from 'prom-client';
import type { Log } from '../log.js';
import { metricsRegistry } from '../metrics.js';
import { natsServers } from './nats.js';

/** 1 where all services are in this process. */
export const busConnected = new Gauge({
  name: 'bindery_bus_connected',
  help: 'Whether the bus is connected.',
  registers: [metricsRegistry],
});

/** What Moleculer's transporter is made of, as far as it concerns us; its types leave it out. */
interface Transporter {
  connected: boolean;
  client: NatsConnection | null;
  broker: ServiceBroker;
  connect(): Promise<void>;
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
  /** The connection is gone, or back. */
  changed: (connected: boolean) => void;
}

/** Moleculer's NATS transporter, which by itself does not notice that its connection is gone or back. */
export class NatsTransporter extends MoleculerNats {
  constructor(private readonly own: NatsOptions) {
    super({
      ...natsServers(own.url),
      reconnectTimeWait: 200,
      maxReconnectAttempts: -1,
      // A server that hangs is left after two unanswered pings.
      pingInterval: 3_000,
      maxPingOut: 2,
    });
  }

  override async connect(): Promise<void> {
    await super.connect();
    busConnected.set(1);
    void this.watch();
  }

  private async watch(): Promise<void> {
    const { log } = this.own;
    for await (const { type, data } of (this.client as NatsConnection).status()) {
      if (type === 'disconnect' && this.connected) {
        log.error({ server: data }, 'the bus is disconnected');
        this.change(false);
      } else if (type === 'reconnect' && !this.connected) {
        log.info({ server: data }, 'the bus is connected again');
        this.change(true);
        await this.findOthers();
      } else if (type === 'error') log.error({ code: data }, 'the bus reports an error');
    }
  }

  private change(connected: boolean): void {
    this.connected = connected;
    busConnected.set(Number(connected));
    this.own.changed(connected);
  }

  /** Who missed our heartbeats hears of us now, and we of them. */
  private async findOthers(): Promise<void> {
    const { broker } = this;
    const transit = broker.transit as unknown as Transit;
    await transit.sendNodeInfo((broker as unknown as { getLocalNodeInfo(): unknown }).getLocalNodeInfo());
    await transit.discoverNodes();
  }
}

/** Whether calls to other processes go out; always true where all services are in this one. */
export const isBusConnected = (broker: ServiceBroker): boolean =>
  broker.transit ? (broker.transit as unknown as Transit).tx.connected : true;
