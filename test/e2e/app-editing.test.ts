import type { EditorSetup } from '../../services/app/sources/editor-setup.js';
import { newId } from '../../shared/values/ids.js';
import { type AppBrowser, type Screen, signedIn } from '../support/app-browser.js';
import { auditEvents } from '../support/audit.js';
import { changeRequestsOf, insert, rewrite } from '../support/change-requests.js';
import { newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';

const client = shared();
const of = { space: '' };
const requests = changeRequestsOf(client, of);
let organization: string;
let browser: AppBrowser;
beforeAll(async () => {
  organization = await newOrganization(client);
  of.space = await newSpace(client, organization, { editMode: 'live' });
  await requests.live(insert('Guide'), insert('Other'));
  browser = await signedIn(client, (await newUser(client, { organization, role: 'edit' })).token);
});

const live = () => `/app/s/${of.space}/~/edit/guide`;
const attributeOf = (html: string, name: string): string =>
  (new RegExp(`${name}="([^"]*)"`).exec(html)?.[1] ?? '')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');

/** The editor as its script has it. */
class Editor {
  readonly setup: EditorSetup;
  private readonly token: string;
  constructor(
    readonly screen: Screen,
    private readonly by: AppBrowser,
  ) {
    this.setup = JSON.parse(attributeOf(screen.html, 'data-editor'));
    this.token = /name="form-token" content="([^"]+)"/.exec(screen.html)?.[1] ?? '';
  }

  static open = async (path: string, by = browser) => new Editor(await by.open(path), by);

  /** Status and answer of an endpoint. `query`: further parameters. */
  async send(
    name: keyof EditorSetup['urls'],
    body: object | string | Buffer,
    { query = '', ...headers }: Record<string, string> = {},
  ): Promise<[status: number, answer: any]> {
    const isPlain = typeof body === 'string' || Buffer.isBuffer(body);
    const { status, html } = await this.by.open(this.setup.urls[name] + query, {
      method: 'POST',
      body: isPlain ? (body as string) : JSON.stringify(body),
      headers: {
        'Content-Type': 'application/json',
        'Sec-Fetch-Site': 'same-origin',
        'X-Form-Token': this.token,
        ...headers,
      },
    });
    return [status, /^[{[]/.test(html) ? JSON.parse(html) : html];
  }
}

const sourceOf = async (title = 'Guide') => requests.primarySource(await requests.idOf(title));

describe('a live space', () => {
  it('is written at once for all readers, by a script and by a form', async () => {
    const editor = await Editor.open(live());
    const { revision } = editor.setup;
    const [kept, { version }] = await editor.send('draft', { markdown: 'Typed.\n', revision });
    expect([kept, await sourceOf()]).toEqual([200, 'About Guide.\n']);
    const [saved, answer] = await editor.send('save', { markdown: 'Typed [on](/other).\n', revision, version });
    const other = await requests.idOf('Other');
    expect([saved, answer]).toEqual([
      200,
      { revision: expect.any(String), savedAt: expect.any(String), markdown: `Typed [on](/pages/${other}).\n` },
    ]);
    const again = await Editor.open(live());
    expect([again.setup.draft, again.setup.revision]).toEqual([undefined, answer.revision]);
    const shown = await browser.act(again.screen, 'save', { markdown: 'By a form.\r\n' });
    expect([shown.url.pathname, shown.notices()]).toEqual([`/app/s/${of.space}/guide`, ['Saved.']]);
    expect(await sourceOf()).toBe('By a form.\n');
  });

  it('has each save audited, which answers the content that it made itself', async () => {
    const editor = await Editor.open(live());
    const audited = () => auditEvents(client, organization, 'operation=updateSpaceContent', 1);
    const before = (await audited()).length;
    const { revision } = editor.setup;
    const [, first] = await editor.send('save', { markdown: 'First.\n', revision });
    const [, again] = await editor.send('save', { markdown: 'First.\n', revision: first.revision });
    const [, second] = await editor.send('save', { markdown: 'Second.\n', revision: first.revision });
    expect([again.revision, (await requests.spaceNow()).revision]).toEqual([first.revision, second.revision]);
    const events = await auditEvents(client, organization, 'operation=updateSpaceContent', before + 2);
    const saved = events.filter(({ details }) => [first.revision, second.revision].includes(details?.revision));
    expect(saved.map(({ operation }) => operation)).toEqual(['updateSpaceContent', 'updateSpaceContent']);
    expect(await editor.send('save', { markdown: 'Third.\n', revision: first.revision })).toEqual([
      409,
      { error: { code: 409, message: expect.stringContaining('has changed since'), reason: 'revision_outdated' } },
    ]);
  });

  it('takes uploads, and shows their pages', async () => {
    const editor = await Editor.open(live());
    const [status, { insert: text, isBlock }] = await editor.send('files', Buffer.from('<svg/>'), {
      'Content-Type': 'image/svg+xml; charset=utf-8',
      query: '&name=..%2Fa%00%5Bb%5D.svg',
    });
    expect([status, text, isBlock]).toEqual([200, expect.stringMatching(/^!\[.*\]\(\/files\/\w+\)$/), false]);
    const [, shown] = await editor.send('preview', { markdown: `${text}\n` });
    expect(shown).toMatch(/<img [^>]*src="[^"]*\/~files\//);
    const [, other] = await editor.send('files', 'x', { 'Content-Type': 'nonsense', query: '&name=terms.pdf' });
    expect(other).toEqual({ insert: expect.stringMatching(/^\{% file src="\/files\/\w+" %\}$/), isBlock: true });
  });

  it('has drafts of its own for each person, which can be discarded', async () => {
    const { token } = await newUser(client, { organization, role: 'edit' });
    const colleague = await signedIn(client, token);
    const editor = await Editor.open(live());
    await editor.send('draft', { markdown: 'Mine.\n', revision: editor.setup.revision });
    expect((await browser.open(live())).text).toContain('This is your draft.');
    expect((await colleague.open(live())).html).not.toContain('Mine.');
    const shown = await browser.act(live(), 'discard');
    expect([shown.url.pathname, shown.html.includes('Mine.')]).toEqual([live(), false]);
  });

  it('keeps a draft of another window when a form that did not show it is saved', async () => {
    const form = await browser.open(live());
    const editor = await Editor.open(live());
    await editor.send('draft', { markdown: 'Elsewhere.\n', revision: editor.setup.revision });
    await browser.act(form, 'save', { markdown: 'By a form.\n' });
    expect(await sourceOf()).toBe('By a form.\n');
    const shown = await browser.open(live());
    expect(shown.form('save').fields.markdown).toBe('Elsewhere.\n');
    const refused = await browser.act(shown, 'save', { markdown: 'Elsewhere, by a form.\n' });
    await browser.act(refused, 'save');
    expect(await sourceOf()).toBe('Elsewhere, by a form.\n');
    expect((await Editor.open(live())).setup.draft).toBeUndefined();
  });

  it('lists the drafts of a person, of pages that are gone as well, to be discarded', async () => {
    const drafts = `/app/o/${organization}/drafts`;
    const colleague = await signedIn(client, (await newUser(client, { organization, role: 'edit' })).token);
    await requests.live(insert('Doomed'));
    const doomed = await requests.idOf('Doomed');
    for (const page of ['guide', 'doomed']) {
      const editor = await Editor.open(`/app/s/${of.space}/~/edit/${page}`, colleague);
      await editor.send('draft', { markdown: 'Mine.\n', revision: editor.setup.revision });
    }
    await requests.live({ operation: 'delete_page', page: doomed });
    const listed = await colleague.open(drafts);
    expect(listed.text).toMatch(/Doomed.*A page that is gone.*Guide/s);
    expect(listed.html).toContain(`href="${live()}"`);
    const lost = String(listed.links().find((href) => href.includes(doomed)));
    const text = await colleague.open(lost);
    expect([text.status, text.text, text.html]).toEqual([
      200,
      expect.stringMatching(/Doomed.*A page that is gone.*Mine\./),
      expect.stringContaining('>Mine.\n</textarea>'),
    ]);
    expect((await browser.open(lost)).status).toBe(404);
    expect((await colleague.open(lost.replace(doomed, 'other'))).status).toBe(404);
    const left = await colleague.act(text, 'discard');
    expect([left.notices(), left.text]).toEqual([['Deleted.'], expect.not.stringContaining('Doomed')]);
    expect((await browser.open(drafts)).text).toContain('No drafts.');
    expect((await (await signedIn(client, (await newUser(client)).token)).open(drafts)).status).toBe(404);
  });
});

describe('a change request', () => {
  const opened = async () => {
    const number = await requests.newRequest();
    const path = `/app/s/${of.space}/~/changes/${number}/~/edit/guide`;
    return { number, path, editor: await Editor.open(path) };
  };

  it('is written without a script, with what others did elsewhere in the page', async () => {
    const { number, path } = await opened();
    const page = await requests.idOf('Guide');
    const source = async () =>
      (await client.get(`${requests.at(number, '/content/page')}/${page}?format=source`)).body.source;
    await requests.write(number, rewrite(page, 'One\r\n\r\nTwo\n\nThree'));
    const screen = await browser.open(path);
    await requests.write(number, rewrite(page, 'One of theirs\r\n\r\nTwo\n\nThree'));
    await browser.act(screen, 'save', { markdown: 'One\r\n\r\nTwo\r\n\r\nThree of mine' });
    expect(await source()).toBe('One of theirs\r\n\r\nTwo\n\nThree of mine');
    const later = await browser.open(path);
    await requests.write(number, rewrite(page, 'One <b>changed</b>\r\n\r\nTwo\n\nThree of mine'));
    const refused = await browser.act(later, 'save', { markdown: 'My one\r\n\r\nTwo\r\n\r\nThree of mine' });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('One <b>changed</b>')]);
    expect(refused.form('save').fields.markdown).toBe('My one\n\nTwo\n\nThree of mine');
    await browser.act(refused, 'save');
    expect(await source()).toBe('My one\r\n\r\nTwo\n\nThree of mine');
  });

  it('is overwritten by no form that was refused before', async () => {
    const { number, path } = await opened();
    const page = await requests.idOf('Guide');
    await requests.write(number, rewrite(page, 'One\n\nTwo\n'));
    const screen = await browser.open(path);
    await requests.write(number, rewrite(page, 'One of theirs\n\nTwo\n'));
    const long = `One\n\nTwo of mine${'x'.repeat(2_000_000)}`;
    const refused = await browser.act(screen, 'save', { markdown: long });
    expect([refused.status, refused.form('save').fields.markdown]).toEqual([400, long]);
    await browser.act(refused, 'save', { markdown: 'One\n\nTwo of mine\n' });
    expect((await client.get(`${requests.at(number, '/content/page')}/${page}?format=source`)).body.source).toBe(
      'One of theirs\n\nTwo of mine\n',
    );
  });

  it('takes no form that is longer than a page', async () => {
    const { path } = await opened();
    const long = '\r\n'.repeat(2_000_001);
    const refused = await browser.act(path, 'save', { markdown: long });
    expect([refused.status, refused.notices()[0]]).toEqual([400, 'markdown: at most 2,000,000 characters']);
    expect(refused.form('save').fields.markdown?.length).toBe(2_000_001);
  });

  it('may be named by its id, and its draft discarded there', async () => {
    const { number } = await opened();
    const { id } = (await client.get(requests.at(number))).body;
    const path = `/app/s/${of.space}/~/changes/${id}/~/edit/guide`;
    const shown = await browser.act(path, 'discard');
    expect([shown.status, shown.url.pathname]).toEqual([200, path]);
  });

  it('suggests links, converts what is pasted, and merges', async () => {
    const { editor } = await opened();
    const { html } = await browser.open(`${editor.setup.urls.links}&q=oth`);
    const other = await requests.idOf('Other');
    expect(JSON.parse(html)).toEqual({
      items: [{ title: 'Other', about: '/other', insert: `[Other](/pages/${other})` }],
    });
    expect(await editor.send('paste', { html: '<p>a <b>b</b></p>' })).toEqual([200, { markdown: 'a **b**\n' }]);
    const { revision } = editor.setup;
    expect(await editor.send('merge', { markdown: 'x', revision, against: 'content' })).toEqual([
      200,
      { merged: 'x', conflicts: [], revision },
    ]);
  });

  it('that is merged takes no text any more', async () => {
    const { number, editor } = await opened();
    const { revision } = editor.setup;
    await requests.merge(number);
    for (const name of ['draft', 'save'] as const)
      expect(await editor.send(name, { markdown: 'x', revision })).toEqual([
        400,
        {
          error: {
            code: 400,
            message: expect.stringContaining('is merged and cannot be changed'),
            reason: 'change_request_closed',
          },
        },
      ]);
  });

  it('that is merged, as a space that is locked, opens no editor, but shows a text that is not saved', async () => {
    const { number, path, editor } = await opened();
    await requests.merge(number);
    const refused = await browser.open(path);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('cannot be changed any more')]);
    expect((await browser.open(path.replace('/~/edit/', '/'))).links()).not.toContain(
      `/app/s/${of.space}/~/changes/${number}/~/tree`,
    );
    await client.patch(`/v1/spaces/${of.space}`, { editMode: 'locked' });
    const inLocked = await browser.open(live());
    await client.patch(`/v1/spaces/${of.space}`, { editMode: 'live' });
    expect([inLocked.status, inLocked.text]).toEqual([403, expect.stringContaining('is changed in change requests')]);
    const lost = await browser.act(editor.screen, 'save', { markdown: 'Not saved.\n' });
    expect([lost.status, lost.form('save').fields.markdown]).toEqual([400, 'Not saved.\n']);
  });
});

describe('the editor refuses', () => {
  let editor: Editor;
  beforeAll(async () => {
    editor = await Editor.open(live());
  });

  it.each<[string, keyof EditorSetup['urls'], object | string | Buffer, number, Record<string, string>?]>([
    ['no JSON', 'draft', '{', 400],
    ['no text', 'draft', { revision: 'x' }, 400],
    ['a text that is no text', 'save', { markdown: 1, revision: 'x' }, 400],
    ['half a character', 'draft', '{"markdown":"\\ud800","revision":"x"}', 400],
    ['a revision of nothing', 'save', { markdown: 'x', revision: 'x' }, 400],
    ['a revision that is no longer kept', 'save', { markdown: 'x', revision: newId() }, 409],
    ['too long a text', 'draft', { markdown: 'x'.repeat(2_000_001), revision: 'x' }, 400],
    ['too long a page', 'preview', { markdown: 'x'.repeat(2_000_001) }, 400],
    ['too much HTML', 'paste', { html: 'x'.repeat(2_000_001) }, 400],
    ['HTML that nests too deep', 'paste', { html: '<div>'.repeat(2000) }, 422],
    ['too large a file', 'files', Buffer.alloc(10_000_001), 413, { query: '&name=x' }],
    ['to merge with what is not there', 'merge', { markdown: 'x', revision: 'x', against: 'nothing' }, 400],
    ['another site', 'draft', { markdown: 'x', revision: 'x' }, 403, { 'Sec-Fetch-Site': 'cross-site' }],
    ['a form of another browser', 'draft', { markdown: 'x', revision: 'x' }, 403, { 'X-Form-Token': 'x' }],
  ])('%s', async (_, name, body, expected, headers = {}) => {
    const [status, answer] = await editor.send(name, body, headers);
    expect([status, JSON.stringify(answer).includes('at /')]).toEqual([expected, false]);
  });

  it('who may not write', async () => {
    const { token } = await newUser(client, { organization, role: 'read' });
    const reader = await signedIn(client, token);
    const screen = await reader.open(live());
    expect(screen.status).toBe(403);
    const tokenOf = ({ html }: Screen) => /name="form-token" content="([^"]+)"/.exec(html)?.[1] ?? '';
    const theirs = new Editor(editor.screen, reader);
    for (const name of ['draft', 'save', 'merge', 'preview', 'files', 'paste'] as const) {
      const body = { markdown: 'x', revision: 'x', html: 'x', against: 'content' };
      const [status, { error }] = await theirs.send(name, body, { 'X-Form-Token': tokenOf(screen) });
      expect([name, status, error.message]).toEqual([name, 403, expect.stringContaining('"edit"')]);
    }
    const stranger = await signedIn(client, (await newUser(client)).token);
    expect((await stranger.open(live())).status).toBe(404);
    expect((await stranger.open(editor.setup.urls.links)).status).toBe(404);
  });

  it('a page that is not there, and one that nobody writes', async () => {
    expect((await browser.open(`/app/s/${of.space}/~/edit/nothing`)).status).toBe(404);
    expect((await browser.open(`/app/s/${of.space}/~/changes/999/~/edit/guide`)).status).toBe(404);
    const dependencies = { spec: { ref: { kind: 'openapi', spec: 'none' } } };
    const computed = { type: 'builtin:openapi', props: { models: true }, dependencies };
    await requests.live({ operation: 'insert_page', computed });
    expect((await browser.open(`/app/s/${of.space}/~/edit/none`)).status).toBe(404);
  });
});
