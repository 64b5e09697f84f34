import type { VNode } from 'preact';
import { sign } from '../elements/elements.js';
import type { ScreenRequest } from '../frame/screen.js';
import { isWritable, type Place } from './places.js';

/** The screens of a space, above its pages. */
export function spaceTabs({ to, words, url }: Tabbed, place: Place): VNode {
  const { reading } = words;
  const { space, changeRequest } = place;
  const entry = (href: string, icon: string, title: string) => (
    <li>
      <a href={href} aria-current={url === href ? 'page' : undefined}>
        {sign(icon)} <span>{title}</span>
      </a>
    </li>
  );
  const { id, permissions } = space;
  return (
    <ul class="space-menu">
      {changeRequest
        ? entry(to.changeRequest(id, changeRequest.number), 'code-pull-request', reading.overview)
        : entry(to.space(id), 'book-open', reading.read)}
      {changeRequest &&
        permissions.edit &&
        isWritable(place) &&
        entry(to.tree(id, changeRequest.number), 'sitemap', reading.pages)}
      {!changeRequest && entry(to.changeRequests(id), 'code-pull-request', reading.changeRequests)}
      {entry(to.comments(id, changeRequest?.number ?? null), 'comments', reading.comments)}
      {!changeRequest && entry(to.history(id), 'clock-rotate-left', reading.history)}
      {!changeRequest && permissions.edit && isWritable(place) && entry(to.tree(id, null), 'sitemap', reading.pages)}
      {!changeRequest && permissions.edit && entry(to.imports(id), 'file-import', reading.import)}
      {!changeRequest && permissions.admin && entry(to.publish(id), 'globe', reading.publish)}
      {!changeRequest && permissions.admin && entry(to.access(id), 'user-lock', reading.access)}
      {!changeRequest && permissions.admin && entry(to.settings(id), 'gear', reading.settings)}
    </ul>
  );
}

type Tabbed = Pick<ScreenRequest, 'to' | 'words' | 'url'>;

/** The buttons beside the title of a page. */
export function spaceActions({ to, words }: ScreenRequest, place: Place, path: string | undefined): VNode | null {
  const { space, changeRequest, revision } = place;
  if (!space.permissions.edit || revision !== undefined) return null;
  const { reading } = words;
  const number = changeRequest?.number ?? null;
  if (isWritable(place))
    return path === undefined ? (
      <a class="button primary" href={to.tree(space.id, number)}>
        {sign('sitemap')} {reading.pages}
      </a>
    ) : (
      <a class="button primary" href={to.edit(space.id, number, path)}>
        {sign('pen')} {reading.edit}
      </a>
    );
  if (changeRequest) return null;
  const query = path === undefined ? '?pages' : `?page=${encodeURIComponent(path)}`;
  return (
    <a class="button primary" href={`${to.changeRequests(space.id)}/new${query}`}>
      {sign('pen')} {reading.suggest}
    </a>
  );
}
