import { auditRecorded, openAudit } from '../../../../shared/contract/audit.js';
import type { Context } from '../../../../shared/contract/service.js';
import { conflict } from '../../../../shared/errors/errors.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import { type HasStore, StoreConflict, StoreDuplicate } from '../../../../shared/store/port.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { Author, ContentWriter } from '../changes/content-writer.js';
import type { PageSource, SavePage } from '../contract.js';
import { checkText, openWritingPlace, type WritingPlace } from './draft-places.js';
import { dropDraft } from './drafts.js';
import { storedSource } from './source-reading.js';

type Dependencies = HasStore & HasTrees & HasRevisions & HasOutbox & { writer: ContentWriter };

export async function savePage(
  deps: Dependencies,
  asked: SavePage,
  context: Context,
): Promise<Pick<PageSource, 'revision' | 'source'>> {
  const { page, markdown, version } = asked;
  checkText(markdown);
  const place = await openWritingPlace(deps, asked, context.caller);
  const revision = await writeSource(deps, place, { asked, context }).catch((error) => {
    const isLost = error instanceof StoreConflict || error instanceof StoreDuplicate;
    throw isLost ? conflict('Others write here as well; save again') : error;
  });
  if (version !== undefined) await dropDraft(deps, asked, context);
  const view = await deps.revisions.get(place.space, revision);
  return { revision, source: await storedSource(deps, view, view.pageById.get(page)) };
}

/** The id of the revision with the source. */
async function writeSource(
  { writer, outbox }: Dependencies,
  { organization, space, changeRequest }: WritingPlace,
  { asked: { page, markdown, revision }, context: { caller, requestId } }: { asked: SavePage; context: Context },
): Promise<string> {
  const body = {
    changes: [{ operation: 'update_page' as const, page, document: { markdown, exact: true } }],
    revision,
  };
  const authorBy = (operation: string): Author => {
    const about = { caller, requestId, access: { organization } };
    const { audit } = openAudit(operation, about, { trail: (record) => outbox.add(auditRecorded, record) });
    return { organization, caller, audit };
  };
  if (!changeRequest) return writer.writeSpace(space, body, authorBy('updateSpaceContent'));
  const path = { spaceId: space, changeRequestId: changeRequest.id };
  const { item } = await writer.writeChangeRequest(path, body, authorBy('updateChangeRequestContent'));
  return item.revision;
}
