import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { editor as words } from '../../../services/app/words/english/editor.js';
import { eventually } from '../../../shared/testing/eventually.js';
import { ContentWriter, document, inserted } from '../content-changes.js';
import { newOrganization, newSpace, shared } from '../fixtures.js';
import type { Client } from '../server.js';
import { evaluate, newVisitor, openBrowser, type Visitor } from './browser.js';

/** A page of a change request that somebody writes in a browser. */
export class WrittenPage {
  private constructor(
    readonly writer: ContentWriter,
    readonly id: string,
    readonly number: number,
  ) {}

  /** On a space of its own, which has another page besides. */
  static async with(client: Client, markdown: string): Promise<WrittenPage> {
    const organization = await newOrganization(client);
    const space = await newSpace(client, organization, { title: 'Guide' });
    const writer = await ContentWriter.on(client, space);
    const [id] = (await writer.insert(inserted('Start', document('x\n')), inserted('Other page'))) as [string];
    await writer.apply({ operation: 'update_page', page: id, document: { markdown, exact: true } });
    return new WrittenPage(writer, id, (await writer.state()).number);
  }

  get path(): string {
    return `/app/s/${this.writer.space}/~/changes/${this.number}/~/edit/start`;
  }

  source = (): Promise<string> => this.writer.source(this.id);

  /** Changes the page as somebody else does. */
  change = (markdown: string): Promise<unknown> =>
    this.writer.apply({ operation: 'update_page', page: this.id, document: { markdown, exact: true } });
}

async function signIn(page: Page, client: Client): Promise<void> {
  await page.goto(`${client.url}/app/sign-in`);
  await page.locator('#field-api-token').fill(client.token);
  await page.locator('form:has(#field-api-token) button').click();
  await page.locator('main h1').waitFor();
}

/** The editor in a browser, with somebody who is signed in. */
export class OpenEditor {
  private constructor(
    readonly visitor: Visitor,
    readonly page: Page,
    private readonly client: Client,
    private readonly path: string,
  ) {}

  static async on(browser: Browser, written: WrittenPage, options: BrowserContextOptions = {}): Promise<OpenEditor> {
    const visitor = await newVisitor(browser, options);
    const { client } = written.writer;
    const { page } = visitor;
    await signIn(page, client);
    const opened = new OpenEditor(visitor, page, client, written.path);
    await opened.open();
    return opened;
  }

  /** Another window of the same person. */
  async another(): Promise<OpenEditor> {
    const other = new OpenEditor(this.visitor, await this.visitor.context.newPage(), this.client, this.path);
    await other.open();
    return other;
  }

  /** In another window: as the same person, or as somebody else. */
  async signInElsewhere(client = this.client): Promise<void> {
    const page = await this.visitor.context.newPage();
    await signIn(page, client);
    await page.close();
  }

  async open(): Promise<void> {
    await this.page.goto(this.client.url + this.path);
    if (this.page.context().pages().length > 0) await this.ready();
  }

  private async ready(): Promise<void> {
    await this.page.locator('.cm-content, textarea[name="markdown"]:visible').first().waitFor();
  }

  get content(): Locator {
    return this.page.locator('.cm-content');
  }

  /** The lines of a text that fits into the window. */
  text = (): Promise<string> =>
    evaluate(this.page, `[...document.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\\n')`);

  /** Types at the end of the text. */
  async typeAtEnd(text: string): Promise<void> {
    await this.content.focus();
    await this.page.keyboard.press('Control+End');
    await this.page.keyboard.type(text);
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  private status = async (): Promise<string> => (await this.page.locator('[data-editor-status]').textContent()) ?? '';

  /** Waits until the editor says that all is kept as a draft. */
  kept = (): Promise<unknown> => this.said(words.kept);

  /** Saves the text for good. */
  async save(): Promise<void> {
    await this.press('Control+s');
    await this.said(words.saved);
  }

  said = (word: string): Promise<unknown> =>
    eventually(word, this.status, (text) => text.startsWith(word.split('{')[0] as string));

  /** The selected option of the menu that is open. */
  option = (text: string): Promise<unknown> =>
    this.page.locator('.editor-picks [aria-selected="true"]', { hasText: text }).waitFor();

  /** Pastes as a browser does: texts by their types, or a file. */
  async paste(texts: Record<string, string>, file?: { name: string; type: string; base64: string }): Promise<void> {
    await this.content.focus();
    await evaluate(
      this.page,
      `(() => {
        const data = new DataTransfer();
        for (const [type, text] of Object.entries(${JSON.stringify(texts)})) data.setData(type, text);
        const file = ${JSON.stringify(file ?? null)};
        if (file) data.items.add(new File([Uint8Array.from(atob(file.base64), (each) => each.charCodeAt(0))], file.name, { type: file.type }));
        document.querySelector('.cm-content').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
      })()`,
    );
  }

  close = (): Promise<void> => this.visitor.context.close();
}

/** Opens editors in one browser, which ends with the suite; one at a time. Takes the text of a page, and options of `OpenEditor.on`. */
export function editorSuite() {
  let browser: Browser;
  let open: OpenEditor | undefined;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterEach(async () => {
    await open?.close();
    open = undefined;
  });
  afterAll(() => browser.close());
  return async (markdown: string, options = {}): Promise<{ written: WrittenPage; editor: OpenEditor }> => {
    const written = await WrittenPage.with(shared(), markdown);
    open = await OpenEditor.on(browser, written, options);
    return { written, editor: open };
  };
}
