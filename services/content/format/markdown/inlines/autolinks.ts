import type { Inline } from '../syntax.js';

const START = /https?:\/\/|www\.|@/gi;
// Full-width punctuation also ends an address: Chinese and Japanese text has no space after it.
const URL_BODY = /[^\s<\u3000-\u303f\uff00-\uffef]*/y;
const DOMAIN = /^[\w-]+(?:\.[\w-]+)*/;
const LOCAL_PART = /[\w.+-]{1,64}$/;
const MAIL_DOMAIN = /[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63}){1,20}/y;

/** Adds text to `out`, bare `https://…`, `www.…` and mail addresses as links (GFM). */
export function addWithAutolinks(text: string, out: Inline[]): void {
  let from = 0;
  START.lastIndex = 0;
  const { length } = text;
  for (let found = START.exec(text); found; found = START.exec(text)) {
    const link = found[0] === '@' ? mailAddressAt(text, found.index, from) : webAddressAt(text, found.index, found[0]);
    if (!link) continue;
    if (link.from > from) out.push({ kind: 'text', value: text.slice(from, link.from) });
    const value = text.slice(link.from, link.to);
    out.push({ kind: 'link', url: link.prefix + value, title: '', children: [{ kind: 'text', value }] });
    from = link.to;
    START.lastIndex = from;
  }
  if (from < length) out.push({ kind: 'text', value: text.slice(from) });
}

interface Found {
  from: number;
  to: number;
  prefix: string;
}

function webAddressAt(text: string, at: number, start: string): Found | undefined {
  const www = start.toLowerCase() === 'www.';
  const before = text[at - 1];
  if (before !== undefined && (www ? !/[\s*_~(]/.test(before) : /[A-Za-z0-9]/.test(before))) return undefined;
  URL_BODY.lastIndex = at;
  const to = endWithoutPunctuation(text, at, at + (URL_BODY.exec(text)?.[0].length ?? 0));
  const domain = DOMAIN.exec(text.slice(www ? at : at + start.length, to))?.[0];
  if (!domain || (www && !domain.includes('.', 4))) return undefined;
  return { from: at, to, prefix: www ? 'http://' : '' };
}

/** The end of an address, without the punctuation of the surrounding sentence. */
function endWithoutPunctuation(text: string, from: number, to: number): number {
  let end = to;
  let parentheses: number | undefined;
  for (; end > from; end--) {
    const char = text[end - 1] ?? '';
    if (char === ')') {
      parentheses ??= parenthesisBalance(text, from, end);
      if (parentheses >= 0) return end;
      parentheses++;
    } else if (char === ';') {
      const entity = /&[A-Za-z0-9]{1,32};$/.exec(text.slice(Math.max(from, end - 34), end));
      if (entity) end -= entity[0].length - 1;
    } else if (!/[?!.,:*_~'"]/.test(char)) return end;
  }
  return end;
}

/** The number of opening minus closing parentheses. */
function parenthesisBalance(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) {
    if (text[at] === '(') count++;
    else if (text[at] === ')') count--;
  }
  return count;
}

function mailAddressAt(text: string, at: number, floor: number): Found | undefined {
  const local = LOCAL_PART.exec(text.slice(Math.max(floor, at - 65), at))?.[0];
  MAIL_DOMAIN.lastIndex = at + 1;
  const domain = MAIL_DOMAIN.exec(text)?.[0];
  if (!local || !domain || /[-_]$/.test(domain)) return undefined;
  return { from: at - local.length, to: at + 1 + domain.length, prefix: 'mailto:' };
}
