import { toDocument } from '../document.js';
import type { Mark, Resolve } from '../document-model.js';

export const resolve: Resolve = (url, kind) => {
  if (/^(?:https?|mailto|javascript):/.test(url)) return undefined;
  if (kind === 'include') return { kind: 'reusable-content', reusableContent: url };
  if (kind === 'openapi') return { kind: 'openapi', spec: url };
  if (kind === 'file' || kind === 'image') return { kind: 'file', file: url };
  return url.startsWith('#') ? { kind: 'anchor', anchor: url.slice(1) } : { kind: 'page', page: url };
};

/** Without the fields that say the same on every node, so that a row of the table fits a few lines. */
export function short(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(short);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !['key', 'object', 'isVoid'].includes(key));
  return Object.fromEntries(entries.map(([key, inner]) => [key, short(inner)]));
}

export const read = (source: string) => short(toDocument(source, resolve).nodes);
export const leaf = (text: string, ...marks: (Mark['type'] | object)[]) => ({
  text,
  marks: marks.map((mark) => (typeof mark === 'string' ? { type: mark } : mark)),
});
export const t = (...leaves: (string | object)[]) => ({
  leaves: leaves.map((entry) => (typeof entry === 'string' ? leaf(entry) : entry)),
});
export const b = (type: string, data: object, nodes?: unknown[], rest: object = {}) => ({
  type,
  data,
  ...(nodes && { nodes }),
  ...rest,
});
export const p = (...nodes: (string | object)[]) =>
  b(
    'paragraph',
    {},
    nodes.map((node) => (typeof node === 'string' ? t(node) : node)),
  );
export const part = (type: string, ...nodes: object[]) => ({ fragment: type, type, nodes });
export const line = (text: string, data = {}) => b('code-line', data, [t(text)]);
export const file = (name: string) => ({ kind: 'file', file: name });
export const page = (name: string) => ({ kind: 'page', page: name });
export const url = (to: string) => ({ kind: 'url', url: to });
export const h = (level: number, text: string, id: string, data = {}) =>
  b(`heading-${level}`, data, [t(text)], { meta: { id } });

/** The name of a case, the source of a page, and the nodes that it becomes. */
export type Row = [name: string, source: string, expected: unknown];
