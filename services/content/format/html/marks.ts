/**
 * Places of HTML that depend on more than the document: on the address that a site shows the space at, on its language, on other spaces. A mark is
 * `\u0001`, a letter, what it names, and `\u0002`: characters that HTML has no use for. Whoever fills a mark escapes what it puts there, so that
 * a mark in the text of an author does no harm.
 */
const start = '\u0001';
const end = '\u0002';

const mark = (letter: string, named: string) =>
  `${start}${letter}${named.replaceAll(start, '').replaceAll(end, '')}${end}`;

export const marks = {
  /** In `href`: the address of a page of the space, by its path. */
  page: (path: string, anchor?: string) => mark('p', anchor === undefined ? path : `${path}#${anchor}`),
  /** In `href`, `src` and `srcset`: the address of a file, by its signed path. */
  file: (path: string) => mark('f', path),
  /** In `href`, as the whole value: the address of an outside reference; the attribute is removed where it leads nowhere. */
  outside: (position: number) => mark('o', String(position)),
  /** In text: the title of what an outside reference leads to. */
  outsideTitle: (position: number) => mark('t', String(position)),
  /** In text and attributes: a word of the interface, with what it is about. */
  word: (key: BodyWord, about = '') => mark('w', about === '' ? key : `${key}|${about}`),
  /** In text: a date, ISO 8601, as the language of the site writes it. */
  date: (iso: string) => mark('d', iso),
  /** In `href`: the address of the search of the site for a query. */
  search: (query: string) => mark('s', query),
  /** In text: a late block, as HTML. */
  late: (position: number) => mark('b', String(position)),
  /** In text, at the end of a block: what whoever shows it puts there, by the key of the block. */
  block: (key: string) => mark('k', key),
};

/** Finds the marks of late blocks; the first group is the position. */
export const lateMark = new RegExp(`${start}b(\\d+)${end}`, 'g');

/** Matches one mark. */
export const anyMark = new RegExp(`${start}[^${end}]*${end}`);

/** Matches the mark of a page; the groups are its path, and the anchor with its sign. */
export const pageMark = new RegExp(`^${start}p([^#]*)(#.*)?${end}$`);

/** Words that the HTML of bodies leaves to the language of the site. Those with `|` take what they are about, in place of `{0}`. */
export const bodyWords = [
  'copy',
  'copyLink',
  'info',
  'success',
  'warning',
  'danger',
  'open',
  'download',
  'checked',
  'unchecked',
  'yes',
  'no',
  'rating', // `{0} of 5`, about `3|5` is given as two parts: `{0}` and `{1}`
  'showMore',
  'showLess',
  'footnotes',
  'backToText',
  'table',
  'code',
  'image',
  'zoom',
  'brokenLink',
  'file',
  'updates',
  'filterByTag',
  'allTags',
  'prompt',
  'loadEmbed',
  'embedOf',
  'opensInNewTab',
  'step',
  'mathFormula',
  'diagram',
  'tooLong',
  'askAbout',
  'search',
] as const;
export type BodyWord = (typeof bodyWords)[number] | OpenApiWord;

/** Words of the pages about operations of an API. */
export const openApiWords = [
  'deprecated',
  'required',
  'optional',
  'authorizations',
  'pathParameters',
  'queryParameters',
  'headerParameters',
  'cookieParameters',
  'body',
  'responses',
  'response',
  'webhookBody',
  'example',
  'default',
  'possibleValues',
  'nullable',
  'readOnly',
  'writeOnly',
  'min',
  'max',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
  'oneOf',
  'anyOf',
  'not',
  'additionalProperties',
  'recursive',
  'noContent',
  'headers',
  'properties',
  'callbacks',
  'servers',
  'models',
  'unavailableOperation',
  'unavailableSpecification',
] as const;
type OpenApiWord = (typeof openApiWords)[number];
