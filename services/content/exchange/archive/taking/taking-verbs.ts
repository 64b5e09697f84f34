import { takingVerbs } from '../../../../../shared/contract/archive.js';
import { type Implementation, implementVerb } from '../../../../../shared/contract/service.js';
import type { HasStore } from '../../../../../shared/store/port.js';
import { changeRequests } from '../../../core/change-requests/model.js';
import { spaces } from '../../../core/nodes/model.js';
import { revisions } from '../../../core/revisions/model.js';
import { specs } from '../../../openapi/specs/model.js';
import { splitIntoParts } from '../../exports/page-sources.js';
import { contentLists } from '../archived.js';
import type { HistoryIds } from './checked-history.js';
import { takeSpace } from './take-space.js';
import { takeSpec } from './take-spec.js';
import { findForeignContent, findForeignHistory, takeArchivedSpace, takeArchivedSpec } from './verbs.js';

type Dependencies = Parameters<typeof takeSpace>[0] & Parameters<typeof takeSpec>[0];

/** The verbs by which content takes its part of an archive. */
export const archiveTakingVerbs = (deps: Dependencies): Implementation[] => [
  ...takingVerbs('content', deps, contentLists),
  implementVerb(findForeignContent, (wanted) => findForeign(deps, wanted)),
  implementVerb(findForeignHistory, (history) => findForeignIds(deps, history)),
  implementVerb(takeArchivedSpec, (taking) => takeSpec(deps, taking)),
  implementVerb(takeArchivedSpace, (taking) => takeSpace(deps, taking)),
];

async function findForeign(
  { store }: HasStore,
  wanted: { organization: string; spaces: string[]; specs: string[] },
): Promise<string[]> {
  const found = [
    ...(await store.getMany(spaces, wanted.spaces, { fields: ['organization'] })),
    ...(await store.getMany(specs, wanted.specs, { fields: ['organization'] })),
  ];
  return found.flatMap(({ _id, organization }) => (organization === wanted.organization ? [] : [_id]));
}

/** Ids that are looked up at once. */
const atOnce = 500;

async function findForeignIds({ store }: HasStore, history: HistoryIds): Promise<string[]> {
  const foreign: string[] = [];
  for (const revisionIds of splitIntoParts(history.revisions, atOnce))
    foreign.push(...othersThan(history, await store.getMany(revisions, revisionIds, { fields: ['space'] })));
  for (const ids of splitIntoParts(history.changeRequests, atOnce))
    foreign.push(...othersThan(history, await store.getMany(changeRequests, ids, { fields: ['space'] })));
  return foreign;
}

const othersThan = ({ space }: HistoryIds, found: { _id: string; space: string }[]): string[] =>
  found.flatMap((each) => (each.space === space ? [] : [each._id]));
