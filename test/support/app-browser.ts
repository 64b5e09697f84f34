import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { plainText } from './html-text.js';
import { atOwnGateway } from './server.js';

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

/** What a person fills in: several files of one field, too; undefined for a field that is not sent. */
type Values = Record<string, string | Blob | readonly Blob[] | undefined>;

/** A form of a screen. */
export interface ScreenForm {
  /** Its address; undefined for that of the screen. */
  action: string | undefined;
  /** Its fields, with what is filled in. */
  fields: Record<string, string>;
  /** The names and values of its buttons. */
  buttons: { name: string; value: string; text: string }[];
  isMultipart: boolean;
}

const childrenOf = (node: Node): Node[] => ('childNodes' in node ? node.childNodes : []);

function* elementsOf(node: Node): Generator<Element> {
  for (const child of childrenOf(node)) {
    if ('tagName' in child) yield child;
    yield* elementsOf(child);
  }
}

const attribute = ({ attrs }: Element, name: string): string | undefined =>
  attrs.find((each) => each.name === name)?.value;

function filledIn(element: Element): string | undefined {
  const type = attribute(element, 'type');
  if (element.tagName === 'textarea') return plainText(element);
  if (element.tagName === 'select') {
    const options = [...elementsOf(element)].filter(({ tagName }) => tagName === 'option');
    const chosen = options.find((option) => attribute(option, 'selected') !== undefined) ?? options[0];
    return chosen && (attribute(chosen, 'value') ?? plainText(chosen));
  }
  if (type === 'checkbox' || type === 'radio')
    return attribute(element, 'checked') === undefined ? undefined : (attribute(element, 'value') ?? 'on');
  return type === 'submit' || type === 'file' ? undefined : (attribute(element, 'value') ?? '');
}

function formOf(element: Element): ScreenForm {
  const inside = [...elementsOf(element)];
  const fields: Record<string, string> = {};
  for (const field of inside.filter(({ tagName }) => /^(?:input|textarea|select)$/.test(tagName))) {
    const name = attribute(field, 'name');
    const value = filledIn(field);
    if (name !== undefined && value !== undefined) fields[name] = value;
  }
  const buttons = inside
    .filter(({ tagName }) => tagName === 'button')
    .map((button) => ({
      name: attribute(button, 'name') ?? '',
      value: attribute(button, 'value') ?? '',
      text: plainText(button).trim(),
    }));
  return {
    action: attribute(element, 'action'),
    fields,
    buttons,
    isMultipart: attribute(element, 'enctype') === 'multipart/form-data',
  };
}

/** A screen as its reader has it before any script runs. */
export class Screen {
  private readonly elements: Element[];
  readonly text: string;

  constructor(
    readonly url: URL,
    readonly status: number,
    readonly headers: Headers,
    readonly html: string,
  ) {
    const document = parse(html);
    this.elements = [...elementsOf(document)];
    const main = this.elements.find(({ tagName }) => tagName === 'main');
    this.text = plainText(main ?? document).replace(/\s+/g, ' ');
  }

  /** The addresses of all links. */
  links(): string[] {
    return this.elements.flatMap((element) => (element.tagName === 'a' ? (attribute(element, 'href') ?? []) : []));
  }

  forms(): ScreenForm[] {
    return this.elements.flatMap((element) =>
      element.tagName === 'form' && attribute(element, 'method') === 'post' ? [formOf(element)] : [],
    );
  }

  /** The form that asks for an action, or has a button for it; with other fields where several do. */
  form(action: string, having: Record<string, string> = {}): ScreenForm {
    const found = this.forms().find(
      ({ fields, buttons }) =>
        (fields.action === action || buttons.some(({ name, value }) => name === 'action' && value === action)) &&
        Object.entries(having).every(([name, value]) => fields[name] === value),
    );
    if (!found) throw new Error(`${this.url.pathname} has no form for ${action}: ${this.text.slice(0, 500)}`);
    return found;
  }

  /** What the screen says was done, or was refused. */
  notices(): string[] {
    return this.elements.flatMap((element) =>
      attribute(element, 'class')?.split(' ').includes('notice')
        ? [plainText(element).replace(/\s+/g, ' ').trim()]
        : [],
    );
  }

  hasForm(action: string): boolean {
    return this.forms().some(
      ({ fields, buttons }) =>
        fields.action === action || buttons.some(({ name, value }) => name === 'action' && value === action),
    );
  }
}

/** A browser without scripts: keeps cookies, follows redirects, sends forms as browsers do. */
export class AppBrowser {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly origin: string) {}

  async open(path: string, init: RequestInit = {}): Promise<Screen> {
    return this.request(new URL(path, this.origin), init, 10);
  }

  /** Opens an address and follows no redirect: returns where it leads, and keeps the cookies. */
  async redirectOf(path: string, init: RequestInit = {}): Promise<{ status: number; location: string }> {
    const { status, headers } = await this.request(new URL(path, this.origin), init, 0);
    return { status, location: headers.get('location') ?? '' };
  }

  /** Sends a form of a screen with other values in some of its fields. */
  async submit(screen: Screen, form: ScreenForm, values: Values = {}): Promise<Screen> {
    const all = { ...form.fields, ...values };
    const entries = Object.entries(all).flatMap(([name, value]) =>
      [value ?? []].flat().map((each) => [name, each] as const),
    );
    const body = new FormData();
    for (const [name, value] of entries) body.append(name, value);
    const plain = new URLSearchParams(
      entries.flatMap(([name, value]): [string, string][] => (typeof value === 'string' ? [[name, value]] : [])),
    );
    return this.open(new URL(form.action ?? screen.url.href, screen.url).href, {
      method: 'POST',
      body: form.isMultipart ? body : plain,
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    });
  }

  /** Sends the form for an action of the screen at an address. */
  async act(path: string | Screen, action: string, values: Record<string, string | Blob> = {}): Promise<Screen> {
    const screen = typeof path === 'string' ? await this.open(path) : path;
    return this.submit(screen, screen.form(action), { action, ...values });
  }

  cookie(name: string): string | undefined {
    return this.cookies.get(name);
  }

  setCookie(name: string, value: string): void {
    this.cookies.set(name, value);
  }

  private async request(url: URL, init: RequestInit, hops: number): Promise<Screen> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = new Headers(init.headers);
    if (cookie !== '') headers.set('Cookie', cookie);
    const answer = await fetch(atOwnGateway(url.href), { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) this.keep(line);
    const location = answer.headers.get('location');
    if (answer.status >= 300 && answer.status < 400 && location !== null && hops > 0) {
      await answer.arrayBuffer();
      return this.request(new URL(location, url), {}, hops - 1);
    }
    return new Screen(url, answer.status, answer.headers, await answer.text());
  }

  private keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/;\s*Max-Age=0(?:;|$)/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** A browser in which somebody signed in with a link: `at` is its address. */
export async function signedInByLink(server: { url: string }, at: string): Promise<AppBrowser> {
  const browser = new AppBrowser(server.url);
  const screen = await browser.act(at, 'redeem');
  if (screen.status !== 200 || screen.url.pathname.endsWith('/sign-in'))
    throw new Error(`not signed in: ${screen.status} ${screen.text.slice(0, 300)}`);
  return browser;
}

/** A browser in which somebody signed in with an API token. */
export async function signedIn(server: { url: string }, token: string): Promise<AppBrowser> {
  const browser = new AppBrowser(server.url);
  const screen = await browser.act('/app/sign-in', 'token', { 'api-token': token });
  if (!screen.url.pathname.startsWith('/app') || screen.url.pathname.endsWith('/sign-in'))
    throw new Error(`not signed in: ${screen.status} ${screen.text.slice(0, 300)}`);
  return browser;
}
