import type { HandlersOf } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors/errors.js';
import { changesOf } from '../../../shared/store/changes.js';
import { type HasStore, type Store, write } from '../../../shared/store/port.js';
import { newId } from '../../../shared/values/ids.js';
import type { externalLinkOperations } from '../contract/external-links.js';
import { type LinkDocument, links } from '../structure/model.js';
import { addLink, removeLink, setParent } from '../structure/rules.js';
import { findLink } from '../structure/structure.js';
import type { HasStructures } from '../structure/structures.js';
import { presentLink } from './changed-parts.js';
import { checkCondition } from './conditions.js';

export const externalLinkHandlers = ({
  store,
  structures,
}: HasStore & HasStructures): HandlersOf<typeof externalLinkOperations> => ({
  async addExternalLinkToSite({ path: { siteId: site }, body }, { audit }) {
    const { parent = null, title, url, ...optional } = body;
    if (body.condition) checkCondition(body.condition);
    const empty: LinkDocument = { _id: newId(), site, title, url };
    const link = changesOf(empty, flagged(optional))?.after ?? empty;
    const changed = await structures.change(site, ({ structure }) => {
      addLink(structure, link._id, parent);
      return {
        documents: { link },
        writes: [write.insert(links, link)],
        record: audit('site-external-link', link._id, { details: { site, title, url, parent } }),
      };
    });
    return presentLink({ store }, { changed, id: link._id });
  },

  async updateSiteExternalLinkById({ path: { siteId: site, siteExternalLinkId: id }, body }, { audit }) {
    const { parent, ...fields } = body;
    if (body.condition) checkCondition(body.condition);
    const changed = await structures.change(site, async ({ structure }) => {
      findLink(structure, id);
      if (parent !== undefined) setParent(structure, id, parent);
      const before = await documentOf(store, id);
      const changes = changesOf(before, flagged(fields));
      return {
        documents: { link: changes?.after ?? before },
        writes: changes ? [write.update(links, { _id: id }, changes.update, { expect: 1 })] : [],
        record: audit('site-external-link', id, {
          details: { site, ...(parent === undefined ? {} : { parent }), ...changes?.details },
        }),
      };
    });
    return presentLink({ store }, { changed, id });
  },

  async deleteSiteExternalLinkById({ path: { siteId: site, siteExternalLinkId: id } }, { audit }) {
    await structures.change(site, ({ structure }) => {
      removeLink(structure, id);
      return {
        writes: [write.delete(links, { _id: id })],
        record: audit('site-external-link', id, { details: { site } }),
      };
    });
  },
});

/** Only drafts say that they are some. */
const flagged = <F extends { draft?: boolean | undefined }>({ draft, ...fields }: F) => ({
  ...fields,
  draft: draft === undefined ? undefined : draft ? (true as const) : null,
});

async function documentOf(store: Store, id: string): Promise<LinkDocument> {
  const found = await store.get(links, id);
  if (!found) throw notFound('Site external link');
  return found;
}
