import { createHmac } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../../shared/testing/eventually.js';
import { done, idOf } from './requests/setting.js';
import type { Client } from './server.js';

export const secret = 'a-secret-of-many-characters';

/** A request that a webhook made. */
export interface Delivery {
  headers: Record<string, string>;
  body: string;
  event: { eventId: string; type: string; [field: string]: any };
  /** The path of the request. */
  path: string;
  /** What it was answered. */
  status: number;
}

/** Takes the requests of webhooks. */
export interface WebhookReceiver {
  url: string;
  deliveries: Delivery[];
  /** The deliveries, once they are as expected. */
  until(holds: (deliveries: Delivery[]) => boolean): Promise<Delivery[]>;
  close(): Promise<void>;
}

/** `answer`: the status for the `nth` delivery of an event (from 1); 200 by default. */
export async function openReceiver(
  answer: (delivery: Omit<Delivery, 'status'>, nth: number) => number = () => 200,
): Promise<WebhookReceiver> {
  const deliveries: Delivery[] = [];
  const times = new Map<string, number>();
  const changed = new EventEmitter().setMaxListeners(0);
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const event = JSON.parse(body);
    const { headers, url = '' } = request;
    const delivery = { headers: headers as Record<string, string>, body, event, path: url };
    const key = `${url} ${event.eventId}`;
    const nth = (times.get(key) ?? 0) + 1;
    times.set(key, nth);
    const status = answer(delivery, nth);
    deliveries.push({ ...delivery, status });
    response.writeHead(status, status >= 300 && status < 400 ? { location: '/elsewhere' } : {}).end('as it is');
    changed.emit('delivery');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    deliveries,
    async until(holds) {
      while (!holds(deliveries)) await once(changed, 'delivery');
      return deliveries;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Whether a request was signed with the secret. */
export function isSigned({ headers, body }: Pick<Delivery, 'headers' | 'body'>, by = secret): boolean {
  const [, seconds, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['x-gitbook-signature'] ?? '') ?? [];
  const isFresh = Math.abs(Date.now() / 1000 - Number(seconds)) < 60;
  return isFresh && createHmac('sha256', by).update(`${seconds}.${body}`).digest('hex') === signature;
}

export interface InstalledWebhook {
  organization: string;
  url: string;
  /** What it is installed on; all spaces and sites by default. */
  spaces?: string[];
  /** Besides url and secret. */
  configuration?: Record<string, unknown>;
}

/** Installs a webhook. Answers the path of the installation. */
export async function installWebhook(
  client: Client,
  { organization, url, spaces, configuration = {} }: InstalledWebhook,
): Promise<string> {
  const at = '/v1/integrations/webhook/installations';
  const all = spaces ? {} : { space_selection: 'all', site_selection: 'all' };
  const body = { organization, configuration: { url, secret, ...configuration }, ...all };
  const path = `${at}/${await idOf(client.post(at, body))}`;
  for (const space of spaces ?? []) await done(client.post(`${path}/spaces`, { space }));
  return path;
}

/** The events of an installation, latest first, once they are as expected: what was answered may be recorded a little later. */
export const eventsOf = (client: Client, path: string, holds: (events: any[]) => boolean, query = ''): Promise<any[]> =>
  eventually(
    `events of ${path}?${query}`,
    async () => (await done(client.get(`${path}/events?${query}`))).items,
    holds,
  );
