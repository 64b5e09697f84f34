import type { ComponentChildren, VNode } from 'preact';
import { iconSvg } from '../../../shared/icons/icons.js';

/** A sign from the set of icons; it says nothing that words beside it do not. */
export const sign = (name: string): VNode | null => iconSvg(name, 'solid', 'sign');

/** A moment, as people of a language write it. */
export function Time({ iso, locale, short }: { iso: string; locale: string; short?: boolean }): VNode {
  const style = short ? { dateStyle: 'medium' } : { dateStyle: 'medium', timeStyle: 'short' };
  const text = new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' } as Intl.DateTimeFormatOptions).format(
    new Date(iso),
  );
  return <time dateTime={iso}>{text}</time>;
}

type NoticeKind = 'info' | 'success' | 'warning' | 'danger';

/** Says something about the screen; what went wrong is read out at once. */
export const Notice = ({ kind = 'info', children }: { kind?: NoticeKind; children: ComponentChildren }): VNode => (
  <div class={`notice ${kind}`} role={kind === 'danger' || kind === 'warning' ? 'alert' : 'status'}>
    {children}
  </div>
);

/** The heading of a screen, with what can be done there beside it. */
export const Heading = ({ title, lead, actionsLang, children }: HeadingProps): VNode => (
  <header class="screen-heading">
    <div>
      <h1>{title}</h1>
      {lead && <p class="lead-text">{lead}</p>}
    </div>
    {children && (
      <div class="actions" lang={actionsLang}>
        {children}
      </div>
    )}
  </header>
);

interface HeadingProps {
  title: ComponentChildren;
  lead?: ComponentChildren;
  /** Where the title is in another language than the screen: that of the screen. */
  actionsLang?: string;
  children?: ComponentChildren;
}

/** A part of a screen with a heading of its own. */
export const Section = ({ title, id, children }: SectionProps): VNode => (
  <section class="section" aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
);

interface SectionProps {
  title: ComponentChildren;
  id: string;
  children: ComponentChildren;
}

/** Stands where a list has nothing. */
export const Empty = ({ children }: { children: ComponentChildren }): VNode => <p class="empty">{children}</p>;

interface RowsProps {
  /** Names the list for those who do not see it. */
  label: string;
  children: ComponentChildren;
}

/** A list of things, a row each. */
export const Rows = ({ label, children }: RowsProps): VNode => (
  // biome-ignore lint/a11y/noRedundantRoles: a list without bullets is none for some browsers.
  <ul class="rows" role="list" aria-label={label}>
    {children}
  </ul>
);

interface RowProps {
  href?: string;
  title: ComponentChildren;
  /** In small letters below. */
  about?: ComponentChildren;
  lead?: ComponentChildren;
  class?: string;
  children?: ComponentChildren;
}

/** One thing of a list: where it leads, and what can be done with it. */
export const Row = ({ href, title, about, lead, class: kind = '', children }: RowProps): VNode => (
  <li class={`row ${kind}`}>
    {lead && (
      <span class="row-lead" aria-hidden="true">
        {lead}
      </span>
    )}
    <div class="row-text">
      <p class="row-title">{href === undefined ? <bdi>{title}</bdi> : <a href={href}>{title}</a>}</p>
      {about && <p class="row-about">{about}</p>}
    </div>
    {children && <div class="actions">{children}</div>}
  </li>
);

interface MenuProps {
  label: ComponentChildren;
  /** Names the button where its label is a sign. */
  name?: string;
  class?: string;
  /** The class of the button. */
  button?: string;
  /** Stands open: the form in it was refused. */
  open?: boolean;
  children: ComponentChildren;
}

/** A list that opens below a button, without a script too. */
export const Menu = ({ label, name, class: kind = '', button = 'button', open, children }: MenuProps): VNode => (
  <details class={`menu ${kind}`} open={open}>
    <summary class={button} aria-label={name}>
      {label}
    </summary>
    <div class="menu-body">{children}</div>
  </details>
);

interface PagerProps {
  /** The address of the further entries. */
  next: string | undefined;
  text: string;
}

/** Leads to the further entries of a list. */
export const Pager = ({ next, text }: PagerProps): VNode | null =>
  next === undefined ? null : (
    <p class="pager">
      <a class="button" href={next} rel="next">
        {text}
      </a>
    </p>
  );

interface EmblemProps {
  emoji?: string | undefined;
  icon?: string | undefined;
  fallback: string;
}

/** The sign of a space or a page: its emoji, its icon, else a common one. */
export function Emblem({ emoji, icon, fallback }: EmblemProps): VNode {
  const character = emoji && characterOf(emoji);
  return (
    <span class="emblem" aria-hidden="true">
      {character || (icon && sign(icon)) || sign(fallback)}
    </span>
  );
}

/** An emoji as a character: the API also names it by its code points. */
export function characterOf(emoji: string): string {
  if (!/^[0-9a-f]{2,6}(-[0-9a-f]{1,6}){0,20}$/i.test(emoji)) return emoji;
  const points = emoji.split('-').map((point) => Number.parseInt(point, 16));
  return points.every((point) => point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff))
    ? String.fromCodePoint(...points)
    : emoji;
}
