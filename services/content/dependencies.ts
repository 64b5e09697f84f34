import { join } from 'node:path';
import { type BlobLinks, blobLinks } from '../../shared/blobs/links.js';
import type { Blobs } from '../../shared/blobs/port.js';
import { auditRecorded } from '../../shared/contract/audit.js';
import { deliverOver } from '../../shared/contract/delivery.js';
import { type Call, callAsSystem } from '../../shared/contract/service.js';
import type { Room } from '../../shared/disk/room.js';
import { Jobs, jobCollections } from '../../shared/jobs/jobs.js';
import { Outbox, outboxCollection } from '../../shared/jobs/outbox.js';
import { type Model, openModel } from '../../shared/model/model.js';
import { createOutbound, type Outbound } from '../../shared/outbound/client.js';
import type { Host } from '../../shared/process/platform.js';
import type { Secrets } from '../../shared/secrets/secrets.js';
import type { Collection, Store, Write } from '../../shared/store/port.js';
import { HeldBytes } from '../../shared/work/held-bytes.js';
import { KeyedSemaphore } from '../../shared/work/semaphore.js';
import { Allowance } from './assistance/allowance/allowance.js';
import { modelUses } from './assistance/allowance/model.js';
import { Answers } from './assistance/answers/answers.js';
import { answers } from './assistance/answers/model.js';
import { modelMemory } from './assistance/memory/model.js';
import { ModelMemory } from './assistance/memory/model-memory.js';
import { MemberListCache } from './core/access/member-list-cache.js';
import { grants, trees } from './core/access/model.js';
import { ContentTreeCache } from './core/access/tree/content-tree-cache.js';
import { changeRequests, contributions, requestedReviewers, reviews } from './core/change-requests/model.js';
import { fonts } from './core/fonts/model.js';
import { collections, spaces } from './core/nodes/model.js';
import { chunks, pageDocuments, revisions as revisionCollection } from './core/revisions/model.js';
import { RevisionCache } from './core/revisions/revision-cache.js';
import type { TransferredSpaces } from './core/spaces/transfers/transfer-nodes.js';
import { Ledger } from './core/storage/ledger.js';
import { blobCounts, blobUses, collectors, usages } from './core/storage/model.js';
import { uploads } from './core/storage/uploads/model.js';
import { glossaryEntries, translatedDocuments, translationSettings } from './core/translations/model.js';
import { contentEvents } from './events.js';
import { organizationExports } from './exchange/archive/model.js';
import { type ConversionWork, openConversionWork } from './exchange/conversion/conversion-work.js';
import { createProxy, type GuardedProxy } from './exchange/git/address/proxy.js';
import { sharedStates } from './exchange/git/model.js';
import { contentImports } from './exchange/imports/content-import/model.js';
import { type GitHubApp, openGitHubApp } from './exchange/sync/hosts/github-app.js';
import { gitInstallations } from './exchange/sync/model.js';
import { gitPreviews } from './exchange/sync/previews/model.js';
import { openPageWork, type PageWork } from './format/workers/page-work.js';
import { openSpecWork, type SpecWork } from './openapi/document/spec-work.js';
import { specUses } from './openapi/pages/spec-uses.js';
import { refreshLater } from './openapi/specs/dependents.js';
import { specs, specVersions } from './openapi/specs/model.js';
import { SpecContents } from './openapi/specs/spec-contents.js';
import { Embeds } from './reading/embeds/embeds.js';
import { RevisionLinksCache } from './reading/links/revision-links-cache.js';
import { EncodedContents } from './reading/pages/encoded-contents.js';
import { SpecReferences } from './reading/pages/specifications/spec-references.js';
import { VisitorReferences } from './reading/pages/visitors/visitor-references.js';
import { VisitorViewCache } from './reading/pages/visitors/visitor-view-cache.js';
import { Indexer } from './reading/search/indexer.js';
import { LateBlocks } from './reading/showing/late-blocks.js';
import { RenderedBodies } from './reading/showing/rendered-bodies.js';
import { SpecBlocks } from './reading/showing/spec-blocks.js';
import { visits } from './reading/visits/model.js';
import { transferContent } from './upkeep/transfers/transferred-content.js';
import { BodyDifferences } from './writing/differences/body-differences.js';
import { drafts, draftTexts } from './writing/drafts/model.js';

/** Bytes of files that writers name and that this process holds: for an organization, for all. */
const fetchedFileLimits = { ofOwner: 100_000_000, ofAll: 200_000_000 };

interface OfSpace {
  _id: string;
  space: string;
}

/** The dependencies that the rooms of content share. */
export interface ContentDependencies {
  /** The public address of the server, without a slash at the end. */
  baseUrl: string;
  store: Store;
  blobs: Blobs;
  /** Signs the download addresses of files. */
  links: BlobLinks;
  secrets: Secrets;
  outbox: Outbox;
  /** Calls other services for the work of jobs. */
  callAsSystem: () => Call;
  jobs: Jobs;
  trees: ContentTreeCache;
  members: MemberListCache;
  revisions: RevisionCache;
  views: VisitorViewCache;
  references: VisitorReferences;
  contents: EncodedContents;
  revisionLinks: RevisionLinksCache;
  work: PageWork;
  specWork: SpecWork;
  specContents: SpecContents;
  specReferences: SpecReferences;
  conversion: ConversionWork;
  proxy: GuardedProxy;
  /** Fetches files that writers name, and specifications. */
  outbound: Outbound;
  /** The GitHub App of the operator, if any. */
  githubApp: GitHubApp | undefined;
  /** Files that writers name, while they are held in memory. */
  fetchedFiles: HeldBytes;
  embeds: Embeds;
  /** The HTML of pages, for the readers of sites. */
  bodies: RenderedBodies;
  lateBlocks: LateBlocks;
  /** The differences between bodies of pages, for the app. */
  differences: BodyDifferences;
  /** The model of the operator, if any. */
  model: Model | undefined;
  allowance: Allowance;
  memory: ModelMemory;
  answers: Answers;
  /** Why this installation makes no PDFs. */
  withoutPdfs: string | undefined;
  /** Private addresses that requests may go to all the same. */
  allowCidrs: readonly string[];
  /** A folder for clones of Git repositories, of this process only. */
  cacheDir: string;
  /** A folder for what jobs fetch and make, of this process only; empty when it starts. */
  scratchDir: string;
  /** `Name <address>` of who makes the commits of exports. */
  commitAuthor: string;
  ledger: Ledger;
  indexer: Indexer;
  /** The writes of other groups that go with the restoring of a space. */
  restoring: (restored: { organization: string; space: string }) => Write[];
  /** The writes of other groups that go with the transfer of spaces to another organization. */
  transferring: (transferred: TransferredSpaces) => Promise<Write[]>;
  /** The collections of what belongs to spaces and ends with them, besides their content. */
  ofSpaces: readonly Collection<OfSpace>[];
  /** Bytes of an export of an organization, unpacked; 0 for any number. */
  maxExportBytes: number;
  /** Days to keep revisions of the past. */
  retentionDays: number;
  /** On the disk of that folder. */
  room: Room;
  /** Writers of the same thing in this process, one after the other: they would lose races to each other. */
  turns: KeyedSemaphore;
}

const ofSpaces = [
  changeRequests,
  contributions,
  requestedReviewers,
  reviews,
  sharedStates,
  gitInstallations,
  gitPreviews,
  specUses,
  contentImports,
  drafts,
  draftTexts,
  visits,
] as unknown as Collection<OfSpace>[];

/** Every collection of the service, to be prepared at start. */
export const contentCollections = [
  spaces,
  collections,
  grants,
  trees,
  revisionCollection,
  chunks,
  pageDocuments,
  translationSettings,
  translatedDocuments,
  glossaryEntries,
  answers,
  modelUses,
  modelMemory,
  ...ofSpaces,
  organizationExports,
  specs,
  specVersions,
  usages,
  blobUses,
  blobCounts,
  collectors,
  uploads,
  fonts,
  ...Object.values(jobCollections('content')),
  outboxCollection('content'),
] as unknown as Collection<never>[];

export function openDependencies(host: Host): ContentDependencies {
  const { config, store, blobs, secrets, log, exclusive, cacheDir, room, consumers, broker } = host;
  const emits = [...contentEvents, auditRecorded];
  const revisions = new RevisionCache(store);
  const links = blobLinks(secrets);
  const work = openPageWork();
  const jobs = new Jobs({ store, service: 'content', log, exclusive });
  const allowCidrs = config.OUTBOUND_ALLOW_CIDRS;
  const outbound = createOutbound({ allowCidrs });
  const specWork = openSpecWork();
  const embeds = new Embeds({ outbound: createOutbound({ allowCidrs }), work });
  const specBlocks = new SpecBlocks({ store, blobs, specWork });
  const asking = {
    baseUrl: config.baseUrl,
    store,
    work,
    views: new VisitorViewCache(revisions),
    callAsSystem: () => callAsSystem(broker),
    model: openModel(config, log),
    allowance: new Allowance(store, config),
  };
  return {
    ...asking,
    answers: new Answers(asking),
    memory: new ModelMemory(store, config.MODEL_NAME ?? ''),
    blobs,
    indexer: new Indexer({ store, work, revisions, jobs }, log),
    ledger: new Ledger(store, blobs, config.ORGANIZATION_STORAGE),
    links,
    secrets,
    outbox: new Outbox({ store, service: 'content', emits, consumers, log, exclusive, deliver: deliverOver(broker) }),
    jobs,
    trees: new ContentTreeCache(store, exclusive),
    members: new MemberListCache(),
    revisions,
    contents: new EncodedContents({ baseUrl: config.baseUrl, links }),
    revisionLinks: new RevisionLinksCache({ store, baseUrl: config.baseUrl }),
    references: new VisitorReferences({ store, work, revisions }),
    specWork,
    specContents: new SpecContents({ baseUrl: config.baseUrl, links, blobs }),
    specReferences: new SpecReferences({ store, revisions }),
    conversion: openConversionWork(),
    proxy: createProxy({ allowCidrs }),
    outbound,
    githubApp: openGitHubApp(config, outbound),
    fetchedFiles: new HeldBytes(fetchedFileLimits),
    embeds,
    bodies: new RenderedBodies({ store, work, links }),
    lateBlocks: new LateBlocks({ work, embeds, specBlocks }),
    differences: new BodyDifferences({ store, work, links }),
    withoutPdfs: withoutPdfs(config),
    allowCidrs,
    cacheDir: join(cacheDir, 'git'),
    scratchDir: join(cacheDir, 'imports'),
    commitAuthor: config.GIT_COMMIT_AUTHOR,
    // Specifications that its pages are made from may have changed meanwhile.
    restoring: (restored) => [refreshLater(jobs, restored)],
    transferring: (transferred) => transferContent({ store, jobs, revisions }, transferred),
    ofSpaces,
    maxExportBytes: config.ORGANIZATION_EXPORT,
    retentionDays: config.REVISION_RETENTION_DAYS,
    room,
    turns: new KeyedSemaphore(),
  };
}

function withoutPdfs({ PDF_BROWSER, READER }: Host['config']): string | undefined {
  if (!READER) return 'This installation makes no PDFs: READER is false';
  return PDF_BROWSER === undefined ? 'This installation makes no PDFs: PDF_BROWSER names no Chromium' : undefined;
}
