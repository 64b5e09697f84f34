import type { VNode } from 'preact';
import { iconSvg } from '../../../../shared/icons/icons.js';
import type { SiteModel } from '../page-model.js';
import { link } from './links.js';

/** The icon of a platform, or its name where there is none. */
const face = (platform: string, title: string) => {
  const icon = iconSvg(platform === 'twitter' ? 'x-twitter' : platform, 'solid');
  return [icon, <span class={icon ? 'visually-hidden' : undefined}>{title}</span>];
};

/** The accounts of the site that are shown at a place. */
export function socialLinks(site: SiteModel, place: 'header' | 'footer'): VNode | null {
  const shown = site.socialAccounts.filter(({ inHeader, inFooter }) => (place === 'header' ? inHeader : inFooter));
  if (shown.length === 0) return null;
  return (
    <ul class="social">
      {shown.map(({ platform, title, href }) => (
        <li>{link(site, href, face(platform, title), { class: 'icon-button' })}</li>
      ))}
    </ul>
  );
}
