import type { IntegrationBlock } from '../catalogue/resources.js';

/** Steps that one question may take, all patterns together: some 20 ms. */
const maxSteps = 4_000_000;
const star = 0x2a;

/** A pattern of URLs: `*` stands for anything but a separator (`.` in a host, `/` in a path), `**` for anything, and so does the last `*` of a path. */
interface Pattern {
  scheme: string;
  host: string;
  path: string;
}

function parsePattern(text: string): Pattern {
  const [, scheme = '*', host = '', path = ''] = /^(?:(https?|\*):\/\/)?([^/?#]*)(.*)$/is.exec(text) ?? [];
  return { scheme: scheme.toLowerCase(), host: host.toLowerCase(), path: (path || '/').replace(/\*$/, '**') };
}

/** Whether a text matches a pattern of these wildcards, in steps that grow with the product of their lengths. */
function matchesPattern(pattern: string, text: string, separator: string): boolean {
  // Places of the pattern that the text so far may lead to.
  let reached = new Uint8Array(pattern.length + 1);
  reached[0] = 1;
  passStars(pattern, reached);
  for (const sign of text) {
    const next = new Uint8Array(pattern.length + 1);
    let isAlive = false;
    for (let at = 0; at < pattern.length; at++) {
      if (!reached[at]) continue;
      const isStar = pattern.charCodeAt(at) === star;
      const stays = isStar && (sign !== separator || isDouble(pattern, at));
      if (stays) next[at] = 1;
      else if (!isStar && pattern.startsWith(sign, at)) next[at + sign.length] = 1;
      else continue;
      isAlive = true;
    }
    if (!isAlive) return false;
    passStars(pattern, next);
    reached = next;
  }
  return reached[pattern.length] === 1;
}

const isDouble = (pattern: string, at: number) =>
  pattern.charCodeAt(at + 1) === star || (at > 0 && pattern.charCodeAt(at - 1) === star);

/** A star may also stand for nothing. */
function passStars(pattern: string, reached: Uint8Array): void {
  for (let at = 0; at < pattern.length; at++) if (reached[at] && pattern.charCodeAt(at) === star) reached[at + 1] = 1;
}

/** Finds which patterns match one URL, with or without its query. Says no when it has taken too many steps. */
export function urlMatcher(address: string): (pattern: string) => boolean {
  // Whatever a page embeds is asked for.
  if (!URL.canParse(address)) return () => false;
  const { protocol, hostname, pathname, search } = new URL(address);
  const paths = search === '' ? [pathname] : [pathname, pathname + search];
  let steps = 0;
  const matchesWithin = (pattern: string, text: string, separator: string): boolean => {
    const prefix = pattern.slice(0, (pattern.indexOf('*') + 1 || pattern.length + 1) - 1);
    if (!text.startsWith(prefix)) return false;
    if (prefix.length === pattern.length) return text.length === prefix.length;
    steps += pattern.length * text.length;
    return steps <= maxSteps && matchesPattern(pattern, text, separator);
  };
  return (text) => {
    const { scheme, host, path } = parsePattern(text);
    if (scheme !== '*' && `${scheme}:` !== protocol) return false;
    return matchesWithin(host, hostname, '.') && paths.some((each) => matchesWithin(path, each, '/'));
  };
}

/** The first block that unfurls a URL. */
export const findBlock = (blocks: readonly IntegrationBlock[], isMatch: (pattern: string) => boolean) =>
  blocks.find(({ urlUnfurl = [] }) => urlUnfurl.some(isMatch));
