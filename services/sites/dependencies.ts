import { type BlobLinks, blobLinks } from '../../shared/blobs/links.js';
import type { Blobs } from '../../shared/blobs/port.js';
import { auditRecorded } from '../../shared/contract/audit.js';
import type { Caller } from '../../shared/contract/caller.js';
import { type ContentTokens, contentTokens } from '../../shared/contract/content-token.js';
import { deliverOver } from '../../shared/contract/delivery.js';
import { type Call, callAsSystem, callFrom } from '../../shared/contract/service.js';
import { Outbox, outboxCollection } from '../../shared/jobs/outbox.js';
import type { Log } from '../../shared/monitoring/log.js';
import type { Host } from '../../shared/process/platform.js';
import type { Secrets } from '../../shared/secrets/secrets.js';
import { type SignedTokens, signedTokens } from '../../shared/secrets/signed-tokens.js';
import type { Config } from '../../shared/settings/config.js';
import { scaleMs } from '../../shared/settings/time-scale.js';
import type { Collection, Store } from '../../shared/store/port.js';
import { customizations } from './customization/model.js';
import { sitesEvents } from './events.js';
import { mcpServers } from './mcp-servers/model.js';
import { publishingCollections } from './publishing/model.js';
import { redirects } from './redirects/model.js';
import { pendingTags } from './renderers/model.js';
import { Renderers } from './renderers/renderers.js';
import { DomainOwners } from './site/domain-owners.js';
import { siteGrants } from './site/grants.js';
import { sites } from './site/model.js';
import { structureCollections } from './structure/model.js';
import { StructureCache } from './structure/structure-cache.js';
import { Structures } from './structure/structures.js';
import { VisibleSiteCache } from './visiting/visible-site-cache.js';

/** Dependencies that the handlers and rules of sites share. */
export interface SitesDependencies {
  store: Store;
  blobs: Blobs;
  links: BlobLinks;
  log: Log;
  config: Pick<Config, 'baseUrl' | 'PUBLISH_DOMAIN' | 'RENDERER_URLS' | 'INTEGRATIONS_URL' | 'READER'>;
  secrets: Secrets;
  outbox: Outbox;
  renderers: Renderers;
  structures: Structures;
  domainOwners: DomainOwners;
  structureCache: StructureCache;
  visibleSites: VisibleSiteCache;
  contentTokens: ContentTokens;
  /** The tokens of preview URLs. */
  previewTokens: SignedTokens;
  /** Calls other services as another caller, after the caller's own access was checked here. */
  callAs: (caller: Caller) => Call;
  /** Calls other services; `timeout` is in milliseconds. */
  callAsSystem: (timeout: number) => Call;
}

const callTimeoutMs = scaleMs(5000);

export function openDependencies({
  store,
  blobs,
  config,
  log,
  secrets,
  exclusive,
  broker,
  consumers,
}: Host): SitesDependencies {
  const renderers = new Renderers({ store, config, log });
  const structureCache = new StructureCache(store);
  return {
    store,
    blobs,
    links: blobLinks(secrets),
    log,
    config,
    secrets,
    outbox: new Outbox({
      store,
      service: 'sites',
      emits: [...sitesEvents, auditRecorded],
      consumers,
      log,
      exclusive,
      deliver: deliverOver(broker),
    }),
    renderers,
    domainOwners: new DomainOwners(config),
    structureCache,
    structures: new Structures({ store, cache: structureCache, renderers }),
    visibleSites: new VisibleSiteCache(store, structureCache),
    contentTokens: contentTokens(secrets, config.baseUrl),
    previewTokens: signedTokens(secrets, { purpose: 'site-preview', issuer: config.baseUrl }),
    callAs: (caller) => callFrom(broker, { caller, deadline: Date.now() + callTimeoutMs, requestId: '' }),
    callAsSystem: (timeout) => callAsSystem(broker, timeout),
  };
}

export const sitesCollections = [
  sites,
  ...structureCollections,
  customizations,
  ...publishingCollections,
  redirects,
  mcpServers,
  siteGrants,
  pendingTags,
  outboxCollection('sites'),
] as Collection<never>[];
