import type { Route } from 'playwright-core';
import { eventually } from '../../shared/testing/eventually.js';
import { evaluate } from '../support/browser/browser.js';
import { editorSuite } from '../support/browser/editing.js';
import { newUser } from '../support/fixtures.js';

const editing = editorSuite();

it('nothing of a draft is shown to others, and it can be discarded', async () => {
  const { editor, written } = await editing('Start\n');
  await editor.typeAtEnd('Mine');
  await editor.kept();
  expect(await written.source()).toBe('Start\n');
  editor.page.on('dialog', (dialog) => dialog.accept());
  await editor.page.getByRole('button', { name: 'Discard draft' }).click();
  await eventually('the text as it is saved', editor.text, (text) => text === 'Start\n');
  await editor.open();
  expect(await editor.text()).toBe('Start\n');
});

it('is called a draft until it is saved', async () => {
  const { editor } = await editing('Start\n');
  await editor.typeAtEnd('Mine');
  await editor.kept();
  await editor.open();
  const called = editor.page.getByText('This is your draft.');
  expect(await called.isVisible()).toBe(true);
  await editor.typeAtEnd(', and more');
  await editor.save();
  expect(await called.count()).toBe(0);
});

it('a draft whose writer keeps it after all is kept on', async () => {
  const { editor } = await editing('Start\n');
  await editor.typeAtEnd('Mine');
  await editor.kept();
  editor.page.once('dialog', (dialog) => dialog.dismiss());
  await editor.page.getByRole('button', { name: 'Discard draft' }).click();
  await editor.typeAtEnd(', and more');
  const other = await editor.another();
  const kept = () => other.open().then(other.text);
  await eventually('the draft', kept, (text) => text === 'Start\nMine, and more');
});

it('a draft that is under way while it is discarded does not come back', async () => {
  const { editor } = await editing('Start\n');
  const { page } = editor;
  const asked = new Promise<Route>((resolve) => void page.route('**/~/editor/draft*', resolve));
  await editor.typeAtEnd('Mine');
  const draft = await asked;
  page.on('dialog', (dialog) => dialog.accept());
  const discarded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Discard draft' }).click();
  await draft.continue();
  await discarded;
  await editor.open();
  expect(await editor.text()).toBe('Start\n');
});

it('goes on when its writer is signed out, and signs in again elsewhere', async () => {
  const { editor, written } = await editing('Start\n');
  await editor.visitor.context.clearCookies();
  await editor.typeAtEnd('Typed');
  await editor.page.getByText('you are signed out').waitFor();
  await editor.signInElsewhere();
  await evaluate(editor.page, `dispatchEvent(new Event('online'))`);
  await editor.kept();
  await editor.save();
  expect(await written.source()).toBe('Start\nTyped');
});

it('sends nothing in the name of somebody else who signs in', async () => {
  const { editor, written } = await editing('Start\n');
  const { client, space } = written.writer;
  const { organization } = (await client.get(`/v1/spaces/${space}`)).body;
  const { client: other } = await newUser(client, { organization, role: 'edit' });
  await editor.visitor.context.clearCookies();
  await editor.signInElsewhere(other);
  await editor.typeAtEnd('Typed');
  await editor.page.getByText('you are signed out').waitFor();
  const refused = editor.page.waitForResponse('**/~/editor/save*');
  await editor.press('Control+s');
  await refused;
  expect(await written.source()).toBe('Start\n');
  await editor.visitor.context.clearCookies();
  await editor.signInElsewhere();
  await evaluate(editor.page, `dispatchEvent(new Event('online'))`);
  await editor.kept();
  await editor.save();
  expect(await written.source()).toBe('Start\nTyped');
});
