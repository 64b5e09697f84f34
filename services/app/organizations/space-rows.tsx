import type { VNode } from 'preact';
import type { Space } from '../../content/resources.js';
import { Emblem, Row, Time } from '../elements/elements.js';
import type { ScreenRequest } from '../frame/screen.js';
import { fill } from '../words/languages.js';

export const spaceRow = (
  { to, words, locale }: Pick<ScreenRequest, 'to' | 'words' | 'locale'>,
  { id, title, emoji, updatedAt }: Space,
): VNode => (
  <Row
    href={to.space(id)}
    title={title}
    lead={<Emblem emoji={emoji} fallback="book" />}
    about={
      <>
        {fill(words.home.changedAt, '')} <Time iso={updatedAt} locale={locale} short />
      </>
    }
  />
);

export const newestFirst = (a: Space, b: Space): number => (a.updatedAt < b.updatedAt ? 1 : -1);
