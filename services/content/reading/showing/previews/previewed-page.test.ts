import type { ContentCaller } from '../../../../../shared/contract/caller.js';
import type { Call } from '../../../../../shared/contract/service.js';
import { changeRequests } from '../../../core/change-requests/model.js';
import { importedSpace } from '../../../exchange/imports/testing/imported-space.js';
import { decodeShownPage, type PreviewedPage, type PreviewPage } from '../../contract.js';
import { Embeds } from '../../embeds/embeds.js';
import { LateBlocks } from '../late-blocks.js';
import { RenderedBodies } from '../rendered-bodies.js';
import { SpecBlocks } from '../spec-blocks.js';
import { previewPage } from './previewed-page.js';

const { organization, space, opened, visitor, pageOf, revisionIds, importFiles } = importedSpace();

/** Nobody answers: what is shown of others is left out. */
const nobody = (async () => null) as unknown as Call;

async function preview(markdown: string, asked: Partial<PreviewPage> = {}): Promise<PreviewedPage> {
  const { deps } = opened;
  const { work } = deps;
  const outbound = { fetch: async () => Promise.reject(new Error('no network')) } as never;
  const specBlocks = new SpecBlocks({ ...deps, specWork: {} as never });
  const lateBlocks = new LateBlocks({ work, embeds: new Embeds({ outbound, work }), specBlocks });
  const whole = { ...deps, bodies: new RenderedBodies(deps), lateBlocks };
  const made = await previewPage(whole, { visitor: visitor(), markdown, ...asked }, nobody);
  return decodeShownPage(made) as PreviewedPage;
}

it('shows a text as the page that it would be, without keeping it', async () => {
  const { id: page } = await pageOf('In it');
  const before = await opened.deps.revisions.current(space);
  const { title, body } = await preview('# In it\n\nTyped, *not* saved.\n\n## Part\n', { page });
  expect(title).toBe('In it');
  expect(body.html).toMatch(/^<p[^>]*>Typed, <em>not<\/em> saved.<\/p>/);
  expect(body.outline).toMatchObject([{ title: 'Part' }]);
  expect((await opened.deps.revisions.current(space)).revision).toBe(before.revision);
});

it('resolves links and what it includes as the page does', async () => {
  const { id: page } = await pageOf('Below');
  const text =
    '[home](../README.md) [gone](nowhere.md) [away](https://example.com/)\n\n{% include "../.gitbook/includes/note.md" %}\n';
  const { body } = await preview(text, { page });
  const home = (await pageOf('Home')).id;
  expect(body.html).toContain('For all.');
  expect(body.html).toContain('>home</a>');
  expect(body.html).not.toContain('>gone</a>');
  expect(body.html).toContain('href="https://example.com/"');
  const byId = await preview(`[home](/pages/${home})\n`);
  expect(byId.body.html).toContain('>home</a>');
});

it('says what the front matter says, and why it is not read', async () => {
  const { id: page } = await pageOf('In it');
  const front = '---\ntitle: New\ndescription: About it\nicon: bolt\nemoji: 🐞\n---\n';
  const { title, description, icon, emoji, problem } = await preview(`${front}# New\n`, { page });
  expect([title, description, icon, emoji, problem]).toEqual(['New', 'About it', 'bolt', '🐞', undefined]);
  const broken = await preview('---\ntitle: [\n---\nText\n', { page });
  expect(broken).toMatchObject({ title: 'In it', problem: expect.stringContaining('not valid YAML') });
  expect(await preview('Text\n')).not.toHaveProperty('title');
});

it('calls a page as saving the text does: a title in front matter wins over that of the navigation', async () => {
  const source = '---\ntitle: Said\n---\nText\n';
  await importFiles({
    'called.md': source,
    'SUMMARY.md': '* [Home](README.md)\n* [Called](called.md)\n* [In it](in-it.md)\n* [Plan](plan.md)\n',
  });
  const { id: page } = await pageOf('Called');
  expect(await preview(source, { page })).toMatchObject({ title: 'Said' });
  expect(await preview('Text\n', { page })).toMatchObject({ title: 'Called' });
});

it('shows a page to its author whatever its condition says, with the words for a visitor without claims', async () => {
  const { id: page } = await pageOf('Plan');
  const text = 'Seen.\n\n{% if visitor.claims.beta %}\nUnseen.\n{% endif %}\n';
  const { body } = await preview(text, { page });
  expect(body.html).toContain('Seen.');
  expect(body.html).not.toContain('Unseen.');
  expect((await preview(text, { page, visitor: visitor({ beta: true }) })).body.html).toContain('Unseen.');
});

it('is of a change request where the visitor previews one', async () => {
  const at = { revision: revisionIds[0] as string, initial: '', base: '', createdAt: '', updatedAt: '' };
  const made = { subject: '', createdBy: 'ada', contributors: [], status: 'draft' as const, ...at };
  await opened.store.insert(changeRequests, { _id: 'cr', organization, space, number: 1, ...made });
  const within: ContentCaller = { ...visitor(), changeRequest: { space, id: 'cr' } };
  const { id: page } = await pageOf('In it');
  expect((await preview('x\n', { page, visitor: within })).title).toBe('In it');
  const gone: ContentCaller = { ...visitor(), changeRequest: { space, id: 'none' } };
  await expect(preview('x\n', { page, visitor: gone })).rejects.toMatchObject({ type: 'NOT_FOUND' });
});

it('refuses what is too long, what makes too large a document, and pages that are not there', async () => {
  await expect(preview('x'.repeat(2_000_001))).rejects.toMatchObject({ type: 'INVALID' });
  await expect(preview('*a*\n\n'.repeat(300_000))).rejects.toMatchObject({ type: 'INVALID' });
  await expect(preview('x', { page: 'none' })).rejects.toMatchObject({ type: 'NOT_FOUND' });
  await expect(preview('x', { visitor: visitor({}, ['another']) })).rejects.toMatchObject({ type: 'NOT_FOUND' });
});
