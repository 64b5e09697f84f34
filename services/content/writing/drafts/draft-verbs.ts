import { type Implementation, implementVerb } from '../../../../shared/contract/service.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import type { HasStore } from '../../../../shared/store/port.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { ContentWriter } from '../changes/content-writer.js';
import * as contract from '../contract.js';
import { listDrafts } from './draft-list.js';
import { mergeDraft } from './draft-merging.js';
import { dropDraft, keepDraft, readDraft } from './drafts.js';
import { suggestLinks } from './link-suggestions.js';
import { savePage } from './page-saving.js';
import { readSource } from './source-reading.js';

/** The verbs about what people write and have not saved. `writable` throws while nothing may be added to the stores. */
export const draftVerbs = (
  deps: HasStore & HasTrees & HasRevisions & HasWork & HasOutbox & { writer: ContentWriter },
  writable: () => void,
): Implementation[] => [
  implementVerb(contract.readSource, (parameters, context) => readSource(deps, parameters, context)),
  implementVerb(contract.mergeDraft, (parameters, context) => mergeDraft(deps, parameters, context)),
  implementVerb(contract.suggestLinks, (parameters, context) => suggestLinks(deps, parameters, context)),
  implementVerb(contract.keepDraft, (parameters, context) => {
    writable();
    return keepDraft(deps, parameters, context);
  }),
  implementVerb(contract.savePage, (parameters, context) => {
    writable();
    return savePage(deps, parameters, context);
  }),
  implementVerb(contract.readDraft, (parameters, context) => readDraft(deps, parameters, context)),
  implementVerb(contract.listDrafts, (parameters, { caller }) => listDrafts(deps, parameters, caller)),
  implementVerb(contract.dropDraft, (parameters, context) => dropDraft(deps, parameters, context)),
];
