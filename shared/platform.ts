import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openAnalytics } from './analytics.js';
import type { Blobs } from './blobs/port.js';
import type { Config } from './config.js';
import { lockDataDir } from './data-lock.js';
import type { Log } from './log.js';
import { createSecrets, embeddedKey, type Secrets } from './secrets.js';
import type { Store } from './store/port.js';

/** What a process offers to the services it runs. */
export interface Platform {
  config: Config;
  log: Log;
  store: Store;
  blobs: Blobs;
  secrets: Secrets;
  /** This process alone uses the store. */
  exclusive: boolean;
  /** Rejects while the store or the analytics database does not answer. */
  ready: () => Promise<void>;
  close: () => Promise<void>;
}

/** The documents alone, without the lock on `DATA_DIR`: for a short command beside a running server. */
export async function openStore({ MONGODB_URL, DATA_DIR }: Config, log: Log): Promise<Store> {
  if (MONGODB_URL) {
    const { openMongoStore } = await import('./store/mongodb/store.js');
    return openMongoStore({ url: MONGODB_URL, log });
  }
  const { openSqliteStore } = await import('./store/sqlite/store.js');
  return openSqliteStore({ path: join(DATA_DIR, 'bindery.sqlite'), log });
}

async function openBlobs({ MONGODB_URL, DATA_DIR }: Config): Promise<Blobs & { close?(): Promise<void> }> {
  if (MONGODB_URL) {
    const { openMongoBlobs } = await import('./blobs/mongodb.js');
    return openMongoBlobs({ url: MONGODB_URL });
  }
  const { openFolderBlobs } = await import('./blobs/folder.js');
  return openFolderBlobs(join(DATA_DIR, 'blobs'));
}

/** Opens the stores that the settings name. A server of analytics is asked for only where one is set. */
export async function openPlatform(config: Config, log: Log): Promise<Platform> {
  mkdirSync(config.DATA_DIR, { recursive: true });
  const exclusive = !config.MONGODB_URL;
  const release = exclusive ? await lockDataDir(config.DATA_DIR) : () => {};
  const store = await openStore(config, log);
  const blobs = await openBlobs(config);
  const analytics =
    exclusive || config.CLICKHOUSE_URL
      ? await openAnalytics({ url: config.CLICKHOUSE_URL, dataDir: config.DATA_DIR })
      : null;
  return {
    config,
    log,
    store,
    blobs,
    exclusive,
    secrets: createSecrets(config.SECRET_KEY.length > 0 ? config.SECRET_KEY : [embeddedKey(config.DATA_DIR)]),
    ready: async () => {
      await Promise.all([store.ping(), analytics?.ping()]);
    },
    close: async () => {
      await Promise.all([store.close(), blobs.close?.(), analytics?.close()]);
      release();
    },
  };
}
