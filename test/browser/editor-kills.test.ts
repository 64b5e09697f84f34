import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { eventually } from '../../shared/testing/eventually.js';
import { evaluate, openBrowser } from '../support/browser/browser.js';
import { OpenEditor, WrittenPage } from '../support/browser/editing.js';
import { type StartedServer, startServer } from '../support/server.js';

let browser: Browser;
let dataDir: string;
let server: StartedServer | undefined;
beforeAll(async () => {
  [browser, dataDir] = await Promise.all([openBrowser(), mkdtemp(join(tmpdir(), 'bindery-editor-'))]);
});
afterAll(async () => {
  await browser.close();
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Notes the text each time that the editor says that it is kept. */
const noteKept = `
  globalThis.kept = [];
  new MutationObserver(() => {
    const status = document.querySelector('[data-editor-status]').textContent;
    if (status.startsWith('Draft saved')) kept.push([...document.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\\n'));
  }).observe(document.querySelector('[data-editor-status]'), { childList: true, characterData: true, subtree: true });
`;
const lastKept = (editor: OpenEditor) => evaluate<string>(editor.page, `kept.at(-1) ?? ''`);

it('what the editor called saved is there after each kill -9, and what it did not comes when the server is back', async () => {
  server = await startServer({ dataDir });
  const port = Number(new URL(server.url).port);
  const written = await WrittenPage.with(server, 'Start\n');
  const editor = await OpenEditor.on(browser, written);
  await evaluate(editor.page, noteKept);
  await editor.typeAtEnd('Line 0');
  await editor.kept();
  for (let round = 1; round <= 3; round++) {
    const { keyboard } = editor.page;
    await keyboard.type(`\nLine ${round} with some`);
    await Promise.all([server.kill(), keyboard.type(' more words to type')]);
    await keyboard.type(', and after the end');
    await eventually('the editor noticing', () => editor.page.locator('[data-editor-trouble]').textContent(), Boolean);
    const said = await lastKept(editor);
    server = await startServer({ dataDir, port });
    // Another window, which knows nothing of what the first one holds.
    const other = await editor.another();
    expect(await other.text()).toContain(said);
    await other.page.close();
    await evaluate(editor.page, `dispatchEvent(new Event('online'))`);
    await editor.kept();
  }
  const typed = await editor.text();
  expect(typed.match(/Line \d/g)).toHaveLength(4);
  const after = await editor.another();
  expect(await after.text()).toBe(typed);
  await editor.save();
  expect(await written.source()).toBe(typed);
  await editor.close();
});
