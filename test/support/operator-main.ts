import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { parentPort } from 'node:worker_threads';
import { issueApiToken, issuingCollections } from '../../services/identity/accounts/api-tokens.ts';
import { issueSignInLink } from '../../services/identity/sign-in/links.ts';
import { signInCollections } from '../../services/identity/sign-in/model.ts';
import { integrations } from '../../services/integrations/catalogue/model.ts';
import { events } from '../../services/integrations/deliveries/queue/model.ts';
import { readPayload } from '../../services/integrations/deliveries/queue/payloads.ts';
import { integrationTokens } from '../../shared/contract/integration-token.ts';
import { createLog } from '../../shared/monitoring/log.ts';
import { openStore } from '../../shared/process/platform.ts';
import { createSecrets, embeddedKey } from '../../shared/secrets/secrets.ts';
import { type Config, readConfig } from '../../shared/settings/config.ts';
import type { Collection, Store } from '../../shared/store/port.ts';
import type { OperatorCall } from './operator.ts';

/** What the operator's commands and keys can do, for tests that load nothing of the product: see operator.ts. */
const stores = new Map<string, Promise<Store>>();

async function opened(config: Config): Promise<Store> {
  const store = await openStore(config, createLog('silent'));
  await store.prepare([...issuingCollections, ...signInCollections, integrations, events] as Collection<never>[]);
  return store;
}

function storeOf(config: Config): Promise<Store> {
  const key = JSON.stringify(config);
  const store = stores.get(key) ?? opened(config);
  stores.set(key, store);
  return store;
}

const secretsOf = ({ SECRET_KEY, DATA_DIR }: Config) =>
  createSecrets(SECRET_KEY.length > 0 ? SECRET_KEY : [embeddedKey(DATA_DIR, true)]);

async function answer(config: Config, call: OperatorCall): Promise<string> {
  if ('issue' in call) return issueApiToken(await storeOf(config), call.issue);
  if ('link' in call) return issueSignInLink(await storeOf(config), { ...call.link, baseUrl: '' });
  if ('sign' in call) return integrationTokens(secretsOf(config), call.issuer).sign(call.sign);
  if ('queuedFor' in call) return JSON.stringify(await queuedFor(config, call.queuedFor));
  const found = await (await storeOf(config)).get(integrations, call.publicationOf);
  if (!found) throw new Error(`${call.publicationOf} is not published`);
  return found.publication;
}

async function queuedFor(config: Config, installation: string): Promise<object[]> {
  const store = await storeOf(config);
  const { items } = await store.page(events, { filter: { installation }, sort: { sequence: 1 }, limit: 1000 });
  const secrets = secretsOf(config);
  return items.map((event) => {
    const { eventId: _, ...told } = readPayload({ secrets }, event);
    return told;
  });
}

const server = createServer(async (request, response) => {
  try {
    const { settings, call } = (await json(request)) as { settings: Record<string, string>; call: OperatorCall };
    response.end(await answer(readConfig(settings), call));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
}).listen(0, '127.0.0.1');
await once(server, 'listening');
parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
