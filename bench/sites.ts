import { type Act, call as answerOf, close, compare, get, lastPage, report } from './large.js';

/**
 * One large site: 2,000 site spaces in 200 sections. Lists against their first page, moves at the end against moves at the
 * start, point reads against those of a small site. On an SQLite file, or with MONGODB_URL on that database.
 */
const sections = Number(process.env.BENCH_SECTIONS ?? 200);
const siteSpaces = Number(process.env.BENCH_SITE_SPACES ?? 2_000);
const spaces = 100;

interface Answer {
  id: string;
  count: number;
  items: { id: string; siteSpaces: { id: string }[]; urls: { published: string } }[];
  structure: unknown[];
  next?: { page: string };
}

const call = (method: string, path: string, body?: unknown) => answerOf<Answer>(method, path, body);

async function newSpaces(organization: string): Promise<string[]> {
  const made: string[] = [];
  for (let at = 0; at < spaces; at++)
    made.push((await call('POST', `/orgs/${organization}/spaces`, { title: `Space ${at}` })).id);
  return made;
}

/** The path of a new site with this many sections and, shared among them, site spaces. */
async function newSite(organization: string, shown: string[], size: { sections: number; siteSpaces: number }) {
  const { id } = await call('POST', `/orgs/${organization}/sites`, { title: 'Bench' });
  const site = `/orgs/${organization}/sites/${id}`;
  const ids: string[] = [];
  for (let at = 0; at < size.sections; at++)
    ids.push((await call('POST', `${site}/sections`, { spaceId: shown[at % spaces], title: `Section ${at}` })).id);
  for (let at = size.sections; at < size.siteSpaces; at++)
    await call('POST', `${site}/site-spaces`, { spaceId: shown[(at * 7) % spaces], sectionId: ids[at % ids.length] });
  await call('POST', `${site}/publish`);
  return site;
}

/** A URL of the last section of a site, as a visitor asks for it. */
async function resolving(site: string): Promise<Act> {
  const last = (await call('GET', `${site}/sections?limit=1000`)).items.at(-1);
  return () => call('POST', '/urls/published', { url: last?.urls.published });
}

/** Two sections, or two site spaces, that change places. */
function swap(path: string, kind: string, key: string, ids: string[], from: number): Act {
  const [one = '', other = ''] = ids.slice(from, from + 2);
  return (round) => {
    const [moved, anchor] = round % 2 === 0 ? [one, other] : [other, one];
    return call('POST', `${path}/${moved}/move`, { position: { after: { type: kind, [key]: anchor } } });
  };
}

try {
  const { id: organization } = await call('POST', '/orgs', { title: 'Bench' });
  const began = performance.now();
  const shown = await newSpaces(organization);
  const small = await newSite(organization, shown, { sections: 2, siteSpaces: 4 });
  const large = await newSite(organization, shown, { sections, siteSpaces });
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  process.stdout.write(`${siteSpaces} site spaces in ${sections} sections made in ${seconds} s\n`);

  const ofSections = (await call('GET', `${large}/sections?limit=1000`)).items;
  const sectionIds = ofSections.map(({ id }) => id);
  const siteSpaceIds = (await call('GET', `${large}/site-spaces?limit=1000`)).items.map(({ id }) => id);
  const lastSiteSpaces = ofSections.at(-1)?.siteSpaces.map(({ id }) => id) ?? [];
  const [first, firstOf] = ['the first page', 'a move at the start'];
  const moveSection = (from: number) => swap(`${large}/sections`, 'site-section', 'siteSection', sectionIds, from);
  const moveSiteSpace = (ids: string[]) => swap(`${large}/site-spaces`, 'site-space', 'siteSpace', ids, 0);
  const results = [
    await compare(
      'last page of 100 site spaces',
      1.5,
      [first, get(`${large}/site-spaces?limit=100`)],
      get(await lastPage(`${large}/site-spaces`, 100)),
    ),
    await compare(
      'last page of 20 sections',
      1.5,
      [first, get(`${large}/sections?limit=20`)],
      get(await lastPage(`${large}/sections`, 20)),
    ),
    await compare('moving a section at the end', 1.3, [firstOf, moveSection(0)], moveSection(sectionIds.length - 2)),
    await compare(
      'moving a site space at the end',
      1.3,
      [firstOf, moveSiteSpace(siteSpaceIds)],
      moveSiteSpace(lastSiteSpaces),
    ),
    await compare('getting the site', 1.5, ['a small one', get(small)], get(large)),
    await compare(
      'its default site space',
      3,
      ['that of a small one', get(`${small}/site-spaces?default=true`)],
      get(`${large}/site-spaces?default=true`),
    ),
    await compare('resolving a URL', 3, ['one of a small site', await resolving(small)], await resolving(large)),
  ];
  await report('moving a section', moveSection(0));
  await report('moving a section of a small site', async (round) => {
    const { items } = await call('GET', `${small}/sections`);
    return swap(
      `${small}/sections`,
      'site-section',
      'siteSection',
      items.map(({ id }) => id),
      0,
    )(round);
  });
  await report('the whole structure', get(`${large}/structure`));
  await report('customization', get(`${large}/customization`));
  process.exitCode = results.every(Boolean) ? 0 : 1;
} finally {
  await close();
}
