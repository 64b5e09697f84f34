import anyAscii from 'any-ascii';

/** An address in a page: what it is used for matters only where it makes the target a part of the page. */
export interface ScannedLink {
  address: string;
  kind: 'link' | 'include' | 'openapi';
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

const plain = (text: string): string =>
  text
    .replace(/&(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));/gi, (whole, hex, decimal, name) =>
      hex
        ? String.fromCodePoint(parseInt(hex, 16))
        : decimal
          ? String.fromCodePoint(Number(decimal))
          : (entities[name] ?? whole),
    )
    .replace(/\\([!-/:-@[-`{-~])/g, '$1');

const spaces = (text: string) => text.replace(/[^\n]/g, ' ');

/** The text without front matter, blocks of code and comments. */
function withoutBlocks(source: string): string {
  const lines = source.replace(/^\uFEFF?---\r?\n[\s\S]*?\n---[ \t]*(?:\r?\n|$)/, '').split('\n');
  let fence = '';
  const kept = lines.map((line) => {
    const mark = /^[\s>]*(?:[*+-]\s+|\d+[.)]\s+)*(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence === '') {
      if (mark !== '' && !(mark.startsWith('`') && line.slice(line.indexOf(mark) + mark.length).includes('`')))
        fence = mark;
      return fence === '' ? line : '';
    }
    if (mark.startsWith(fence) && /^[\s>]*[`~]+\s*$/.test(line)) fence = '';
    return '';
  });
  return kept
    .join('\n')
    .replace(/<!--[\s\S]*?-->/g, spaces)
    .replace(/<pre\b[\s\S]*?<\/pre>/g, spaces);
}

const codeSpan = /(?<!`)(`+)(?!`)((?:(?!\n\s*\n)[\s\S])*?[^`])\1(?!`)/g;

const headerRow = /^.*\|.*\n(?=[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$)/gm;

/** The text with everything that only looks like links made blank. The titles of columns are plain text. */
const withoutCode = (source: string): string =>
  withoutBlocks(source)
    .replace(codeSpan, spaces)
    .replace(/<code>[^<]*<\/code>/g, spaces)
    .replace(headerRow, spaces)
    .replace(/<th\b[^>]*>[^<]*<a\b[\s\S]*?<\/th>/g, spaces);

const tag = /\{%\s*([a-z-]+)\s([^%]*(?:%(?!\})[^%]*)*)%\}/g;
const attribute = (text: string, name: string) =>
  new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
    .exec(text)
    ?.slice(1)
    .find((value) => value !== undefined);

function* tagLinks(text: string): Generator<ScannedLink> {
  for (const [, name = '', rest = ''] of text.matchAll(tag)) {
    const value = (of: string) => attribute(rest, of);
    const spec = name.startsWith('openapi') ? value('spec') : undefined;
    if (name === 'include') yield { address: plain(/["']([^"']+)["']/.exec(rest)?.[1] ?? ''), kind: 'include' };
    else if (spec !== undefined) yield { address: plain(spec), kind: 'openapi' };
    else {
      const address = value('url') ?? value('src') ?? value('page');
      if (/^(?:embed|file|content-ref|page-ref|openapi|swagger)$/.test(name) && address !== undefined)
        yield { address: plain(address.trim()), kind: 'link' };
    }
  }
}

function* elementLinks(text: string): Generator<ScannedLink> {
  for (const [whole, name = '', rest = ''] of text.matchAll(
    /<([a-z][a-z0-9]*)((?:\s(?:"[^"]*"|'[^']*'|[^"'<>])*)?)\/?>/gi,
  )) {
    const wanted = { a: ['href'], img: ['src'], source: ['srcset'], iframe: ['src'], video: ['src'], audio: ['src'] }[
      name.toLowerCase()
    ];
    if (!wanted || whole.length > 10_000) continue;
    for (const of of wanted) {
      const address = attribute(rest, of);
      if (address !== undefined) yield { address: plain(address.trim()), kind: 'link' };
    }
  }
}

const inline =
  /\]\(\s*(?:<([^<>\n]*)>|((?:[^\s()<\\]|\\.|\((?:[^\s()\\]|\\.)*\))(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))*))?(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/g;
const bare =
  /(?<![A-Za-z0-9"'=(<[\]/])(?:https?:\/\/|www\.)[^\s<>"'\u3000-\u303f\uff00-\uffef)\]]*[^\s<>"'\u3000-\u303f\uff00-\uffef)\].,;:!?*_~]/g;

function* markdownLinks(source: string): Generator<ScannedLink> {
  const text = source.replace(/\\\[[^\][]*\](?=\()/g, spaces);
  for (const [, angled, written] of text.matchAll(inline))
    yield { address: plain(angled ?? written ?? ''), kind: 'link' };
  for (const [, address = ''] of text.matchAll(/<((?:https?|mailto|ftp|tel):[^\s<>]*)>/gi))
    yield { address, kind: 'link' };
  for (const [, address = ''] of text.matchAll(/<([\w.+-]+@[\w-]+(?:\.[\w-]+)+)>/g))
    yield { address: `mailto:${address}`, kind: 'link' };
  for (const [, label = '', address = ''] of text.matchAll(/^ {0,3}\[([^\]]+)\]:\s*<?([^\s>]+)>?/gm))
    if (new RegExp(`\\[${label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\](?!:)`, 'i').test(text))
      yield { address: plain(address), kind: 'link' };
}

/** Bare addresses, outside everything that has an address of its own. */
function* bareLinks(text: string): Generator<ScannedLink> {
  const rest = text
    .replace(/\{%[\s\S]*?%\}/g, spaces)
    .replace(/\[(?:[^\][]|\[[^\][]*\])*\]\([^)\s]*(?:\([^)\s]*\)[^)\s]*)*(?:\s+"[^"]*")?\s*\)/g, spaces)
    .replace(/<a\b[\s\S]*?<\/a>/gi, spaces)
    .replace(/^ {0,3}\[[^\]]+\]:.*$/gm, spaces)
    .replace(/<[^<>]*>/g, spaces);
  for (const [address] of rest.matchAll(bare))
    yield { address: address.startsWith('www.') ? `http://${address}` : plain(address), kind: 'link' };
  for (const [address] of rest.matchAll(/(?<![\w.+-/:])[\w.+-]+@[\w-]+(?:\.[\w-]+)+(?<![-_])/g))
    yield { address: `mailto:${address}`, kind: 'link' };
}

/** The addresses in a page, with its cover. */
export function linksIn(source: string): ScannedLink[] {
  const front = /^\uFEFF?---\r?\n([\s\S]*?)\n---[ \t]*(?:\r?\n|$)/.exec(source)?.[1] ?? '';
  const cover = /^cover:[ \t]*(\S[^\n]*)$/m.exec(front)?.[1]?.trim();
  const text = withoutCode(source).replace(/^(#{1,6}\s.*?)<a\s+[^>]*><\/a>/gm, '$1');
  // The link below a reference to content only repeats it for readers of the file.
  const own = text.replace(
    /(\{%\s*(?:content-ref|page-ref|openapi[a-z-]*|swagger)\b[\s\S]*?%\})[\s\S]*?\{%\s*end(?:content-ref|page-ref|openapi[a-z-]*|swagger)\s*%\}/g,
    '$1',
  );
  const written = [...tagLinks(own), ...elementLinks(own), ...markdownLinks(own), ...bareLinks(own)];
  return cover === undefined
    ? written
    : [{ address: plain(cover.replace(/^["']|["']$/g, '')), kind: 'link' }, ...written];
}

const latin = (text: string): string => anyAscii(text.replace(/\p{Script=Han}/gu, (sign) => ` ${sign} `));
const letters = (text: string) =>
  latin(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '');

/** The names that links may use for an anchor of a page, each with the one that tells it from others. */
export function anchorsIn(source: string): ReadonlyMap<string, string> {
  const text = withoutBlocks(source);
  const names = new Map<string, string>();
  const taken = new Map<string, number>();
  const add = (title: string, explicit?: string) => {
    const base = letters(explicit ?? title);
    const times = taken.get(base) ?? 0;
    taken.set(base, times + 1);
    const own = times === 0 ? base : `${base}${times}`;
    for (const name of [
      explicit,
      own,
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-'),
    ])
      if (name && !names.has(name)) names.set(name, own);
  };
  const textOf = (title: string) =>
    title
      .replace(/<[^>]*>/g, '')
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[*_`]/g, '');
  for (const [, title = ''] of text.matchAll(/^(?:[\s>]|[*+-] |\d+\. )*#{1,6}[ \t]+(.*)$/gm)) {
    const explicit = /<a\s[^>]*?(?:id|name)="([^"]+)"[^>]*><\/a>/.exec(title)?.[1];
    add(plain(textOf(title)).trim(), explicit);
  }
  for (const [, title = ''] of text.matchAll(/\{%\s*tab\s[^%]*title="([^"]*)"/g)) add(plain(title));
  for (const [, title = ''] of text.matchAll(/<summary>([\s\S]*?)<\/summary>/g)) add(plain(textOf(title)).trim());
  for (const [, title = ''] of text.matchAll(/<h[1-6][^>]*>([\s\S]*?)<\/h[1-6]>/g)) add(plain(textOf(title)).trim());
  return names;
}
