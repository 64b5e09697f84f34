import type { HasLinks } from '../../../../shared/blobs/links.js';
import { type Encoded, encodeInSlices, objectJson } from '../../../../shared/contract/encoded.js';
import type { Answer, Contract } from '../../../../shared/contract/operation.js';
import type { Context } from '../../../../shared/contract/service.js';
import { type PageRequest, slicePage } from '../../../../shared/lists/paging.js';
import type { HasSecrets } from '../../../../shared/secrets/secrets.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { eachInSlices } from '../../../../shared/work/slices.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { RevisionView } from '../../core/revisions/revision-view.js';
import type { linksOperations } from '../contract/links.js';
import type { Links, UsedTarget } from './link-collector.js';
import { Locations } from './locations.js';
import { lackingAnchors } from './missing-anchors.js';
import type { ListedContent } from './places.js';
import type { brokenContexts, ReferencesStats, referenceStatuses } from './resources.js';
import { StoredLinks } from './stored-links.js';
import type { Target } from './targets.js';
import { VisibleContent } from './visible-content.js';

type Dependencies = HasStore & HasLinks & HasSecrets & HasTrees & HasRevisions & { baseUrl: string };
type LinksAnswer = Answer<Contract<typeof linksOperations>['listSpaceLinks']>;

/** Places that use one target, and places in one answer together; one of each target is always shown. */
const maxPlaces = { ofTarget: 100, inAnswer: 2000 };

export interface LinksQuery extends PageRequest {
  status?: Status | undefined;
  brokenContext?: (typeof brokenContexts)[number] | undefined;
}

interface Listing {
  place: ListedContent;
  query: LinksQuery;
  /** The links that are listed, in any revision of the space. */
  linksIn: (view: RevisionView) => Promise<Links>;
}

/** The links of a page or of a whole content, with what the caller sees of their targets. */
export async function answerLinks(
  deps: Dependencies,
  { place, query, linksIn }: Listing,
  context: Context,
): Promise<Encoded<LinksAnswer>> {
  const { view } = place;
  const visible = await VisibleContent.for(deps, context);
  const links = await linksIn(view);
  const statusOf = await statusesOf(deps, visible, links);
  const base = await place.base();
  const before = base && (await findBroken(deps, visible, await linksIn(base)));
  const stats: ReferencesStats = { total: 0, broken: { total: 0, ...(before ? { changeRequest: 0 } : {}) } };
  const matching: UsedTarget[] = [];
  await eachInSlices(links.targets.values(), (used) => {
    const status = statusOf(used);
    const isNew = before !== undefined && !before.has(used.key);
    count(stats, status, isNew);
    if (matches(query, status, isNew)) matching.push(used);
  });
  const { items, ...envelope } = slicePage(matching, view.revision._id, query, (used) => used);
  const changeRequest = await place.changeRequest();
  const locations = await Locations.for(deps, { view, changeRequest, visible, context, targets: items });
  const shown = Math.min(maxPlaces.ofTarget, Math.max(1, Math.floor(maxPlaces.inAnswer / Math.max(1, items.length))));
  const usages = usagesJson(items, { statusOf, locations, shown });
  return encodeInSlices(objectJson({ ...envelope, stats }, { items: usages }));
}

/** The keys of the targets that are broken. */
async function findBroken(deps: Dependencies, visible: VisibleContent, links: Links): Promise<Set<string>> {
  const statusOf = await statusesOf(deps, visible, links);
  const broken = new Set<string>();
  await eachInSlices(links.targets.values(), (used) => {
    if (statusOf(used) === 'broken') broken.add(used.key);
  });
  return broken;
}

function count(stats: ReferencesStats, status: Status, isNew: boolean): void {
  stats.total += 1;
  if (status !== 'broken') return;
  stats.broken.total += 1;
  if (isNew && stats.broken.changeRequest !== undefined) stats.broken.changeRequest += 1;
}

const matches = (wanted: LinksQuery, status: Status, isNew: boolean): boolean =>
  (wanted.status === undefined || wanted.status === status) &&
  (wanted.brokenContext === undefined ||
    (status === 'broken' && isNew === (wanted.brokenContext === 'change-request')));

/** The JSON of each item in pieces: a place at a time. */
function* usagesJson(
  items: readonly UsedTarget[],
  { statusOf, locations, shown }: { statusOf: (used: UsedTarget) => Status; locations: Locations; shown: number },
): Generator<Iterable<string>> {
  for (const used of items) {
    const { relation, url, target, uses } = used;
    const status = statusOf(used);
    const targetReference = status === 'broken' ? undefined : locations.ofTarget(target);
    const fields = { status, relation, url, ...(targetReference ? { targetReference } : {}), locations: uses.length };
    const places = function* () {
      for (const use of uses.slice(0, shown)) yield [JSON.stringify(locations.ofUse(use))];
    };
    yield objectJson(fields, { locationReferences: places() });
  }
}

type Status = (typeof referenceStatuses)[number];

type PageElsewhere = Extract<Target, { kind: 'page-elsewhere' }>;

/** Finds the status of targets as a caller sees them. The function answers for these links alone. */
export async function statusesOf(
  { store }: HasStore,
  visible: VisibleContent,
  { targets, lacking }: Links,
): Promise<(used: UsedTarget) => Status> {
  const users = new Set<string>();
  const specs = new Set<string>();
  const pages = new Map<string, PageElsewhere[]>();
  await eachInSlices(targets.values(), ({ target }) => {
    if (target.kind === 'user') users.add(target.user);
    if (target.kind === 'openapi') specs.add(target.spec);
    if (target.kind !== 'page-elsewhere') return;
    const known = pages.get(target.space);
    if (known) known.push(target);
    else pages.set(target.space, [target]);
  });
  await visible.findUsers(users);
  await visible.findSpecs(specs);
  const missing = new Set<Target>(lacking);
  for (const [space, named] of pages) {
    const view = await visible.contentOf(space);
    const without = view && (await lackingAnchors(view, named, new StoredLinks({ store, space })));
    for (const target of named) if (!view?.pageById.has(target.page) || without?.has(target)) missing.add(target);
  }
  const exists = (target: Target): boolean => {
    if (target.kind === 'nothing' || missing.has(target)) return false;
    if (target.kind === 'space') return visible.roleOn('space', target.space) !== undefined;
    if (target.kind === 'collection') return visible.roleOn('collection', target.collection) !== undefined;
    if (target.kind === 'openapi') return visible.specOf(target.spec) !== undefined;
    return target.kind !== 'user' || visible.userOf(target.user) !== undefined;
  };
  return ({ target }) => (target.kind === 'app' ? 'in-app' : exists(target) ? 'ok' : 'broken');
}
