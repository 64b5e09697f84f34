import type { Context } from '../../../shared/contract/service.js';
import { write } from '../../../shared/store/port.js';
import { type SiteDocument, sites } from '../site/model.js';
import { type NotedDependencies, openNotedDependencies } from '../sites/testing/noted-dependencies.js';
import { sections, siteSpaces } from '../structure/model.js';
import { addSection } from '../structure/rules.js';
import { emptyStructure } from '../structure/structure.js';
import { firstStructure } from '../structure/structures.js';
import { sectionHandlers } from './section-handlers.js';

const site: SiteDocument = {
  _id: 'site_1',
  organization: 'acme',
  type: 'basic',
  title: 'Docs',
  visibility: 'public',
  published: true,
  basename: 'docs',
  hostname: 'docs.acme.test',
  adaptiveContent: true,
  agentsContext: 'included',
  structureVersion: 1,
  siteSpaces: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
};

let noted: NotedDependencies;
/** The details of audit records. */
const audited: unknown[] = [];

beforeAll(async () => {
  noted = await openNotedDependencies({
    'identity.findDomainOwners': () => ({ 'docs.acme.test': ['acme'] }),
    'content.presentSpaces': ({ ids }: { ids: string[] }) => ids.map((id) => ({ id, title: id })),
  });
  const structure = emptyStructure();
  const siteSpace = { id: 'v', space: 'guide', path: 'guide' };
  addSection(structure, { id: 's', slug: 'guide', siteSpace }, { id: 'w', slug: 'w' });
  await noted.deps.store.batch([
    write.insert(sites, site),
    firstStructure(site, structure),
    write.insert(sections, { _id: 's', site: site._id, title: 'Guide', icon: 'book', description: 'All of it' }),
    write.insert(siteSpaces, { _id: 'v', site: site._id }),
  ]);
});
afterAll(() => noted.close());

async function update(body: Record<string, unknown>) {
  const audit: Context['audit'] = (_, __, options) => {
    audited.push(options?.details);
    return write.check(sites, { _id: site._id }, 1);
  };
  noted.reset();
  audited.length = 0;
  const path = { organizationId: 'acme', siteId: site._id, siteSectionId: 's' };
  const context = { call: noted.call, audit } as Context;
  return sectionHandlers(noted.deps).updateSiteSectionById({ path, query: {}, body }, context);
}

describe('updating a section', () => {
  it('answers what it wrote without reading it again, nor asking for the organization', async () => {
    const section = await update({ title: 'Guides', path: 'guides', icon: 'book' });
    expect(section).toMatchObject({
      title: 'Guides',
      path: 'guides',
      urls: { published: 'https://docs.acme.test/' },
      siteSpaces: [{ id: 'v', urls: { published: 'https://docs.acme.test/' } }],
    });
    expect(noted.reads).toEqual(['get', 'get', 'get', 'batch', 'getMany']);
    expect(noted.calls).toEqual(['identity.findDomainOwners', 'content.presentSpaces']);
    expect(audited).toEqual([{ site: site._id, path: 'guides', title: 'Guides' }]);
  });

  it('clears a text by null, and shows no empty text', async () => {
    const section = await update({ icon: null, description: '' });
    expect(section).not.toHaveProperty('icon');
    expect(section).not.toHaveProperty('description');
    expect(audited).toEqual([{ site: site._id, icon: null, description: '' }]);
    const stored = { _id: 's', site: site._id, title: 'Guides', description: '' };
    expect(await noted.deps.store.get(sections, 's')).toEqual(stored);
  });

  it('writes nothing when nothing differs', async () => {
    await update({ title: 'Guides', path: 'guides', icon: null, description: '' });
    expect(noted.reads).not.toContain('batch');
  });
});
