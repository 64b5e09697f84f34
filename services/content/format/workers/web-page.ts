import { type DefaultTreeAdapterMap, parse, parseFragment } from 'parse5';
import { escapeHtml } from '../../../../shared/text/escaped-html.js';

/** The answer of another site. */
export interface Fetched {
  bytes: Uint8Array;
  contentType: string;
  /** Its address, after redirects. */
  url: string;
}

/** The metadata of a page of another site, for readers. */
export interface WebPage {
  title?: string;
  site?: string;
  icon?: string;
}

/** As HTML: a frame, where the site has one. */
export interface OEmbed extends WebPage {
  html?: string;
}

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];

const maxText = 200;
const maxAddress = 2048;

/** In one line, without signs that hide or turn others; undefined when nothing is left. */
function cleanLine(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const line = text
    .slice(0, 10 * maxText)
    .toWellFormed()
    .replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ')
    .trim();
  return line.slice(0, maxText).replace(/[\ud800-\udbff]$/, '') || undefined;
}

function resolveWebAddress(address: unknown, base: string): string | undefined {
  if (typeof address !== 'string' || !URL.canParse(address.trim(), base)) return undefined;
  const { protocol, href } = new URL(address.trim(), base);
  return /^https?:$/.test(protocol) && href.length <= maxAddress ? href : undefined;
}

/** The elements of a document in their order; deep ones do not nest calls. */
function* walkElements(root: Node): Generator<Element> {
  const open: Node[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    if ('tagName' in node) yield node;
    if ('childNodes' in node) for (const child of node.childNodes.toReversed()) open.push(child);
  }
}

const attributesOf = ({ attrs }: Element): Record<string, string> =>
  Object.fromEntries(attrs.map(({ name, value }) => [name, value]));

const textOfChildren = ({ childNodes }: Element): string =>
  childNodes.map((node) => ('value' in node ? node.value : '')).join('');

const beginning = 1024;

/** By the charset that its header or its first bytes name. */
function decodeHtml({ bytes, contentType }: Fetched): string {
  const head = Buffer.from(bytes.subarray(0, beginning)).toString('latin1');
  const charset = /charset\s*=\s*["']?([\w-]+)/i;
  const [, label = 'utf-8'] = charset.exec(contentType) ?? charset.exec(head) ?? [];
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** The first of each kind that a page says, by what says it. */
interface Said {
  meta: Map<string, string>;
  title?: string | undefined;
  icon?: string | undefined;
  oEmbed?: string | undefined;
}

function collectMetadata(page: Fetched): Said {
  const said: Said = { meta: new Map() };
  let base = page.url;
  for (const element of walkElements(parse(decodeHtml(page)))) {
    const { rel = '', href, type, property, name, content } = attributesOf(element);
    const relations = rel.toLowerCase().split(/\s+/);
    if (element.tagName === 'base') base = resolveWebAddress(href, page.url) ?? base;
    else if (element.tagName === 'title') said.title ??= textOfChildren(element);
    else if (element.tagName === 'meta' && content) {
      const key = (property ?? name ?? '').toLowerCase();
      if (!said.meta.has(key)) said.meta.set(key, content);
    } else if (element.tagName === 'link') {
      if (relations.includes('icon')) said.icon ??= resolveWebAddress(href, base);
      if (relations.includes('alternate') && type?.toLowerCase() === 'application/json+oembed')
        said.oEmbed ??= resolveWebAddress(href, base);
    }
  }
  return said;
}

/** Reads the metadata of an HTML page, and the oEmbed endpoint that it names. */
export function webPage(page: Fetched): WebPage & { oEmbed?: string } {
  const { meta, title, icon, oEmbed } = collectMetadata(page);
  const named = cleanLine(meta.get('og:title')) ?? cleanLine(meta.get('twitter:title')) ?? cleanLine(title);
  const site = cleanLine(meta.get('og:site_name'));
  return {
    ...(named ? { title: named } : {}),
    ...(site ? { site } : {}),
    ...(icon ? { icon } : {}),
    ...(oEmbed ? { oEmbed } : {}),
  };
}

/** Reads the answer of an oEmbed endpoint; undefined for anything else. */
export function oEmbed(answer: Fetched): OEmbed | undefined {
  const said = parseJsonAnswer(answer);
  if (typeof said.type !== 'string') return undefined;
  const title = cleanLine(said.title);
  const site = cleanLine(said.provider_name);
  const html = /^(video|rich)$/.test(said.type)
    ? readFrame(said, { title, base: answer.url.replace(/^http:/, 'https:') })
    : undefined;
  return { ...(title ? { title } : {}), ...(site ? { site } : {}), ...(html ? { html } : {}) };
}

function parseJsonAnswer({ bytes }: Fetched): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Rights of a frame: those that players and editors need, and never to leave the page that shows it. */
const fixedAttributes = {
  allow: 'autoplay; clipboard-write; encrypted-media; fullscreen; picture-in-picture',
  sandbox: 'allow-forms allow-popups allow-popups-to-escape-sandbox allow-presentation allow-same-origin allow-scripts',
  referrerpolicy: 'strict-origin-when-cross-origin',
  loading: 'lazy',
};

/** A frame of our own with the address and the size of the one that they sent; undefined where they sent none, or several. */
function readFrame(
  { html, width, height }: Record<string, unknown>,
  { title, base }: { title: string | undefined; base: string },
): string | undefined {
  if (typeof html !== 'string') return undefined;
  const frames = [...walkElements(parseFragment(html))].filter(({ tagName }) => tagName === 'iframe');
  const [frame] = frames;
  if (!frame || frames.length > 1) return undefined;
  const theirs = attributesOf(frame);
  const src = resolveWebAddress(theirs.src, base);
  if (!src?.startsWith('https:') || new URL(src).username !== '') return undefined;
  const sizes = {
    width: readPixels(theirs.width) ?? readPixels(width),
    height: readPixels(theirs.height) ?? readPixels(height),
  };
  const attributes = { src, title: title ?? new URL(src).hostname, ...sizes, ...fixedAttributes };
  const written = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${escapeHtml(value)}"`],
  );
  return `<iframe ${written.join(' ')}></iframe>`;
}

const readPixels = (size: unknown): string | undefined =>
  /^[1-9]\d{0,3}(px)?$/.test(String(size)) ? String(Number.parseInt(String(size), 10)) : undefined;
