import type { Audit } from '../../../shared/contract/audit.js';
import type { Caller } from '../../../shared/contract/caller.js';
import { eachDocument, type HasStore, type Store, write } from '../../../shared/store/port.js';
import { changeRequestTag, type HasRenderers, siteTag, spaceTag } from '../renderers/renderers.js';
import { resolveSites } from '../site/access.js';
import { siteSpaces, structures } from '../structure/model.js';
import { removeSiteSpace } from '../structure/rules.js';
import { siteSpacesShowing } from '../structure/structure.js';
import type { HasStructures } from '../structure/structures.js';

interface ShownSpace {
  organization: string;
  space: string;
}

/** The ids of the sites that show a space. */
export async function* sitesShowing(store: Store, { organization, space }: ShownSpace): AsyncGenerator<string> {
  for await (const { _id } of eachDocument(store, structures, { organization, spaces: space }, ['version'])) yield _id;
}

/** Finds which of the spaces a site of the organization shows. */
export async function shownAmong(
  store: Store,
  { organization, spaces }: { organization: string; spaces: string[] },
): Promise<string[]> {
  const shown: string[] = [];
  for (const space of spaces)
    if (await store.findOne(structures, { organization, spaces: space }, { fields: ['version'] })) shown.push(space);
  return shown;
}

/** The spaces that a site shows; null where the organization has no such site that the caller may view. */
export async function spacesOfSite(
  { store }: HasStore,
  { organization, site }: { organization: string; site: string },
  caller: Caller,
): Promise<string[] | null> {
  const [access] = await resolveSites(store, { caller, ids: [site] });
  if (access?.organization !== organization || access.refused !== undefined) return null;
  return (await store.get(structures, site, { fields: ['spaces'] }))?.spaces ?? [];
}

/** Notifies renderers of changed spaces and of the sites that show them. */
export async function revalidateSpaces(
  { store, renderers }: HasStore & HasRenderers,
  changed: ShownSpace[],
): Promise<void> {
  if (!renderers.any) return;
  const tags: string[] = [];
  for (const { organization, space } of changed) {
    tags.push(spaceTag(space));
    for await (const site of sitesShowing(store, { organization, space })) tags.push(siteTag(site));
  }
  await store.batch(renderers.revalidate(tags));
}

/** Notifies renderers of changed change requests of spaces that some site shows. */
export async function revalidateChangeRequests(
  { store, renderers }: HasStore & HasRenderers,
  changed: (ShownSpace & { changeRequest: string })[],
): Promise<void> {
  if (!renderers.any) return;
  const tags: string[] = [];
  for (const { organization, space, changeRequest } of changed)
    if (await store.findOne(structures, { organization, spaces: space }, { fields: ['version'] }))
      tags.push(changeRequestTag(space, changeRequest));
  await store.batch(renderers.revalidate(tags));
}

/** Removes a space that is gone from every site of the organization that shows it. */
export async function removeSpace(
  { store, structures }: HasStore & HasStructures,
  { organization, space, audit }: ShownSpace & { audit: Audit },
): Promise<void> {
  for await (const site of sitesShowing(store, { organization, space }))
    await structures.change(site, ({ structure }) => {
      const removed = siteSpacesShowing(structure, space).map(({ id }) => id);
      for (const id of removed) removeSiteSpace(structure, id);
      return {
        writes: removed.map((id) => write.delete(siteSpaces, { _id: id })),
        record: audit('site', site, { organization, details: { removed, space } }),
      };
    });
}
