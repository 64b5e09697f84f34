import { takingVerbs } from '../../../../../shared/contract/archive.js';
import { type Implementation, implementVerb } from '../../../../../shared/contract/service.js';
import type { HasStore } from '../../../../../shared/store/port.js';
import { spaces } from '../../../core/nodes/model.js';
import { specs } from '../../../openapi/specs/model.js';
import { contentLists } from '../archived.js';
import { takeSpace } from './take-space.js';
import { takeSpec } from './take-spec.js';
import { findForeignContent, takeArchivedSpace, takeArchivedSpec } from './verbs.js';

type Dependencies = Parameters<typeof takeSpace>[0] & Parameters<typeof takeSpec>[0];

/** The verbs by which content takes its part of an archive. */
export const archiveTakingVerbs = (deps: Dependencies): Implementation[] => [
  ...takingVerbs('content', deps, contentLists),
  implementVerb(findForeignContent, (wanted) => findForeign(deps, wanted)),
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
