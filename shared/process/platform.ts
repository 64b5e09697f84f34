import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceBroker } from 'moleculer';
import { type Analytics, analyticsDir, openAnalytics } from '../analytics/analytics.js';
import type { Blobs } from '../blobs/port.js';
import type { Consumers } from '../contract/event.js';
import { type Room, watchRoom } from '../disk/room.js';
import { apiError } from '../errors/errors.js';
import type { Log } from '../monitoring/log.js';
import { checkKeys, createSecrets, embeddedKey, type Secrets } from '../secrets/secrets.js';
import { openCacheDir } from '../settings/cache-dir.js';
import type { Config } from '../settings/config.js';
import { checkRestored, dataDirError, openDataDir } from '../settings/data-dir.js';
import { lockDataDir } from '../settings/data-lock.js';
import type { Store } from '../store/port.js';
import { type Attributes, traceCalls } from '../tracing/tracing.js';

/** Everything that a process gives to the services that it runs. */
export interface Platform {
  config: Config;
  log: Log;
  store: Store;
  blobs: Blobs;
  secrets: Secrets;
  /** A folder for caches, used by this process alone. */
  cacheDir: string;
  /** The analytics database, opened on first use. */
  analytics: () => Promise<Analytics>;
  /** Whether this process is the only one that uses the store. */
  exclusive: boolean;
  /** The room on the disk of `DATA_DIR`. */
  room: Room;
  /** Throws while nothing may be added to the stores. */
  writable: () => void;
  /** Rejects while the store does not answer, or has no room. */
  ready: () => Promise<void>;
  close: () => Promise<void>;
}

/** Names the collection in the trace of a call of the store, from the first argument of the call. */
const collectionAttributes = (first: unknown): Attributes => {
  const { name } = (first ?? {}) as { name?: unknown };
  return typeof name === 'string' ? { 'db.collection.name': name } : {};
};

/** The platform with its bus: what a service is created with. */
export interface Host extends Platform {
  broker: ServiceBroker;
  /** The services that consume each event. */
  consumers: Consumers;
}

/** The file of the embedded document store. */
export const databaseFile = ({ DATA_DIR }: Config) => join(DATA_DIR, 'bindery.sqlite');

/** Whether an embedded store exists. */
export const hasEmbeddedStore = (config: Config) =>
  (statSync(databaseFile(config), { throwIfNoEntry: false })?.size ?? 0) > 0;

/** Opens only the document store, without the lock on `DATA_DIR`: for a short command while a server runs. */
export async function openStore(config: Config, log: Log): Promise<Store> {
  const { MONGODB_URL } = config;
  if (MONGODB_URL) {
    const { openMongoStore } = await import('../store/mongodb/store.js');
    return openMongoStore({ url: MONGODB_URL, log }).catch(mongoFailed);
  }
  return openEmbedded(config, async () => {
    const { openSqliteStore } = await import('../store/sqlite/store.js');
    return openSqliteStore({ path: databaseFile(config), log });
  });
}

/** Names the setting and masks the password. */
function mongoFailed(error: Error): never {
  const text = error.message.replace(/\/\/\S*@/g, '//***@').replace(/^MONGODB_URL: /, '');
  throw new Error(`MONGODB_URL: no connection (${text}): start MongoDB, or correct the setting`);
}

async function openEmbedded<T>({ DATA_DIR }: Config, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if ((error as { code?: string }).code === 'MODULE_NOT_FOUND')
      throw new Error(
        'the embedded store needs the optional libsql package for this machine: install it with npm ci, or set MONGODB_URL',
      );
    throw dataDirError(DATA_DIR, error);
  }
}

async function openBlobs({ MONGODB_URL, DATA_DIR }: Config, room: Room): Promise<Blobs & { close?(): Promise<void> }> {
  if (MONGODB_URL) {
    const { openMongoBlobs } = await import('../blobs/mongodb.js');
    return openMongoBlobs({ url: MONGODB_URL });
  }
  const { openFolderBlobs } = await import('../blobs/folder.js');
  return openFolderBlobs(join(DATA_DIR, 'blobs'), room);
}

/** Claims the folder for caches: `DATA_DIR` itself where this process is its only user. */
async function claimDataDir(config: Config): Promise<{ cacheDir: string; close: () => Promise<void> | void }> {
  const { DATA_DIR, MONGODB_URL } = config;
  openDataDir(DATA_DIR);
  if (!MONGODB_URL) return { cacheDir: DATA_DIR, close: await openEmbedded(config, () => lockRestored(DATA_DIR)) };
  const { path, close } = await openCacheDir(DATA_DIR);
  return { cacheDir: path, close };
}

async function lockRestored(dataDir: string): Promise<() => void> {
  const free = await lockDataDir(dataDir);
  try {
    checkRestored(dataDir);
  } catch (error) {
    free();
    throw error;
  }
  return free;
}

/** Whether there may be anything in the analytics database: the embedded engine has no files before its first use. */
export const hasAnalytics = (config: Config): boolean =>
  config.CLICKHOUSE_URL !== undefined || existsSync(analyticsDir(config.DATA_DIR));

function lazyAnalytics({ CLICKHOUSE_URL, DATA_DIR }: Config, log: Log) {
  const closing = new AbortController();
  const { signal } = closing;
  let opened: Promise<Analytics> | undefined;
  return {
    open() {
      opened ??= openAnalytics({ url: CLICKHOUSE_URL, dataDir: DATA_DIR, log, signal }).catch((error) => {
        opened = undefined;
        throw error;
      });
      return opened;
    },
    async close() {
      closing.abort(apiError('UNAVAILABLE', 'Bindery is stopping'));
      const analytics = await opened?.catch(() => undefined);
      await analytics?.close();
    },
  };
}

/** Opens the stores that the settings name. When one fails, closes those that are open. */
export async function openPlatform(config: Config, log: Log): Promise<Platform> {
  const closing: (() => unknown)[] = [];
  const close = async () => {
    for (const each of closing.splice(0).toReversed()) await each();
  };
  try {
    return { ...(await openParts(config, log, (each) => closing.push(each))), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openParts(
  config: Config,
  log: Log,
  onClose: (close: () => unknown) => void,
): Promise<Omit<Platform, 'close'>> {
  const { MONGODB_URL, SECRET_KEY, DATA_DIR } = config;
  const { cacheDir, close } = await claimDataDir(config);
  onClose(close);
  const room = await watchRoom(DATA_DIR, 'DATA_DIR', log);
  onClose(() => room.close());
  const writable = MONGODB_URL ? () => undefined : () => room.refuseIfFull();
  const chosen = SECRET_KEY.length > 0;
  // Created before the store, so that there is never a store without its key.
  const secrets = createSecrets(chosen ? SECRET_KEY : [embeddedKey(DATA_DIR, hasEmbeddedStore(config))]);
  const store = traceCalls('store', await openStore(config, log), collectionAttributes);
  onClose(() => store.close());
  await checkKeys(store, secrets, { chosen, log }).catch((error) => {
    throw MONGODB_URL ? error : dataDirError(DATA_DIR, error);
  });
  const blobs = traceCalls('blobs', await openBlobs(config, room));
  onClose(() => blobs.close?.());
  const analytics = lazyAnalytics(config, log);
  onClose(analytics.close);
  return {
    config,
    log,
    store,
    blobs,
    cacheDir,
    room,
    writable,
    analytics: analytics.open,
    exclusive: !MONGODB_URL,
    secrets,
    ready: async () => {
      writable();
      await store.ping();
    },
  };
}

/** Rejects if the configured analytics server does not answer this user: for the start of a service that needs it. */
export async function checkAnalytics({ config, analytics }: Pick<Platform, 'config' | 'analytics'>): Promise<void> {
  if (!config.CLICKHOUSE_URL) return;
  const url = new URL(config.CLICKHOUSE_URL);
  await analytics()
    .then(({ ping }) => ping())
    .catch((error) => analyticsFailed(url, error));
}

const refusedCredentials = ['AUTHENTICATION_FAILED', 'REQUIRED_PASSWORD', 'UNKNOWN_USER', 'WRONG_PASSWORD'];

function analyticsFailed({ origin, pathname }: URL, { message, type = '' }: Error & { type?: string }): never {
  if (refusedCredentials.includes(type))
    throw new Error(`CLICKHOUSE_URL: no access to ${origin} with this user and password: correct the setting`);
  if (type === 'UNKNOWN_DATABASE')
    throw new Error(`CLICKHOUSE_URL: no database ${pathname.slice(1)} on ${origin}: create it, or correct the setting`);
  throw new Error(`CLICKHOUSE_URL: no answer from ${origin} (${message}): start ClickHouse, or correct the setting`);
}
