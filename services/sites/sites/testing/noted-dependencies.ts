import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolderBlobs } from '../../../../shared/blobs/folder.js';
import { blobLinks } from '../../../../shared/blobs/links.js';
import { contentTokens } from '../../../../shared/contract/content-token.js';
import type { Call } from '../../../../shared/contract/service.js';
import { Outbox } from '../../../../shared/jobs/outbox.js';
import { createLog } from '../../../../shared/monitoring/log.js';
import { createSecrets } from '../../../../shared/secrets/secrets.js';
import { signedTokens } from '../../../../shared/secrets/signed-tokens.js';
import type { Store } from '../../../../shared/store/port.js';
import { openSqliteStore } from '../../../../shared/store/sqlite/store.js';
import { type SitesDependencies, sitesCollections } from '../../dependencies.js';
import { Renderers } from '../../renderers/renderers.js';
import { DomainOwners } from '../../site/domain-owners.js';
import { StructureCache } from '../../structure/structure-cache.js';
import { Structures } from '../../structure/structures.js';
import { VisibleSiteCache } from '../../visiting/visible-site-cache.js';

/** Dependencies on an SQLite file of their own, with notes of what is asked of the store and of other services. */
export interface NotedDependencies {
  deps: SitesDependencies;
  /** Answers calls of other services by `answers`. */
  call: Call;
  /** Operations of the store, by name. */
  reads: string[];
  /** Calls of other services, by action. */
  calls: string[];
  /** Forgets what was noted. */
  reset(): void;
  close(): Promise<void>;
}

const noting = (real: Store, notes: string[]): Store =>
  new Proxy(real, {
    get(target, name, receiver) {
      const value = Reflect.get(target, name, receiver);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        notes.push(String(name));
        return value.apply(target, given);
      };
    },
  });

/** `answers`: what other services answer, by action. */
export async function openNotedDependencies(
  answers: Record<string, (parameters: never) => unknown>,
): Promise<NotedDependencies> {
  const config = {
    baseUrl: 'https://bindery.test',
    PUBLISH_DOMAIN: 'docs.test',
    RENDERER_URLS: [],
    INTEGRATIONS_URL: undefined,
    READER: true,
  };
  const log = createLog('silent');
  const folder = await mkdtemp(join(tmpdir(), 'bindery-sites-'));
  const real = await openSqliteStore({ path: join(folder, 'test.sqlite'), log });
  await real.prepare(sitesCollections);
  const [reads, calls]: [string[], string[]] = [[], []];
  const store = noting(real, reads);
  const call = (async ({ action }: { action: string }, parameters: never) => {
    calls.push(action);
    return answers[action]?.(parameters);
  }) as unknown as Call;
  const secrets = createSecrets([Buffer.alloc(32, 1).toString('base64')]);
  const renderers = new Renderers({ store, log, config: { RENDERER_URLS: [], RENDERER_SECRET: undefined } });
  const structureCache = new StructureCache(store);
  const deps = {
    store,
    blobs: openFolderBlobs(join(folder, 'blobs')),
    links: blobLinks(secrets),
    log,
    config,
    secrets,
    outbox: new Outbox({ store, service: 'sites', emits: [], consumers: new Map(), log, deliver: async () => [] }),
    renderers,
    domainOwners: new DomainOwners(config),
    structureCache,
    structures: new Structures({ store, cache: structureCache, renderers }),
    visibleSites: new VisibleSiteCache(store, structureCache),
    contentTokens: contentTokens(secrets, config.baseUrl),
    previewTokens: signedTokens(secrets, { purpose: 'site-preview', issuer: config.baseUrl }),
    callAs: () => call,
    callAsSystem: () => call,
  };
  return {
    deps,
    call,
    reads,
    calls,
    reset() {
      reads.length = 0;
      calls.length = 0;
    },
    async close() {
      await real.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
