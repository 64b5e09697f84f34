import { newOrganization, shared, walk } from '../support/fixtures.js';
import {
  flatPages,
  importedSpace,
  importInto,
  openRepositories,
  type Repositories,
  type ShownPage,
} from '../support/repository.js';
import { newSite } from '../support/site.js';

const admin = shared();
const svg = (size: number) => `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"/>`;
const condition = (name: string) => `---\nif: visitor.claims.unsigned.${name} == true\n---\n\n`;
const when = (name: string, text: string) => `{% if visitor.claims.unsigned.${name} == true %}\n${text}\n{% endif %}\n`;
const asset = (name: string) => `.gitbook/assets/${name}`;
const include = (name: string) => `{% include ".gitbook/includes/${name}.md" %}\n`;

/** Everything is named after the claim that opens it: `all` for every visitor, `nobody` for none. */
const docs = {
  'SUMMARY.md':
    '# Contents\n\n* [Home](README.md)\n* [Beta](beta.md)\n  * [Below](below.md)\n* [Staff](staff.md)\n* [Unlisted](unlisted.md)\n* [Download](.gitbook/assets/download-all.txt)\n',
  'README.md': `---\ncover: .gitbook/assets/cover-all.svg\nvars:\n  tier: variable-nobody\n---\n\n# Home\n\n![](${asset('picture-all.svg')}) [file](${asset('file-all.txt')}) <img src="${asset('tag-all.svg')}" alt=""> [secret title](staff.md)\n\n${include('note-all')}\n${when('beta', `![](${asset('inside-beta.svg')})\n\n${include('part-beta')}`)}\n<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-cover data-type="files"></th></tr></thead><tbody><tr><td>Card</td><td><a href="${asset('card-all.svg')}">card</a></td></tr></tbody></table>\n`,
  'beta.md': `${condition('beta')}# Beta\n\n![](${asset('page-beta.svg')})\n`,
  'below.md': `# Below\n\n![](${asset('below-beta.svg')})\n\n${include('below-beta')}`,
  'staff.md': `${condition('staff')}# Staff\n\n[plan](${asset('plan-staff.txt')}) walrus\n\n${include('note-staff')}`,
  'unlisted.md': `---\nhidden: true\n---\n\n# Unlisted\n\n![](${asset('unlisted-all.svg')})\n`,
  '.gitbook/includes/note-all.md': `---\ntitle: note-all\n---\n\n![](../assets/note-all.svg)\n\n${when('staff', '![](../assets/note-staff.svg)')}\n{% include "inner-all.md" %}\n`,
  '.gitbook/includes/inner-all.md': '---\ntitle: inner-all\n---\n\n![](../assets/inner-all.svg)\n',
  '.gitbook/includes/part-beta.md': '---\ntitle: part-beta\n---\n\n![](../assets/part-beta.svg)\n',
  '.gitbook/includes/below-beta.md': '---\ntitle: below-beta\n---\n\nText.\n',
  '.gitbook/includes/note-staff.md': '---\ntitle: note-staff\n---\n\n[x](../assets/deep-staff.txt)\n',
  '.gitbook/includes/draft-nobody.md': '---\ntitle: draft-nobody\n---\n\n![](../assets/draft-nobody.svg)\n',
  '.gitbook/vars.yaml': 'secret: variable-nobody\n',
  ...Object.fromEntries(
    'cover-all picture-all tag-all card-all inside-beta page-beta below-beta unlisted-all note-all note-staff inner-all part-beta draft-nobody alone-nobody'
      .split(' ')
      .map((name, at) => [asset(`${name}.svg`), svg(at + 1)]),
  ),
  ...Object.fromEntries(
    'file-all download-all plan-staff deep-staff loose-nobody'.split(' ').map((name) => [asset(`${name}.txt`), name]),
  ),
};

type Claims = Record<string, boolean>;
let repositories: Repositories;
let site: string;
let space: string;
let url: string;
let published: string;
let revisions: string[];
beforeAll(async () => {
  repositories = await openRepositories();
  const organization = await newOrganization(admin);
  const made = await importedSpace({ client: admin, organization, repositories }, 'visitors', docs);
  expect(made.operation.state).toBe('success');
  ({ space, url } = made);
  revisions = [made.operation.revision];
  const shown = await newSite(organization, { spaces: [space] });
  site = shown.at();
  published = (await shown.ok('POST', '/publish')).urls.published;
});
afterAll(() => repositories.close());

async function tokenFor(claims: Claims): Promise<string> {
  const { status, body } = await admin.post('/v1/urls/published', {
    url: published,
    visitor: { unsignedClaims: claims },
  });
  expect(status).toBe(200);
  return body.apiToken;
}
const reader = async (claims: Claims) => {
  const token = await tokenFor(claims);
  return {
    get: (rest: string) => admin.get(`/v1/spaces/${space}${rest}`, { token }),
    list: (rest: string) => walkAs(token, `/v1/spaces/${space}${rest}`),
    search: async (query: string) =>
      JSON.stringify((await admin.request('POST', `${site}/search`, { query, mode: 'all' }, { token })).body),
  };
};
const walkAs = (token: string, path: string) =>
  walk({ get: (each: string) => admin.get(each, { token }) } as unknown as typeof admin, path, 2);

/** Whether a visitor with these claims may have something of this name. */
const opens = (name: string, claims: Claims) => {
  const claim = /-(\w+?)(?:\.\w+)?$/.exec(name)?.[1] as string;
  return claim === 'all' || claims[claim] === true;
};
const nameOf = ({ name, title }: { name?: string; title?: string }) => (name ?? title) as string;

describe.each<Claims>([{}, { beta: true }, { staff: true }, { beta: true, staff: true }])(
  'a visitor with the claims %j',
  (claims) => {
    it('gets the files and the reusable content of the pages that it sees, and no others', async () => {
      const everything = (await admin.get(`/v1/spaces/${space}/content`)).body;
      const { get, list } = await reader(claims);
      const wanted = (items: any[]) =>
        items
          .map(nameOf)
          .filter((name) => opens(name, claims))
          .sort();
      for (const path of ['/content', `/revisions/${revisions.at(-1)}`]) {
        const { body } = await get(path);
        expect(body.files.map(nameOf).sort()).toEqual(wanted(everything.files));
        expect(body.reusableContents.map(nameOf).sort()).toEqual(wanted(everything.reusableContents));
        expect((await list(`${path}/files`)).map(nameOf).sort()).toEqual(wanted(everything.files));
        for (const file of everything.files)
          expect([file.name, (await get(`${path}/files/${file.id}`)).status]).toEqual([
            file.name,
            opens(file.name, claims) ? 200 : 404,
          ]);
        for (const { id, title } of everything.reusableContents) {
          const expected = opens(title, claims) ? 200 : 404;
          expect([title, (await get(`${path}/reusable-contents/${id}`)).status]).toEqual([title, expected]);
          if (path !== '/content')
            expect([title, (await get(`${path}/reusable-contents/${id}/document`)).status]).toEqual([title, expected]);
        }
      }
      for (const { document, title } of everything.reusableContents)
        expect([title, (await get(`/documents/${document}`)).status]).toEqual([
          title,
          opens(title, claims) ? 200 : 404,
        ]);
    });

    it('reads nowhere of what it does not see', async () => {
      const { get, search } = await reader(claims);
      const { files, reusableContents } = (await admin.get(`/v1/spaces/${space}/content`)).body;
      const hidden = [...files, ...reusableContents].filter((item) => !opens(nameOf(item), claims));
      expect(hidden.length).toBeGreaterThan(3);
      const secrets = [...hidden.flatMap((item) => [nameOf(item), item.id]), 'variable-nobody'];
      const texts: string[] = [];
      const whole = await get('/content');
      for (const { id, path = '' } of flatPages(whole.body.pages))
        for (const rest of [
          `/content/page/${id}?format=markdown`,
          `/content/page/${id}?format=document`,
          `/revisions/${revisions.at(-1)}/page/${id}/document`,
          `/content/path/${encodeURIComponent(path)}?format=markdown`,
        ])
          texts.push(JSON.stringify((await get(rest)).body));
      for (const rest of [
        '/content',
        '/content/pages',
        `/revisions/${revisions.at(-1)}/pages`,
        '/content/files?limit=1000',
      ])
        texts.push(JSON.stringify((await get(rest)).body));
      texts.push(
        await search('walrus'),
        await search('text'),
        JSON.stringify((await get('/search?query=walrus')).body),
      );
      for (const secret of secrets)
        expect([secret, texts.filter((text) => text.includes(secret))]).toEqual([secret, []]);
    });
  },
);

it('a visitor reads nothing through the previous revision of what an import took down', async () => {
  const before = (await admin.get(`/v1/spaces/${space}/content`)).body;
  const taken = flatPages(before.pages).find(({ title }) => title === 'Unlisted') as ShownPage;
  const file = before.files.find(({ name }: { name: string }) => name === 'unlisted-all.svg');
  const changed = {
    'unlisted.md': null,
    'SUMMARY.md': docs['SUMMARY.md'].replace('* [Unlisted](unlisted.md)\n', ''),
    [asset('unlisted-all.svg')]: null,
    'below.md': '# Below\n',
  };
  await repositories.commit('visitors', changed);
  const { revision } = await importInto(admin, space, { url });
  const { get, list } = await reader({ beta: true });
  for (const path of ['/content', `/revisions/${before.id}`, `/revisions/${revision}`]) {
    for (const rest of [`/page/${taken.id}`, `/page/${taken.id}/document`, `/path/${taken.path}`, `/files/${file.id}`])
      expect([path, rest, (await get(`${path}${rest}`)).status]).toEqual([path, rest, 404]);
    if (path !== '/content') expect((await get(path)).body.id).toBe(revision);
    for (const text of [JSON.stringify((await get(path)).body), JSON.stringify(await list(`${path}/files`))])
      expect(text).not.toMatch(/unlisted|below-beta/i);
  }
  expect((await get(`/documents/${taken.documentId}`)).status).toBe(404);
  await repositories.commit('visitors', { 'below.md': '# Below\n\nAgain.\n' });
  await importInto(admin, space, { url });
  expect((await get(`/revisions/${before.id}`)).status).toBe(404);
  expect((await admin.get(`/v1/spaces/${space}/revisions/${before.id}/files/${file.id}`)).status).toBe(200);
});
