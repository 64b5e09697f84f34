import type { VNode } from 'preact';
import type { Choice, SectionGroup, SiteModel, Variant } from '../page-model.js';
import { iconStyle, link, safeHref, sign } from './links.js';
import { menu } from './menus.js';

const isGroup = (entry: Choice | SectionGroup): entry is SectionGroup => 'sections' in entry;

const choiceLink = (site: SiteModel, choice: Choice, withDescription = false) =>
  link(
    site,
    choice.href,
    [
      sign(iconStyle(site), choice),
      <span>
        {choice.title}
        {withDescription && choice.description && <small>{choice.description}</small>}
      </span>,
    ],
    { current: choice.active ? 'true' : undefined },
  );

const choiceList = (site: SiteModel, choices: Choice[], withDescription = false): VNode => (
  <ul>
    {choices.map((choice) => (
      <li>{choiceLink(site, choice, withDescription)}</li>
    ))}
  </ul>
);

const signed = (site: SiteModel, { title, icon }: SectionGroup) => [
  sign(iconStyle(site), { icon }),
  <span>{title}</span>,
];

const hasActive = (group: SectionGroup) => group.sections.some(({ active }) => active);

/** The row of sections below the header. */
export function sectionTabs(site: SiteModel): VNode | null {
  if (site.sections.length < 2) return null;
  return (
    <nav class="section-tabs" aria-label={site.words.sections}>
      <ul>
        {site.sections.map((entry) => (
          <li class={isGroup(entry) && hasActive(entry) ? 'active' : undefined}>
            {isGroup(entry)
              ? menu({ face: signed(site, entry), group: 'header' }, choiceList(site, entry.sections, true))
              : choiceLink(site, entry)}
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The sections again, as a list for narrow screens. */
export function sectionList(site: SiteModel): VNode | null {
  if (site.sections.length < 2) return null;
  const all = site.sections.flatMap((entry) => (isGroup(entry) ? entry.sections : [entry]));
  const active = all.find((choice) => choice.active);
  return (
    <details class="sidebar-choice">
      <summary>{active?.title ?? site.words.sections}</summary>
      {choiceList(site, all)}
    </details>
  );
}

const variantLink = (site: SiteModel, variant: Variant) => (
  <a
    href={safeHref(variant.href)}
    hreflang={variant.lang}
    lang={variant.lang}
    aria-current={variant.active ? 'true' : undefined}
  >
    {sign(iconStyle(site), variant)}
    <span>{variant.title}</span>
  </a>
);

/** Chooses among the site spaces of a section: versions, or languages where each of them names one. */
export function variantMenu(site: SiteModel, className: string): VNode | null {
  const { variants, words } = site;
  if (variants.length < 2) return null;
  const label = variants.every(({ lang }) => lang !== undefined) ? words.languageChoice : words.variantChoice;
  const active = variants.find((variant) => variant.active);
  const face = [<span class="visually-hidden">{label}: </span>, <span>{active?.title ?? label}</span>];
  return menu(
    { face, class: className, group: 'header' },
    <ul>
      {variants.map((variant) => (
        <li>{variantLink(site, variant)}</li>
      ))}
    </ul>,
  );
}
