import { readFile } from 'node:fs/promises';
import { AxeBuilder } from '@axe-core/playwright';
import { eventually } from '../../shared/testing/eventually.js';
import { evaluate } from '../support/browser/browser.js';
import { editorSuite } from '../support/browser/editing.js';

const editing = editorSuite();

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('the text', () => {
  it('is saved with what was typed, and no other byte of it changes', async () => {
    const source =
      '\uFEFF---\r\ntitle: "Start" # kept\n---\r\n\r\n*  one \n+ two\t\r\n\0 odd\rMac\n\n[old](/pages/nowhere#X) end';
    const { written, editor } = await editing(source);
    await editor.content.focus();
    await editor.press('Control+Home', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'End');
    await editor.page.keyboard.type('more');
    await editor.save();
    expect(await written.source()).toBe(source.replace('one ', 'one more'));
    expect(await editor.visitor.takeFaults()).toEqual([]);
  });

  it('goes on with lists, and takes marks back', async () => {
    const { editor } = await editing('Start\n');
    await editor.typeAtEnd('\n* one\ntwo\n\n\nthree');
    await editor.press('Shift+Home', 'Control+b');
    expect(await editor.text()).toBe('Start\n\n* one\n* two\n\n**three**');
    await editor.press('Control+b');
    expect(await editor.text()).toMatch(/\nthree$/);
  });

  it('offers blocks at the beginning of a line, and nowhere else', async () => {
    const { editor } = await editing('Start\n');
    await editor.typeAtEnd('\na/hint');
    expect(await editor.page.locator('.editor-picks').isVisible()).toBe(false);
    await editor.page.keyboard.type('\n/warn');
    await editor.option('Hint: warning');
    expect(await editor.content.getAttribute('aria-activedescendant')).toBe('editor-pick-0');
    await editor.press('Enter');
    await editor.page.keyboard.type('Careful');
    expect(await editor.text()).toMatch(/\n\{% hint style="warning" %\}\nCareful\n\{% endhint %\}$/);
    await editor.typeAtEnd('\n\n/tab');
    await editor.option('Tabs');
    await editor.press('Escape');
    await editor.page.keyboard.type('s');
    expect(await editor.page.locator('.editor-picks').isVisible()).toBe(false);
    expect(await editor.visitor.takeFaults()).toEqual([]);
  });

  it('offers pages to link to, by their words and for what is selected', async () => {
    const { editor, written } = await editing('Start\n');
    const other = await written.writer.named('Other page');
    await editor.typeAtEnd('\nSee [[oth');
    await editor.option('Other page');
    await editor.press('Enter');
    expect(await editor.text()).toMatch(new RegExp(`\nSee \\[Other page\\]\\(/pages/${other}\\)$`));
    await editor.page.keyboard.type(' page');
    await editor.press('Control+Shift+ArrowLeft', 'Control+k');
    await editor.option('Other page');
    await editor.press('ArrowDown', 'Enter');
    expect((await editor.text()).match(/\/pages\//g)).toHaveLength(2);
    expect(await editor.visitor.takeFaults()).toEqual([]);
  });

  it('takes pasted images, which the page beside it shows', async () => {
    const { editor, written } = await editing('Start\n');
    await editor.typeAtEnd('\n');
    await editor.paste({}, { name: 'red dot.png', type: 'image/png', base64: pixel });
    await eventually('the image', editor.text, (text) => /!\[red dot\]\(\/files\/\w+\)$/.test(text));
    const shown = editor.page.locator('#editor-preview img');
    await shown.waitFor();
    await eventually(
      'its pixels',
      () => shown.evaluate((image) => (image as { naturalWidth?: number }).naturalWidth),
      (width) => width === 1,
    );
    await editor.save();
    expect(await written.writer.files()).toMatchObject([{ name: 'red dot.png', contentType: 'image/png' }]);
    expect(await editor.visitor.takeFaults()).toEqual([]);
  });

  it('takes pasted rich text as Markdown, addresses over a text as links, and anything else as it is', async () => {
    const { editor } = await editing('Start\n');
    await editor.typeAtEnd('\n');
    await editor.paste({ 'text/html': '<p>A <b>bold</b> word</p>', 'text/plain': 'A bold word' });
    await eventually('Markdown', editor.text, (text) => text.endsWith('A **bold** word'));
    await editor.press('Control+Shift+ArrowLeft');
    await editor.paste({ 'text/plain': 'https://example.com/a_(b)' });
    expect(await editor.text()).toMatch(/\[word\]\(https:\/\/example\.com\/a_\\\(b\\\)\)$/);
    await editor.paste({ 'text/html': '<span style="color:red">plain</span>', 'text/plain': ' plain *text*' });
    expect(await editor.text()).toMatch(/ plain \*text\*$/);
    expect(await editor.visitor.takeFaults()).toEqual([]);
  });
});

describe('the page beside the text', () => {
  it('follows what is typed, where its reader is, and runs nothing of it', async () => {
    const long = Array.from({ length: 80 }, (_, at) => `Paragraph ${at}.\n\n`).join('');
    const { editor } = await editing(`---\ndescription: About it\n---\n# Start\n\n${long}`);
    const preview = editor.page.locator('#editor-preview');
    await preview.getByText('Paragraph 79.').waitFor();
    expect(await preview.locator('h1').textContent()).toContain('Start');
    await preview.evaluate((pane) => (pane as unknown as { scrollTo(x: number, y: number): void }).scrollTo(0, 500));
    await editor.typeAtEnd(
      'Now *new*. <img src=x onerror="top.attacked=1"> <script>top.attacked=1</script>\n\n{% embed url="https://www.youtube.com/watch?v=x" %}\n',
    );
    await preview.locator('em', { hasText: 'new' }).waitFor();
    expect(await preview.evaluate((pane) => (pane as unknown as { scrollTop: number }).scrollTop)).toBe(500);
    expect(await evaluate(editor.page, 'top.attacked')).toBeUndefined();
    expect(await preview.locator('iframe, script, [onerror]').count()).toBe(0);
    await editor.press('Control+Home');
    await editor.page.locator('[data-editor-preview-switch]').click();
    await preview.waitFor({ state: 'hidden' });
    expect(await editor.visitor.takeFaults()).toEqual([]);
  });

  it('says why front matter is not read', async () => {
    const { editor } = await editing('---\ntitle: Start\n---\nText\n');
    await editor.content.focus();
    await editor.press('Control+Home', 'ArrowDown', 'End');
    await editor.page.keyboard.type(': [');
    await editor.page.locator('#editor-preview .notice', { hasText: 'front matter' }).waitFor();
  });
});

describe('the settings of the page', () => {
  it('change their own lines of the front matter, and show what is typed there', async () => {
    const source =
      '---\n# About\ntitle: "Start" # kept\r\nunknown: [1,2]\nlayout:\n  outline:\n    visible: true\n---\nText\n';
    const { editor, written } = await editing(source);
    await editor.page.locator('[data-editor-settings] summary').click();
    const field = (name: string) => editor.page.getByLabel(name, { exact: true });
    expect(await field('Title').inputValue()).toBe('Start');
    await field('Title').fill('A: new start');
    await field('Title').press('Enter');
    await eventually('the title', written.source, (now) => now === source.replace('"Start"', '"A: new start"'));
    await field('Icon').fill('bolt');
    await field('Show the outline').uncheck();
    await field('Hidden from the navigation').check();
    await editor.save();
    expect(await written.source()).toBe(
      source
        .replace('"Start"', '"A: new start"')
        .replace('visible: true\n', 'visible: false\nicon: bolt\nhidden: true\n'),
    );
    await editor.content.focus();
    await editor.press('Control+Home', 'ArrowDown', 'ArrowDown', 'Home', 'Shift+End');
    await editor.page.keyboard.type('title: Typed');
    expect(await field('Title').inputValue()).toBe('Typed');
    await field('Title').fill('');
    expect(await editor.text()).not.toContain('title');
    expect(await field('Show the outline').isChecked()).toBe(false);
    expect(await editor.visitor.takeFaults()).toEqual([]);
  });
});

describe('what others do meanwhile', () => {
  const start = 'One\n\nTwo\n\nThree\n\nFour\n';
  const conflicts = (faults: string[]) => faults.filter((fault) => !/409/.test(fault));

  it('is taken in where it does not touch what was typed', async () => {
    const { editor, written } = await editing(start);
    await editor.typeAtEnd('Mine\n');
    await written.change(start.replace('One', 'One of theirs'));
    await editor.save();
    expect(await written.source()).toBe(`${start.replace('One', 'One of theirs')}Mine\n`);
    expect(await editor.text()).toContain('One of theirs');
    expect(conflicts(await editor.visitor.takeFaults())).toEqual([]);
  });

  it('is settled place by place', async () => {
    const { editor, written } = await editing(start);
    await editor.content.focus();
    await editor.press('Control+Home', 'End');
    await editor.page.keyboard.type(' mine');
    await editor.press('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'End');
    await editor.page.keyboard.type(' mine');
    await written.change('One theirs\n\nTwo theirs\n\nThree theirs\n\nFour\n');
    await editor.press('Control+s');
    const dialog = editor.page.getByRole('dialog');
    await dialog.waitFor();
    expect(await dialog.locator('fieldset').count()).toBe(2);
    expect(await dialog.locator('fieldset').first().locator('pre').allTextContents()).toEqual([
      'One mine\n',
      'One theirs\n',
      'One\n',
    ]);
    await dialog.locator('fieldset').first().getByLabel('Take the other').check();
    await dialog.locator('fieldset').last().getByLabel('Take both').check();
    await dialog.getByRole('button', { name: 'Take these' }).click();
    await editor.said('Saved at');
    expect(await written.source()).toBe('One theirs\n\nTwo theirs\n\nThree mine\nThree theirs\n\nFour\n');
    expect(conflicts(await editor.visitor.takeFaults())).toEqual([]);
  });

  it('is not looked for where a save is refused for another reason', async () => {
    const { editor } = await editing(start);
    const error = { code: 409, message: 'The organization stores as much as it may', reason: 'quota_exceeded' };
    await editor.page.route('**/~/editor/save*', (route) => route.fulfill({ status: 409, json: { error } }), {
      times: 1,
    });
    const merges: string[] = [];
    editor.page.on('request', (request) => merges.push(...(request.url().includes('/editor/merge') ? ['one'] : [])));
    await editor.typeAtEnd('Mine\n');
    await editor.press('Control+s');
    await editor.page.getByText('Not saved. The organization stores as much as it may').waitFor();
    expect(await editor.page.locator('[data-editor-status]').textContent()).not.toContain('Saving');
    expect(merges).toEqual([]);
  });

  it('may be done by the writer in another window', async () => {
    const { editor } = await editing(start);
    const other = await editor.another();
    await other.typeAtEnd('There\n');
    await other.kept();
    await editor.content.focus();
    await editor.press('Control+Home');
    await editor.page.keyboard.type('Here. ');
    await eventually('both', editor.text, (text) => text.startsWith('Here. One') && text.endsWith('There\n'));
    await editor.kept();
    await other.open();
    expect(await other.text()).toMatch(/^Here\. One[\s\S]*There\n$/);
    await other.page.getByText('This is your draft.').waitFor();
  });
});

it('a merge that the server does not answer is asked for again', async () => {
  const { editor } = await editing('One\n\nTwo\n');
  const other = await editor.another();
  await other.typeAtEnd('There\n');
  await other.kept();
  await editor.page.route('**/~/editor/merge*', (route) => route.abort(), { times: 1 });
  await editor.content.focus();
  await editor.press('Control+Home');
  await editor.page.keyboard.type('Here. ');
  await eventually('both', editor.text, (text) => text.startsWith('Here. One') && text.endsWith('There\n'));
  await editor.kept();
  expect(await editor.page.locator('[data-editor-trouble]').isHidden()).toBe(true);
});

it('puts what the buttons insert at the end, for whoever was never in the text', async () => {
  const { editor } = await editing('---\ntitle: Start\n---\n\nText\n\n');
  const [buffer, name] = [Buffer.from(pixel, 'base64'), 'red.png'];
  await editor.page.locator('[data-editor-tools] input').setInputFiles({ name, mimeType: 'image/png', buffer });
  await eventually('the image', editor.text, (text) => /^---\ntitle: Start\n---\n\nText\n\n!\[red\]\S+$/.test(text));
});

it('names all files that were left out, until others are inserted', async () => {
  const { editor } = await editing('Start\n');
  const trouble = editor.page.locator('[data-editor-trouble]');
  await evaluate(
    editor.page,
    `(() => {
      const data = new DataTransfer();
      for (let at = 0; at < 22; at++) data.items.add(new File(['x'], 'file-' + at + '.txt', { type: 'text/plain' }));
      document.querySelector('.cm-content').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    })()`,
  );
  await trouble.getByText('file-20.txt, file-21.txt').waitFor();
  await eventually('the files', editor.text, (text) => text.match(/\{% file/g)?.length === 20);
  await editor.paste({}, { name: 'red dot.png', type: 'image/png', base64: pixel });
  await trouble.waitFor({ state: 'hidden' });
});

it('works by keyboard, and tells screen readers what it is', async () => {
  const { editor } = await editing('---\ntitle: Start\n---\nText\n');
  await editor.page.locator('#editor-preview h1').waitFor();
  await editor.page.locator('[data-editor-settings] summary').click();
  const { violations } = await new AxeBuilder({ page: editor.page }).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  await editor.typeAtEnd('x');
  await editor.press('Tab');
  expect(await editor.text()).toMatch(/x\s*$/);
  expect(await editor.content.evaluate((each) => each === each.ownerDocument.activeElement)).toBe(true);
  await editor.press('Escape', 'Tab');
  expect(await editor.content.evaluate((each) => each === each.ownerDocument.activeElement)).toBe(false);
});

it.each(['light', 'dark'] as const)('fits on a phone: %s', async (colorScheme) => {
  const wide = `| ${'wide | '.repeat(30)}\n`;
  const { editor } = await editing(`Start\n\n${'long'.repeat(100)}\n\n${wide}`, {
    viewport: { width: 360, height: 700 },
    hasTouch: true,
    colorScheme,
  });
  const overflow = () => evaluate<number>(editor.page, 'document.documentElement.scrollWidth - innerWidth');
  expect(await overflow()).toBeLessThanOrEqual(0);
  const bar = editor.page.locator('.editor-tools');
  expect((await bar.boundingBox())?.y).toBeGreaterThan(600);
  for (const button of await bar.locator('button').all())
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await editor.content.tap();
  await editor.press('Control+End');
  await bar.getByRole('button', { name: 'Insert a block' }).tap();
  await editor.page.getByRole('option', { name: 'Task list' }).tap();
  await editor.page.keyboard.type('Done');
  expect(await editor.text()).toMatch(/\* \[ \] Done$/);
  await editor.page.locator('[data-editor-preview-switch]').tap();
  await editor.page.locator('#editor-preview').getByText('Done').waitFor();
  expect(await overflow()).toBeLessThanOrEqual(0);
  expect(await editor.content.isVisible()).toBe(false);
  expect(await editor.visitor.takeFaults()).toEqual([]);
});

it('without a script, a form saves the text, and no other line of it changes', async () => {
  const source = '---\r\ntitle: Start\r\n---\r\n\r\nOne\nTwo\r\n\r\nThree';
  const { editor, written } = await editing(source, { javaScriptEnabled: false });
  const box = editor.page.locator('textarea[name="markdown"]');
  expect(await box.inputValue()).toBe(source.replaceAll('\r\n', '\n'));
  await box.fill((await box.inputValue()).replace('Two', 'Second'));
  await editor.page.getByRole('button', { name: 'Save' }).click();
  await editor.page.getByText('Saved.').waitFor();
  expect(await written.source()).toBe(source.replace('Two', 'Second'));
});

it('weighs at most 130 KB, and is loaded where somebody writes alone', async () => {
  const { editor, written } = await editing('Start\n');
  const scripts = () =>
    evaluate<string[]>(editor.page, `[...document.scripts].map(({ src }) => new URL(src).pathname)`);
  const [name] = (await scripts()).filter((path) => path.includes('/editor-'));
  const answer = await fetch(`${written.writer.client.url}${name}`, { headers: { 'accept-encoding': 'gzip' } });
  const { default: zlib } = await import('node:zlib');
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(zlib.gzipSync(bytes, { level: 9 }).length).toBeLessThanOrEqual(130_000);
  await editor.page.goto(`${written.writer.client.url}/app/s/${written.writer.space}/~/changes/${written.number}`);
  expect((await scripts()).filter((path) => path.includes('/editor-'))).toEqual([]);
  expect(await readFile(new URL('../../package.json', import.meta.url), 'utf8')).not.toContain('lang-markdown');
});
