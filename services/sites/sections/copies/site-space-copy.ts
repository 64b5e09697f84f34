import type { Context } from '../../../../shared/contract/service.js';
import { notFound } from '../../../../shared/errors/errors.js';
import { type HasStore, write } from '../../../../shared/store/port.js';
import { titleOfCopy } from '../../../../shared/text/copy-title.js';
import { newId } from '../../../../shared/values/ids.js';
import { contentContract, presentSpaces } from '../../../content/contract.js';
import type { HasDomainOwners } from '../../site/domain-owners.js';
import { siteOf } from '../../site/model.js';
import { withNewSpaces } from '../../site/new-spaces.js';
import type { HasConfig } from '../../site/urls.js';
import { sections, siteSpaces } from '../../structure/model.js';
import { slugOf } from '../../structure/paths.js';
import { addCopy } from '../../structure/rules.js';
import { findSiteSpace } from '../../structure/structure.js';
import type { HasStructureCache } from '../../structure/structure-cache.js';
import type { ChangedSite, HasStructures } from '../../structure/structures.js';
import { presentSiteSpace } from '../changed-parts.js';
import type { SiteSpace, SiteSpaceCopy } from '../resources.js';

type Dependencies = HasStore & HasConfig & HasStructures & HasDomainOwners & HasStructureCache;

interface Copied {
  organization: string;
  site: string;
  /** The id of the site space. */
  id: string;
}

/** Copies the space of a site space, and shows the copy beside it; a large space is not complete by then. */
export async function copySiteSpace(
  deps: Dependencies,
  { organization, site, id }: Copied,
  context: Pick<Context, 'call' | 'audit'>,
): Promise<SiteSpace | SiteSpaceCopy> {
  const { call } = context;
  const structure = await deps.structureCache.structureOf(await siteOf(deps.store, site));
  const { space: source } = findSiteSpace(structure, id).siteSpace;
  const [space] = await call(presentSpaces, { organization, ids: [source] });
  if (!space) throw notFound('Space');
  const { made, copy, changed } = await withNewSpaces(call, async (onMade) => {
    const made = await call(contentContract.duplicateSpace, { path: { spaceId: source } });
    onMade(made.id);
    const copy = { id: newId(), space: made.id, path: slugOf(titleOfCopy(space.title, maxPath), 'space') };
    return { made, copy, changed: await placeCopy(deps, { site, id, copy }, context) };
  });
  if (made.object === 'space') return presentSiteSpace(deps, { call, changed, id: copy.id });
  return { object: 'site-space-copy', id: copy.id, space: made.id, urls: made.urls };
}

const maxPath = 90;
const maxSectionTitle = 128;

interface Placed {
  site: string;
  id: string;
  copy: { id: string; space: string; path: string };
}

/** Shows a copy after the site space that it was made of, to the same visitors and with the same looks. */
const placeCopy = (
  { store, structures }: Dependencies,
  { site, id, copy }: Placed,
  { audit }: Pick<Context, 'audit'>,
): Promise<ChangedSite> =>
  structures.change(site, async ({ structure }) => {
    const { section: holder } = findSiteSpace(structure, id);
    const [before, around] = await Promise.all([
      store.get(siteSpaces, id),
      holder ? store.get(sections, holder.id) : null,
    ]);
    if (!before) throw notFound('Site space');
    const siteSpace = { ...before, _id: copy.id };
    const title = titleOfCopy(around?.title ?? '', maxSectionTitle);
    const section = around && { ...around, _id: newId(), title };
    const named = { id: section?._id ?? '', slug: slugOf(title, 'section') };
    const withSection = addCopy(structure, id, { siteSpace: copy, section: named }) && section;
    return {
      documents: { siteSpace },
      writes: [write.insert(siteSpaces, siteSpace), ...(withSection ? [write.insert(sections, withSection)] : [])],
      record: audit('site-space', copy.id, { details: { site, source: id, space: copy.space } }),
    };
  });
