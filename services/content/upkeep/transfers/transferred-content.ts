import type { HasJobs } from '../../../../shared/jobs/jobs.js';
import { type Collection, type HasStore, type Write, write } from '../../../../shared/store/port.js';
import { changeRequests } from '../../core/change-requests/model.js';
import type { SpaceDocument } from '../../core/nodes/model.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import { inUse, type TransferredSpaces } from '../../core/spaces/transfers/transfer-nodes.js';
import { contentImports, unended } from '../../exchange/imports/content-import/model.js';
import { specsIn } from '../../openapi/pages/computed-pages.js';
import { specUses } from '../../openapi/pages/spec-uses.js';
import { reindexWrites } from '../../reading/search/indexer.js';
import { visits } from '../../reading/visits/model.js';
import { drafts, draftTexts } from '../../writing/drafts/model.js';

interface Owned {
  _id: string;
  organization: string;
  space: string;
}

/** The collections of what belongs to spaces and names their organization. */
const owned = [changeRequests, contentImports, drafts, draftTexts, visits] as unknown as Collection<Owned>[];

/** The writes that take along what belongs to transferred spaces. Throws 412 where an import is under way, or pages need a specification. */
export async function transferContent(
  deps: HasStore & HasJobs & HasRevisions,
  { spaces, to }: TransferredSpaces,
): Promise<Write[]> {
  const { store, jobs } = deps;
  const space = { $in: spaces.map(({ _id }) => _id) };
  if (await store.findOne(contentImports, { space, state: { $in: [...unended] } }, { fields: ['state'] }))
    throw inUse('An import is under way; wait until it has ended, or cancel it');
  for (const each of spaces) await checkSpecs(deps, each);
  return [
    ...owned.map((collection) => write.update(collection, { space }, { $set: { organization: to } })),
    write.delete(specUses, { space }),
    ...spaces.flatMap(({ _id }) => reindexWrites(jobs, _id)),
  ];
}

/** Specifications stay in their organization, and pages that are made from one would change no more. */
async function checkSpecs({ revisions }: HasRevisions, { _id, title, revision }: SpaceDocument): Promise<void> {
  const [spec] = specsIn((await revisions.get(_id, revision)).pages);
  if (spec !== undefined)
    throw inUse(
      `The space "${title}" has pages that are made from the OpenAPI specification ${spec}; remove them first`,
    );
}
