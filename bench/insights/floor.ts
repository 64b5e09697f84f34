import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { apiTokens } from '../../services/identity/accounts/model.js';
import { eventsTable } from '../../services/insights/events/model.js';
import type { InsightsEvent } from '../../services/insights/events/resources.js';
import { encodeRow, eventRows } from '../../services/insights/tracking/rows.js';
import { Places } from '../../services/insights/visitors/places.js';
import { openAnalytics } from '../../shared/analytics/analytics.js';
import { GroupInserts } from '../../shared/analytics/group-inserts.js';
import { prepareTable } from '../../shared/analytics/table.js';
import { anonymous } from '../../shared/contract/caller.js';
import { createLog } from '../../shared/monitoring/log.js';
import { openStore } from '../../shared/process/platform.js';
import { readConfig } from '../../shared/settings/config.js';
import { sha256 } from '../../shared/values/ids.js';

/**
 * The floor of taking events: bare node:http that stores the same rows in the same groups, and does nothing else. Like the product
 * it asks for a token once a second.
 */
const config = readConfig(process.env);
const log = createLog('error');
const store = await openStore(config, log);
await store.prepare([apiTokens] as never[]);
const { client } = await openAnalytics({ dataDir: config.DATA_DIR, log });
await prepareTable({ client, table: eventsTable, retentionDays: config.EVENT_RETENTION_DAYS });
const inserts = new GroupInserts({ client: async () => client, table: eventsTable.name, log });
const places = new Places(undefined, log);
const known = new Map<string, number>();
const context = { caller: anonymous, client: { address: '127.0.0.1', headers: {} } };

async function authenticated({ headers }: IncomingMessage): Promise<boolean> {
  const token = headers.authorization?.slice('Bearer '.length) ?? '';
  if ((known.get(token) ?? 0) > Date.now()) return true;
  if (!(await store.findOne(apiTokens, { hash: sha256(token) }))) return false;
  known.set(token, Date.now() + 1000);
  return true;
}

async function eventsOf(request: IncomingMessage): Promise<InsightsEvent[]> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString()).events;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!(await authenticated(request))) return void response.writeHead(401).end();
  const [, , , organization = '', , site = ''] = request.url?.split('/') ?? [];
  const events = await eventsOf(request);
  const reading = { places, windowMs: config.EVENT_WINDOW_MINUTES * 60_000, now: Date.now() };
  const lines = eventRows({ organization, site, events, context }, reading).map(encodeRow).join('');
  await inserts.insert({ owner: organization, lines, count: events.length });
  response.writeHead(204).end();
}

createServer((request, response) => void answer(request, response)).listen(config.PORT, config.HOST, () =>
  process.stdout.write('"msg":"started"\n'),
);
