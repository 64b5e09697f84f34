import { ContentWriter, deleted, document, inserted, referencesIn, updated } from '../support/content-changes.js';
import { type NewUser, newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { officialWithout } from '../support/official.js';
import {
  importedSpace,
  importInto,
  named,
  openRepositories,
  pagesOf,
  type Repositories,
} from '../support/repository.js';
import type { Client } from '../support/server.js';
import { newSite } from '../support/site.js';

const admin = shared();
let organization: string;
let repositories: Repositories;
/** May view all spaces but `hidden`. */
let editor: NewUser;
let other: LiveSpace;
let hidden: LiveSpace;
let foreign: LiveSpace;
let writer: ContentWriter;
let linking: string;

/** A live space with the pages Guide, and Install below it. */
interface LiveSpace {
  id: string;
  guide: string;
  install: string;
  app: string;
  change(...changes: unknown[]): Promise<any>;
}

async function liveSpace(owner: string, fields: object = {}): Promise<LiveSpace> {
  const id = await newSpace(admin, owner, { editMode: 'live' });
  await admin.patch(`/v1/spaces/${id}`, fields);
  const change = async (...changes: unknown[]) => {
    const { status, body } = await admin.post(`/v1/spaces/${id}/content`, { changes });
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body;
  };
  const [guide] = (await change(inserted('Guide', document('## Über uns!\n')))).pages;
  const [{ pages }] = (await change(inserted('Install', { into: guide.id }))).pages;
  const { urls } = (await admin.get(`/v1/spaces/${id}`)).body;
  return { id, guide: guide.id, install: pages[0].id, app: urls.app, change };
}

beforeAll(async () => {
  [organization, repositories] = [await newOrganization(admin), await openRepositories()];
  editor = await newUser(admin, { organization, role: 'edit' });
  hidden = await liveSpace(organization, { defaultLevel: null });
  foreign = await liveSpace(await newOrganization(admin));
});
afterAll(() => repositories.close());
beforeEach(async () => {
  other = await liveSpace(organization);
  writer = await ContentWriter.on(editor.client, await newSpace(admin, organization));
  [linking] = (await writer.insert(inserted('Linking'))) as [string];
});

const sourceOf = async (text: string) => {
  await writer.apply(updated(linking, document(`${text}\n`)));
  return (await writer.source(linking)).trimEnd();
};
const markdownFor = async (client: Client) =>
  (await client.get(`${writer.path}/content/page/${linking}?format=markdown`)).body.markdown
    .replace(/^# .*\n+/, '')
    .trimEnd();
const references = async () => referencesIn(await writer.nodes(linking));

describe('a link by id', () => {
  it('is a reference of the public API in a document, and stays as it is written', async () => {
    const links = [
      `[a](/spaces/${other.id})`,
      `[b](/spaces/${other.id}/pages/${other.guide})`,
      `[c](/spaces/${other.id}/pages/${other.guide}#ueber-uns)`,
      `[d](/collections/01M81CRENH6CQAC1RMYP0SAGZJ)`,
      `[e](/users/${editor.id} "mention")`,
    ];
    expect(await sourceOf(links.join(' '))).toBe(links.join(' '));
    const space = other.id;
    expect(await references()).toEqual([
      { kind: 'space', space },
      { kind: 'page', page: other.guide, space },
      { kind: 'anchor', anchor: 'ueber-uns', page: other.guide, space },
      { kind: 'collection', collection: '01M81CRENH6CQAC1RMYP0SAGZJ' },
      { kind: 'user', user: editor.id },
    ]);
    const answer = await editor.client.get(`${writer.path}/content/page/${linking}?format=document`);
    expect(officialWithout([]).mismatches('getPageInChangeRequestById', answer)).toEqual([]);
  });

  it('may stand in the navigation', async () => {
    const { space } = await importedSpace({ client: admin, organization, repositories }, 'navigation', {
      'SUMMARY.md': `* [Home](README.md)\n* [Space](/spaces/${other.id})\n* [Guide](/spaces/${other.id}/pages/${other.guide}#x)\n`,
      'README.md': '# Home\n',
    });
    const links = (await pagesOf(admin, space)).slice(1);
    expect(links.map(({ title, target }: any) => [title, target])).toEqual([
      ['Space', { kind: 'space', space: other.id }],
      ['Guide', { kind: 'anchor', anchor: 'x', page: other.guide, space: other.id }],
    ]);
    const official = officialWithout([]);
    expect(links.flatMap(({ target }) => official.mismatchesOf('ContentRef', target))).toEqual([]);
  });

  it('to a page of the space itself is one within the space', async () => {
    const [target] = (await writer.insert(inserted('Target', document('## A b\n')))) as [string];
    const own = `/spaces/${writer.space}`;
    expect(
      await sourceOf(`[a](${own}/pages/${target}) [b](${own}/pages/target#A-B) [c](${own}/pages/none) [d](${own})`),
    ).toBe(`[a](/pages/${target}) [b](/pages/${target}#a-b) c [d](${own})`);
    expect((await references()).at(-1)).toEqual({ kind: 'space', space: writer.space });
  });

  it('gives way to a page of the space at the same path', async () => {
    const [above] = (await writer.insert(inserted('Spaces'), inserted('Users'))) as [string];
    const [below] = (await writer.insert(inserted('Intro', { into: above }))) as [string];
    expect(await sourceOf('[a](/spaces/intro) [b](/users) [c](/spaces/intro#x)')).toBe(
      `[a](/pages/${below}) [b](/pages/${await writer.named('Users')}) [c](/pages/${below}#x)`,
    );
  });
});

describe('a link by address', () => {
  it.each<[string, (space: LiveSpace) => string, (space: LiveSpace) => string]>([
    ['the address of a page', ({ app }) => `${app}/guide/install`, ({ install }) => `/pages/${install}`],
    ['it in other case', ({ app }) => `${app}/Guide//INSTALL/`, ({ install }) => `/pages/${install}`],
    ['it with a query', ({ app }) => `${app}/guide?a=1#ueber-uns`, ({ guide }) => `/pages/${guide}#ueber-uns`],
    ["GitHub's anchor", ({ app }) => `${app}/guide#%C3%BCber-uns`, ({ guide }) => `/pages/${guide}#ueber-uns`],
    ['the address of the space', ({ app }) => app, () => ''],
    ['it with a slash', ({ app }) => `${app}/`, () => ''],
    ['an anchor of the first page', ({ app }) => `${app}#x`, ({ guide }) => `/pages/${guide}#x`],
    ['a path', ({ id }) => `/spaces/${id}/pages/guide/install#x`, ({ install }) => `/pages/${install}#x`],
    [
      'a path of one segment',
      ({ id }) => `/spaces/${id}/pages/guide#über-uns`,
      ({ guide }) => `/pages/${guide}#ueber-uns`,
    ],
    [
      'an id and another name of the anchor',
      ({ id, guide }) => `/spaces/${id}/pages/${guide}#%C3%BCber-uns`,
      ({ guide }) => `/pages/${guide}#ueber-uns`,
    ],
  ])('%s becomes one by id', async (_, written, expected) => {
    const link = `/spaces/${other.id}${expected(other)}`;
    const url = written(other);
    expect(
      await sourceOf(
        `[*a*](${url} "title") <a href="${url}">b</a> [c][r]\n\n{% content-ref url="${url}" %}\n.\n{% endcontent-ref %}\n\n[r]: ${url}`,
      ),
    ).toBe(
      `[*a*](${link} "title") <a href="${link}">b</a> [c][r]\n\n{% content-ref url="${link}" %}\n.\n{% endcontent-ref %}\n\n[r]: ${link}`,
    );
  });

  it.each<[string, () => string]>([
    ['a page that does not exist', () => `${other.app}/nothing`],
    ['its path', () => `/spaces/${other.id}/pages/nothing/here`],
    ['a space that does not exist', () => `${other.app}0/guide`],
    ['a page of a space that the writer may not view', () => `${hidden.app}/guide`],
    ['its path', () => `/spaces/${hidden.id}/pages/guide/install`],
    ['that space', () => hidden.app],
    ['a page of another organization', () => `${foreign.app}/guide`],
    ['its path', () => `/spaces/${foreign.id}/pages/guide/install`],
    ['a revision', () => `${other.app}/~/revisions/1`],
    ['another page of this server', () => other.app.replace('/app/s/', '/app/o/')],
    ['another server', () => `https://example.com/app/s/${other.id}/guide`],
  ])('%s stays as it is written', async (_, written) => {
    expect(await sourceOf(`See [it](${written()}).`)).toBe(`See [it](${written()}).`);
  });

  it('stays a URL in an image, an embed, code, and where the page had it before', async () => {
    const url = `${other.app}/guide`;
    const text = `![a](${url}) \`[b](${url})\` <${url}>\n\n{% embed url="${url}" %}`;
    expect(await sourceOf(text)).toBe(text);
    const gone = `See [it](${other.app}/later).`;
    expect(await sourceOf(gone)).toBe(gone);
    await other.change(inserted('Later'));
    expect(await sourceOf(`${gone} More.`)).toBe(`${gone} More.`);
  });

  it('of a page of the space itself becomes one within the space, also by a former path', async () => {
    const own = other.app.replace(other.id, writer.space);
    const [target] = (await writer.insert(inserted('Target'))) as [string];
    expect(await sourceOf(`[a](${own}/target#x) [b](${own}/none) [c](${own})`)).toBe(
      `[a](/pages/${target}#x) [b](${own}/none) [c](/spaces/${writer.space})`,
    );
    await other.change(updated(other.guide, { slug: 'manual' }));
    await other.change(updated(other.install, document(`[a](${other.app}/guide)\n`)));
    const { source } = (await admin.get(`/v1/spaces/${other.id}/content/page/${other.install}?format=source`)).body;
    expect(source).toBe(`[a](/pages/${other.guide})\n`);
  });

  it('is found in twenty other spaces at most', async () => {
    const spaces = await Promise.all(Array.from({ length: 21 }, () => newSpace(admin, organization)));
    const at = (id: string) => other.app.replace(other.id, id);
    const links = (to: (id: string) => string) => spaces.map((id) => `[a](${to(id)})`).join(' ');
    const source = await sourceOf(links(at));
    expect(source).toBe(links((id) => (id === spaces[20] ? at(id) : `/spaces/${id}`)));
    expect(await markdownFor(editor.client)).toBe(links(at));
    await writer.apply(updated(linking, document(`${links((id) => `/spaces/${id}`)}\n`)));
    expect(await markdownFor(editor.client)).toBe(links((id) => (id === spaces[20] ? `/spaces/${id}` : at(id))));
  });

  it('is found however many there are in a page, and shown again', async () => {
    const part = `[a](${other.app}/guide/install#x) [b](/spaces/${other.id}/pages/guide#über-uns) `;
    const count = Math.floor(1_900_000 / part.length);
    const source = await sourceOf(part.repeat(count).trimEnd());
    const link = (page: string) => `/spaces/${other.id}/pages/${page}`;
    expect(source).toBe(`[a](${link(other.install)}#x) [b](${link(other.guide)}#ueber-uns) `.repeat(count).trimEnd());
    const shown = `[a](${other.app}/guide/install#x) [b](${other.app}/guide#ueber-uns) `.repeat(count).trimEnd();
    expect((await markdownFor(editor.client)) === shown).toBe(true);
  });

  it('of another organization stays as it is written, also for a member of both', async () => {
    const links = `[a](${foreign.app}/guide) [b](/spaces/${foreign.id}/pages/guide/install)`;
    await other.change(updated(other.install, document(`${links}\n`)));
    const { body } = await admin.get(`/v1/spaces/${other.id}/content/page/${other.install}?format=source`);
    expect(body.source).toBe(`${links}\n`);
  });

  it('of a deleted space stays as it is written', async () => {
    await admin.delete(`/v1/spaces/${other.id}`);
    expect(await sourceOf(`See [it](${other.app}/guide).`)).toBe(`See [it](${other.app}/guide).`);
  });
});

describe('markdown', () => {
  const all = () =>
    [other, hidden, foreign]
      .map(({ id, guide }) => `[a](/spaces/${id}/pages/${guide}#x) [b](/spaces/${id})`)
      .concat(`[c](/spaces/${other.id}/pages/none) [d](/users/${editor.id}) [e](/collections/${other.id})`)
      .join(' ');
  const kept = () => `c [d](/users/${editor.id}) [e](/collections/${other.id})`;

  it('has the addresses of what its reader may view; all else is text', async () => {
    await sourceOf(all());
    const shown = ({ app }: LiveSpace) => `[a](${app}/guide#x) [b](${app})`;
    expect(await markdownFor(editor.client)).toBe(`${shown(other)} a b a b ${kept()}`);
    expect(await markdownFor(admin)).toBe(`${shown(other)} ${shown(hidden)} a b ${kept()}`);
    await admin.delete(`/v1/spaces/${other.id}`);
    expect(await markdownFor(editor.client)).toBe(`a b a b a b ${kept()}`);
  });

  it('can be sent back: no link changes, wherever its target is by now', async () => {
    await sourceOf(
      `[a](/spaces/${other.id}/pages/${other.install}#x) [b](/spaces/${other.id}) [c](/users/${editor.id})`,
    );
    const [source, before] = [await writer.source(linking), await references()];
    for (const move of [{ slug: 'set-up' }, { into: null }, { title: 'Set it up', slug: '' }]) {
      const markdown = await writer.markdown(linking);
      await other.change(updated(other.install, move));
      await writer.apply(updated(linking, document(markdown)));
      expect(await references()).toEqual(before);
      expect(await writer.source(linking)).toBe(`# Linking\n\n${source}`);
    }
  });

  it('in included content has the addresses too', async () => {
    const { space } = await importedSpace({ client: admin, organization, repositories }, 'including', {
      'README.md': '# Home\n\n{% include ".gitbook/includes/note.md" %}\n',
      '.gitbook/includes/note.md': `[a](/spaces/${other.id}/pages/${other.guide})\n`,
    });
    const { id } = await named(admin, space, 'Home');
    const { body, headers } = await admin.get(`/v1/spaces/${space}/content/page/${id}?format=markdown`);
    expect(body.markdown).toBe(`# Home\n\n[a](${other.app}/guide)\n`);
    expect(headers.get('etag')).toBeNull();
  });

  it('has a version only where it shows nothing of other spaces', async () => {
    const tagOf = async () =>
      (await editor.client.get(`${writer.path}/content/page/${linking}?format=markdown`)).headers.get('etag');
    expect(await tagOf()).toBe(`W/"${await writer.revision()}"`);
    await sourceOf(`[a](/spaces/${hidden.id}/pages/${hidden.guide})`);
    expect(await tagOf()).toBeNull();
  });

  it('for a visitor of a site has no addresses in the app', async () => {
    const space = await newSpace(admin, organization, { editMode: 'live' });
    const { body } = await admin.post(`/v1/spaces/${space}/content`, {
      changes: [inserted('Home', document(`${all()}\n`))],
    });
    const site = await newSite(organization, { spaces: [space, other.id] });
    const { urls } = await site.ok('POST', '/publish');
    const { apiToken } = (await admin.post('/v1/urls/published', { url: urls.published }, { token: null })).body;
    const asked = (format: string) =>
      admin.get(`/v1/spaces/${space}/content/page/${body.pages[0].id}?format=${format}`, { token: apiToken });
    expect((await asked('markdown')).body.markdown).toBe('# Home\n\na b a b a b c d e\n');
    expect(referencesIn((await asked('document')).body.document)[0]).toEqual({
      kind: 'anchor',
      anchor: 'x',
      page: other.guide,
      space: other.id,
    });
  });
});

describe('a page that moves or is renamed', () => {
  it('keeps the links of another space by id', async () => {
    await sourceOf(`[a](${other.app}/guide/install) [b](/spaces/${other.id}/pages/guide#ueber-uns)`);
    const before = await references();
    await other.change(
      updated(other.guide, { slug: 'manual', title: 'Manual' }),
      updated(other.install, { into: null, at: 0 }),
    );
    expect(await references()).toEqual(before);
    expect(await markdownFor(editor.client)).toBe(`[a](${other.app}/install) [b](${other.app}/manual#ueber-uns)`);
    await other.change(deleted(other.guide));
    expect(await references()).toEqual(before);
    expect(await markdownFor(editor.client)).toBe(`[a](${other.app}/install) b`);
  });

  it('keeps the links of its own space, by id and by path', async () => {
    const [guide] = (await writer.insert(inserted('Guide'))) as [string];
    const [install] = (await writer.insert(inserted('Install', { into: guide }))) as [string];
    await sourceOf(`[a](/pages/${guide}) [b](guide/install) [c](/guide#x)`);
    const before = await references();
    await writer.apply(
      updated(guide, { slug: 'manual' }),
      updated(install, { into: null, title: 'Set up', slug: 'set-up' }),
    );
    expect(await references()).toEqual(before);
    expect(await markdownFor(editor.client)).toBe('[a](manual) [b](set-up) [c](manual#x)');
  });

  it('keeps the links of an imported page to its address, whose bytes stay', async () => {
    const source = `# Home\n\n[a](${other.app}/guide)\n`;
    const { space, url } = await importedSpace({ client: admin, organization, repositories }, 'addressed', {
      'README.md': source,
    });
    await other.change(updated(other.guide, { slug: 'manual' }));
    const { id } = await named(admin, space, 'Home');
    const at = `/v1/spaces/${space}/content/page/${id}`;
    expect((await admin.get(`${at}?format=source`)).body.source).toBe(source);
    expect(referencesIn((await admin.get(`${at}?format=document`)).body.document)).toEqual([
      { kind: 'url', url: `${other.app}/guide` },
    ]);
    await repositories.commit('addressed', { 'README.md': `${source}\nMore.\n` });
    await importInto(admin, space, { url });
    expect((await admin.get(`${at}?format=source`)).body.source).toBe(`${source}\nMore.\n`);
    const found = await admin.get(`/v1/spaces/${other.id}/content/path/guide`);
    expect(found.body).toMatchObject({ id: other.guide, path: 'manual' });
  });
});
