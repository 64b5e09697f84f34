import type { HasLinks } from '../../../../shared/blobs/links.js';
import type { Context, HandlersOf } from '../../../../shared/contract/service.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { changeRequestUrl, presentChangeRequest } from '../../core/change-requests/present.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { HasContents } from '../../reading/pages/encoded-contents.js';
import { presentFile, wholeContent } from '../../reading/pages/pages.js';
import type { changeOperations } from '../contract/changes.js';
import type { Author, ContentWriter } from './content-writer.js';
import type { WrittenContent } from './write-content.js';

const authorOf = ({ access: { organization }, caller, audit }: Context): Author => ({ organization, caller, audit });

export function writingHandlers(
  deps: HasStore & HasLinks & HasRevisions & HasContents & { baseUrl: string },
  writer: ContentWriter,
): HandlersOf<typeof changeOperations> {
  return {
    async updateChangeRequestContent({ path, query, body }, context) {
      const { item, written } = await writer.writeChangeRequest(path, body, authorOf(context));
      const changeRequest = await presentChangeRequest(deps, item, context);
      if (query.compat) return changeRequest;
      const { inserted } = written;
      return {
        changeRequest,
        changes: outcomesOf(written, changeRequestUrl(deps.baseUrl, item)),
        ...(inserted.length > 0
          ? { insertedFiles: inserted.map((file) => presentFile(deps, file, wholeContent)) }
          : {}),
      };
    },

    async updateSpaceContent({ path: { spaceId: space }, body }, context) {
      const revision = await writer.writeSpace(space, body, authorOf(context));
      return deps.contents.revision(await deps.revisions.get(space, revision), wholeContent);
    },
  };
}

function outcomesOf({ draft }: WrittenContent, location: string) {
  return [...draft.results()].map(([id, outcome]) => {
    if (outcome === 'deleted') return { object: 'deleted_page' as const, page: id };
    const page = { object: 'page' as const, id, urls: { location: `${location}/content/page/${id}` } };
    if (outcome === 'updated') return { object: 'updated_page' as const, page };
    const ref = [...draft.refs].find(([, target]) => 'page' in target && target.page === id)?.[0];
    return { object: 'created_page' as const, ...(ref === undefined ? {} : { ref }), page };
  });
}
