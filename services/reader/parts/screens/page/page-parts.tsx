import type { VNode } from 'preact';
import { fillIn } from '../../../words/languages.js';
import { iconStyle, link, safeHref, sign } from '../../frame/links.js';
import { sketch } from '../../frame/menus.js';
import type { PageModel, SiteModel } from '../../page-model.js';

/** The way from the section to the page. */
export function breadcrumbs({ words }: SiteModel, { ancestors }: PageModel): VNode | null {
  if (ancestors.length === 0) return null;
  return (
    <nav class="breadcrumbs" aria-label={words.breadcrumbs}>
      <ol>
        {ancestors.map(({ title, href }) => {
          const address = safeHref(href);
          return <li>{address ? <a href={address}>{title}</a> : <span>{title}</span>}</li>;
        })}
      </ol>
    </nav>
  );
}

export function tags(site: SiteModel, page: PageModel): VNode | null {
  if (page.tags.length === 0) return null;
  return (
    <ul class="tags">
      {page.tags.map(({ label, primary, icon, href }) => (
        <li>
          {link(site, href ?? null, [sign(iconStyle(site), { icon }), <span>{label}</span>], {
            class: primary ? 'tag tag-primary' : 'tag',
          })}
        </li>
      ))}
    </ul>
  );
}

/** The headings of the page, beside it where there is room. */
export function outline({ words }: SiteModel, page: PageModel): VNode | null {
  if (page.outline.length === 0) return null;
  return (
    <nav class="outline" aria-labelledby="page:outline">
      <p id="page:outline" class="outline-title">
        {words.onThisPage}
      </p>
      <ul>
        {page.outline.map(({ id, title, level }) => (
          <li class={`level-${level}`}>
            <a href={`#${encodeURIComponent(id)}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The pages before and after this one. */
export function pagination({ words }: SiteModel, { previous, next }: PageModel): VNode | null {
  const neighbour = (kind: 'previous' | 'next', { title, href }: { title: string; href: string }) => (
    <a class={kind} rel={kind === 'previous' ? 'prev' : 'next'} href={safeHref(href)}>
      <small>{words[kind]}</small>
      <span>{title}</span>
      {sketch(kind === 'previous' ? 'arrow-left' : 'arrow-right', 'flips')}
    </a>
  );
  if (!previous && !next) return null;
  return (
    <nav class="pagination" aria-label={`${words.previous}, ${words.next}`}>
      {previous && neighbour('previous', previous)}
      {next && neighbour('next', next)}
    </nav>
  );
}

const ratings = [
  ['bad', 'feedbackBad', 'face-frown'],
  ['neutral', 'feedbackNeutral', 'face-meh'],
  ['good', 'feedbackGood', 'face-smile'],
] as const;

/** Asks whether the page helped: a form that works without script, too. */
export function feedback({ words, basePath, customization, isCopy }: SiteModel, page: PageModel): VNode | null {
  if (isCopy || !customization.feedback.enabled) return null;
  return (
    <form class="feedback" method="post" action={`${basePath}~feedback`}>
      <input type="hidden" name="page" value={page.id} />
      <fieldset>
        <legend>{words.wasHelpful}</legend>
        {ratings.map(([value, word, icon]) => (
          <button type="submit" name="rating" value={value} class="button">
            {sketch(icon)}
            {words[word]}
          </button>
        ))}
      </fieldset>
      <p role="status" />
    </form>
  );
}

/** When the page changed, and where to change it. */
export function metadata(site: SiteModel, page: PageModel): VNode | null {
  const { words, formatDate, customization } = site;
  const edit = customization.git.showEditLink ? page.edit : undefined;
  if (!page.updatedAt && !edit) return null;
  const [before = '', after = ''] = words.lastUpdated.split('{0}');
  return (
    <p class="metadata">
      {page.updatedAt && (
        <span>
          {before}
          <time datetime={page.updatedAt}>{formatDate(page.updatedAt)}</time>
          {after}
        </span>
      )}
      {edit && link(site, edit.href, [sketch('pen'), <span>{fillIn(words.editOnGit, edit.host)}</span>])}
    </p>
  );
}
