import fc from 'fast-check';
import type { Caller } from '../../../../shared/contract/caller.js';
import { runs } from '../../../../shared/testing/runs.js';
import { commitRevision, primaryMoveWrite } from '../../core/revisions/commit.js';
import { eachPageOf } from '../../core/revisions/revision-view.js';
import { importedSpace } from '../../exchange/imports/testing/imported-space.js';
import type { Change } from '../changes/content-draft.js';
import { writeContent } from '../changes/write-content.js';
import { readSource } from './source-reading.js';

const { organization, space, opened, user, importFiles, pageOf } = importedSpace();

const page = (id: string, markdown: string, exact = true): Change => ({
  operation: 'update_page',
  page: id,
  document: { markdown, exact },
});

/** Writes to the content of the space, as its handler does. */
async function write(changes: Change[]): Promise<void> {
  const { deps } = opened;
  const tip = await deps.revisions.current(space);
  const about = { caller: user as Caller, organization, space, tip, base: tip.revision._id, seen: undefined };
  const { content } = await writeContent(deps, { ...about, changes, files: new Map() });
  if (!content) return;
  await commitRevision(deps, {
    organization,
    space,
    before: tip,
    content,
    sweeps: await deps.ledger.readSweeps(space),
    fields: { parents: [tip.revision._id], type: 'edits', primary: true },
    writes: (to) => [primaryMoveWrite({ space, from: tip.revision._id, to })],
  });
}

const sourceOf = async (id: string) => (await readSource(opened.deps, { space, page: id }, { caller: user })).source;

/** The ids of the pages of files, by the names of these. */
async function idsByFile(): Promise<Map<string, string>> {
  const view = await opened.deps.revisions.current(space);
  return new Map([...eachPageOf(view.pages)].flatMap(({ id, git }) => (git ? [[git.path, id]] : [])));
}

const summary =
  '* [Home](README.md)\n* [Beta](beta/README.md)\n* [Plan](plan.md)\n\n## Group\n\n* [In it](in-it.md)\n\n## More\n\n';
const home = '/pages/01M81CRF8Y04S3M2DJDNNE9VRE';
const fronts = [
  '',
  '---\n---\n',
  '---\r\ntitle: "Quoted" # kept\r\n\r\ndescription: >-\r\n  Folded\r\n---  \r\n',
  '---\ntitle: [\nbroken\n---\n',
  '---\n- a list\n---\n',
  '--- \nhidden:   true\nvars: {a: 1}\n---\n\n',
  '---\nnever closed: true\n',
];
const pieces = [
  '# One\n',
  '# Two  \r\n',
  'Setext\r\n======\r\n',
  'text with two spaces  \n',
  '\ttab\r\n',
  'old Mac\rends\r',
  ' \u00a0\u2028 \u200b\n',
  'nul \0 inside\n',
  '[gone](nowhere.md) ![](./lost.png)\n',
  '[home](README.md#home "x") [beta](/beta/) [self](#one)\n',
  `[by id](${home}#Odd%20Name) <a href="${home}">x</a>\n`,
  `[own](http://localhost/~files/0000/x.png) [space](http://localhost/app/s/${space})\n`,
  "[ref]: <in-it.md>  'title'\r\n",
  '{% hint style="info" %}\r\nHint\r\n{% endhint %}\n',
  '{% include "./.gitbook/includes/note.md" %}\n',
  '{% content-ref url="plan.md" %}\n[plan.md](plan.md)\n{% endcontent-ref %}\n',
  '```js {% code %}\r\n\tcode   \r\n```',
  '<table><tr><td>x</td></tr></table>\n',
  '* one\n+ two\n1) three\n',
  '&amp; &#x41; \\* \\\n',
  '\n\n\r\n\n',
  '—–…日本語🐞\u0301\n',
];
const sources = fc
  .record({
    mark: fc.constantFrom('', '', '\uFEFF'),
    front: fc.constantFrom(...fronts),
    body: fc.array(fc.constantFrom(...pieces), { maxLength: 8 }),
    end: fc.constantFrom('', 'no end', 'end\n', '\r'),
  })
  .map(({ mark, front, body, end }) => mark + front + body.join('') + end);

it('a source that is read, changed at one place and sent back differs at that place alone', async () => {
  const samples = fc.sample(sources, { numRuns: 40 * runs(3), seed: 1 });
  const files = samples.map((text, at): [string, string] => [`p${at}.md`, text]);
  const entries = files.map(([path]) => `* [${path}](${path})\n`);
  await importFiles({ ...Object.fromEntries(files), 'SUMMARY.md': summary + entries.join('') });
  const ids = await idsByFile();
  const sent = await Promise.all(
    files.map(async ([path, text], at): Promise<[id: string, text: string]> => {
      const id = ids.get(path) as string;
      expect([path, await sourceOf(id)]).toEqual([path, text]);
      const cut = text.length - (at % 3);
      return [id, `${text.slice(0, cut)}\nChanged ${at}${text.slice(cut)}`];
    }),
  );
  for (let start = 0; start < sent.length; start += 50)
    await write(sent.slice(start, start + 50).map(([id, text]) => page(id, text)));
  for (const [at, [id, text]] of sent.entries()) expect([at, await sourceOf(id)]).toEqual([at, text]);
});

it('an exact text without front matter removes that of the page; another one keeps it', async () => {
  const { id } = await pageOf('Plan');
  const front = (await sourceOf(id)).slice(0, -'\n# Plan\n\nWombats.\n'.length);
  await write([page(id, 'First.\n', false)]);
  expect(await sourceOf(id)).toBe(`${front}First.\n`);
  await write([page(id, 'Second.\n')]);
  expect(await sourceOf(id)).toBe('Second.\n');
  await write([page(id, '---\nicon: bolt\n---\nThird.\n'), page(id, '')]);
  expect(await sourceOf(id)).toBe('');
});

it('new links of an exact text are written by what they mean, but never become mere text', async () => {
  const { deps } = opened;
  const tip = await deps.revisions.current(space);
  const [beta] = tip.pages.filter(({ title }) => title === 'Beta');
  const made: Change = { operation: 'insert_page', title: 'Written', document: { markdown: 'Old.\n' } };
  await write([made]);
  const view = await deps.revisions.current(space);
  const id = view.pages.find(({ title }) => title === 'Written')?.id as string;
  await write([page(id, '[to](/beta) [nowhere](not-there-yet) ![](lost.png)\n')]);
  expect(await sourceOf(id)).toBe(`[to](/pages/${beta?.id}) [nowhere](not-there-yet) ![](lost.png)\n`);
  await write([page(id, `[to](/beta) [nowhere](not-there-yet)\n`, false)]);
  expect(await sourceOf(id)).toBe(`[to](/pages/${beta?.id}) [nowhere](not-there-yet)\n`);
});

it('a text is exact by itself, whatever its batch wrote of the page before', async () => {
  const { id } = await pageOf('Plan');
  const link = '[nowhere](never-there)\n';
  const usual: Change = { operation: 'update_page', page: id, document: { markdown: link } };
  await write([page(id, 'First.\n'), usual]);
  expect(await sourceOf(id)).toBe('nowhere\n');
  await write([page(id, link), { operation: 'update_page', page: id, description: 'About it' }]);
  expect(await sourceOf(id)).toContain(link);
});

it('the source of a page is found by its path, for those who may write it', async () => {
  const read = (asked: object, caller: Caller = user) =>
    readSource(opened.deps, { space, ...asked } as never, { caller });
  const { revision } = await opened.deps.revisions.current(space);
  expect(await read({ path: 'group/In-It' })).toMatchObject({ title: 'In it', revision: revision._id });
  expect(await read({ path: '' })).toMatchObject({ title: 'Home', source: expect.stringContaining('# Home') });
  await expect(read({ path: 'none' })).rejects.toMatchObject({ type: 'NOT_FOUND' });
  await expect(read({ page: 'none' })).rejects.toMatchObject({ type: 'NOT_FOUND' });
  await expect(read({ path: 'group' })).rejects.toMatchObject({ type: 'INVALID' });
  const memberships = { [organization]: { role: 'comment', teams: [], owned: [] } };
  const reader: Caller = { kind: 'user', user: 'bob', token: 't', memberships };
  await expect(read({ path: '' }, reader)).rejects.toMatchObject({ type: 'FORBIDDEN' });
});
