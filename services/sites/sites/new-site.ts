import type { BodyOf } from '../../../shared/contract/operation.js';
import type { Context } from '../../../shared/contract/service.js';
import { again } from '../../../shared/store/again.js';
import { checkBound } from '../../../shared/store/bounds.js';
import { type HasStore, type Store, type Write, write } from '../../../shared/store/port.js';
import { newId, timestamp } from '../../../shared/values/ids.js';
import { contentContract } from '../../content/contract.js';
import { importHandbook } from '../../identity/contract.js';
import type { siteOperations } from '../contract/sites.js';
import { spacesFor } from '../sections/spaces.js';
import { type SiteDocument, sites } from '../site/model.js';
import { siteSpaces } from '../structure/model.js';
import { slugOf } from '../structure/paths.js';
import { addSiteSpace } from '../structure/rules.js';
import { emptyStructure, type Structure } from '../structure/structure.js';
import { firstStructure } from '../structure/structures.js';

interface NewSite {
  context: Context;
  organization: string;
  body: BodyOf<typeof siteOperations.createSite>;
}

const untitled = 'Untitled site';

/** Creates a site with its first spaces. */
export async function createSite({ store }: HasStore, given: NewSite): Promise<SiteDocument> {
  const { context, organization, body } = given;
  const { title = untitled, type, visibility } = body;
  await checkBound(store, sites, { organization }, { max: 5000, what: 'sites in an organization' });
  const structure = emptyStructure();
  for (const space of await firstSpaces(given))
    addSiteSpace(structure, null, { id: newId(), space: space.id }, slugOf(space.title, 'space'));
  const id = `site_${newId()}`;
  const first = { id, organization, type, title, slug: slugOf(title, 'site'), visibility, published: false, structure };
  const attempt = async () => {
    const made = await makeSite(store, first);
    await store.batch([...made.writes, context.audit('site', id, { details: { title } })]);
    return made.site;
  };
  return again(attempt, { duplicates: true });
}

type FirstSite = Pick<SiteDocument, 'organization' | 'type' | 'title' | 'visibility' | 'published'> & {
  id: string;
  /** Its basename, where that is free. */
  slug: string;
  structure: Structure;
};

/** A site with a free basename, and the writes that store it; duplicates refuse them where another site took the name meanwhile. */
export async function makeSite(
  store: Store,
  { id, slug, structure, ...given }: FirstSite,
): Promise<{ site: SiteDocument; writes: Write[] }> {
  const shown = structure.siteSpaces.items;
  const site: SiteDocument = {
    ...given,
    _id: id,
    basename: await freeBasename(store, given.organization, slug),
    adaptiveContent: true,
    agentsContext: 'included',
    structureVersion: 1,
    siteSpaces: shown.length,
    createdAt: timestamp(),
  };
  const writes = [
    write.insert(sites, site),
    firstStructure(site, structure),
    ...shown.map(({ id: _id }) => write.insert(siteSpaces, { _id, site: id })),
  ];
  return { site, writes };
}

/** The spaces that a site starts with; new ones are created here. */
async function firstSpaces({ context, organization, body }: NewSite): Promise<{ id: string; title: string }[]> {
  const { spaces, title = untitled } = body;
  if (Array.isArray(spaces)) {
    const wanted = spaces.map((id, at) => ({ id, field: `spaces.${at}` }));
    return spacesFor(context, { organization, wanted });
  }
  const { caller, call } = context;
  if (spaces === 'sample') {
    const creator = caller.kind === 'user' ? caller.user : caller.kind;
    const space = newId();
    await call(importHandbook, { organization, creator, space });
    return [{ id: space, title: 'Handbook' }];
  }
  const made = await call(contentContract.createSpace, {
    path: { organizationId: organization },
    body: { title: title.slice(0, 50) },
  });
  return [made];
}

async function freeBasename(store: Store, organization: string, slug: string): Promise<string> {
  for (let next = 0; ; next++) {
    const basename = next === 0 ? slug : `${slug}-${next}`;
    if (!(await store.findOne(sites, { organization, basename }, { fields: ['basename'] }))) return basename;
  }
}
