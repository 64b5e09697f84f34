import type { VNode } from 'preact';
import type { OutsideTarget, ShownBody } from '../../content/contract.js';
import { bodyWordsOf, fillMarks, type LanguageAttributes, languageAttributes } from '../../reader/contract.js';
import type { ScreenRequest } from '../frame/screen.js';
import { type Place, pageAddress } from './places.js';

type Filled = Pick<ScreenRequest, 'to' | 'locale'>;

/** The HTML of a body as it stands in a place: its links lead to screens. `block`: HTML at the end of a block, by its key. */
export async function bodyHtml(
  request: Filled,
  place: Place,
  { html, outside }: Pick<ShownBody, 'html' | 'outside'>,
  block?: (key: string) => string,
): Promise<string> {
  return (await openBodyFilling(request, place, { outside, block }))(html);
}

/** The attributes of an element with texts of a space, as on its sites; none where the space names no language. */
export const textLanguage = ({ space }: Place): Partial<LanguageAttributes> =>
  space.language === undefined ? {} : languageAttributes(space.language);

/** For texts of a place: the words that we add to them are in their language. */
export const inTextLanguage = ({ to, locale }: Filled, place: Place): Filled => ({
  to,
  locale: textLanguage(place).lang ?? locale,
});

/** The HTML of a page of a place, as `bodyHtml`, in the language of the page. */
export const pageHtml = (
  request: Filled,
  place: Place,
  body: Pick<ShownBody, 'html' | 'outside'>,
  block?: (key: string) => string,
): Promise<string> => bodyHtml(inTextLanguage(request, place), place, body, block);

interface Filling {
  outside: ShownBody['outside'];
  block?: ((key: string) => string) | undefined;
}

/** What fills the parts of one body, as `bodyHtml` does. */
export async function openBodyFilling(
  request: Filled,
  place: Place,
  { outside, block }: Filling,
): Promise<(html: string) => string> {
  const { to, locale } = request;
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const hash = (anchor: string | undefined) => (anchor ? `#${encodeURI(anchor)}` : '');
  const filling: Parameters<typeof fillMarks>[1] = {
    page: (path, anchor) => pageAddress(request, place, path) + hash(anchor),
    file: (path) => to.root + path,
    outside(position) {
      const target = outside[position];
      return target ? { href: addressOf(request, target), title: target.title ?? '' } : null;
    },
    search: (query) => `${to.search(place.space.organization)}?q=${encodeURIComponent(query)}`,
    ...(block ? { block } : {}),
    words: await bodyWordsOf(locale),
    formatDate: (iso) => dates.format(new Date(iso)),
  };
  return (html) => fillMarks(html, filling);
}

const addressOf = ({ to }: Filled, target: OutsideTarget): string =>
  target.kind === 'url'
    ? target.url
    : to.page(target.space, target.path) + (target.anchor ? `#${encodeURI(target.anchor)}` : '');

/** A body whose HTML content made: every text in it is escaped there. */
export const Body = ({ html }: { html: string }): VNode => (
  <div class="page-body body" dangerouslySetInnerHTML={{ __html: html }} />
);
