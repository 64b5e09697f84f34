import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { AppBrowser, type Screen, type ScreenForm, signedIn } from './app-browser.js';

type Node = DefaultTreeAdapterTypes.Node;

const childrenOf = (node: Node): Node[] => ('childNodes' in node ? node.childNodes : []);

/** The texts of a part of a document with spaces between them, as they stand apart on a screen. */
function spacedText(node: Node): string {
  if (node.nodeName === '#text') return (node as DefaultTreeAdapterTypes.TextNode).value;
  return childrenOf(node).map(spacedText).join(' ').replace(/\s+/g, ' ').trim();
}

function* elementsBelow(node: Node): Generator<DefaultTreeAdapterTypes.Element> {
  for (const child of childrenOf(node)) {
    if ('tagName' in child) yield child;
    yield* elementsBelow(child);
  }
}

function* withClass(node: Node, name: string): Generator<Node> {
  if ('attrs' in node && node.attrs.some((each) => each.name === 'class' && each.value.split(' ').includes(name)))
    yield node;
  for (const child of childrenOf(node)) yield* withClass(child, name);
}

const actionsOf = ({ fields, buttons }: ScreenForm): string[] => [
  ...(fields.action === undefined ? [] : [fields.action]),
  ...buttons.flatMap(({ name, value }) => (name === 'action' ? [value] : [])),
];

/** A form of the screen, by its action, and by values that tell it from others alike. */
interface Wanted {
  action: string;
  where?: Record<string, string>;
}

/** Somebody who uses the app screen by screen: each form that is sent is one of the screen that is shown. */
export class AppPerson {
  private shown: Screen | undefined;

  constructor(private readonly browser: AppBrowser) {}

  async open(path: string): Promise<this> {
    this.shown = await this.browser.open(path);
    return this;
  }

  /** Sends the one form of the screen that is wanted, with `fields` changed. */
  async submit({ action, where = {} }: Wanted, fields: Parameters<AppBrowser['submit']>[2] = {}): Promise<this> {
    const form = this.screen.form(action, where);
    this.shown = await this.browser.submit(this.screen, form, { ...fields, action });
    return this;
  }

  /** Sends a form that the screen does not have. */
  async forge(path: string, fields: Record<string, string>): Promise<this> {
    const meta = this.elements('meta').find(({ attributes }) => attributes.name === 'form-token');
    this.shown = await this.browser.open(path, {
      method: 'POST',
      body: new URLSearchParams({ token: meta?.attributes.content ?? '', ...fields }),
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    });
    return this;
  }

  get screen(): Screen {
    if (!this.shown) throw new Error('no screen is open');
    return this.shown;
  }

  get status(): number {
    return this.screen.status;
  }

  /** The path of the screen, with its query. */
  get path(): string {
    const { pathname, search } = this.screen.url;
    return pathname + search;
  }

  get html(): string {
    return this.screen.html;
  }

  get text(): string {
    return spacedText(parse(this.html));
  }

  /** The texts by which the screen says what was done, or was refused. */
  get notices(): string[] {
    return [...withClass(parse(this.html), 'notice')].map(spacedText);
  }

  /** What the menus hold that stand open. */
  get openMenus(): string[] {
    return this.elements('details')
      .filter(({ attributes }) => attributes.class?.split(' ').includes('menu') && attributes.open !== undefined)
      .map(({ text }) => text);
  }

  /** The elements of a name; `*`: all of them. */
  elements = (name: string): { text: string; attributes: Record<string, string> }[] =>
    [...elementsBelow(parse(this.html))]
      .filter(({ tagName }) => name === '*' || tagName === name)
      .map((element) => ({
        text: spacedText(element),
        attributes: Object.fromEntries(element.attrs.map((each) => [each.name, each.value])),
      }));

  links = (): string[] => this.screen.links();

  forms = (): ScreenForm[] => this.screen.forms();

  /** Whether the screen has a form for an action, with such fields. */
  canAsk = (action: string, where: Record<string, string> = {}): boolean =>
    this.forms().some(
      (form) =>
        actionsOf(form).includes(action) && Object.entries(where).every(([name, value]) => form.fields[name] === value),
    );

  /** The actions that the screen offers. */
  offers = (): Set<string> => new Set(this.forms().flatMap(actionsOf));
}

/** Somebody who is not signed in. */
export const newVisitor = ({ url }: { url: string }): AppPerson => new AppPerson(new AppBrowser(url));

/** Somebody who is signed in with an API token. */
export const personWith = async (server: { url: string }, token: string): Promise<AppPerson> =>
  new AppPerson(await signedIn(server, token));
