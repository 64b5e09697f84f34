import type { VNode } from 'preact';
import { fillIn } from '../../words/languages.js';
import type { SiteModel } from '../page-model.js';
import { link, themedImage } from './links.js';
import { socialLinks } from './social.js';

function legal(site: SiteModel): VNode | null {
  const { words, customization, footer } = site;
  const privacy = customization.privacyPolicy.url;
  if (!footer.copyright && !privacy && !customization.trademark.enabled) return null;
  return (
    <p class="legal">
      {footer.copyright && <span>{footer.copyright}</span>}
      {privacy && link(site, privacy, words.privacyPolicy)}
      {customization.trademark.enabled && <span>{fillIn(words.poweredBy, 'Bindery')}</span>}
    </p>
  );
}

/** The footer of every page; null where the site has nothing to say there. */
export function footer(site: SiteModel): VNode | null {
  const { logo, groups } = site.footer;
  const accounts = socialLinks(site, 'footer');
  const lines = legal(site);
  if (!logo && groups.length === 0 && !accounts && !lines) return null;
  return (
    <footer class="site-footer">
      <div class="footer-row">
        {logo && <div class="footer-logo">{themedImage(logo, site.title, 'logo')}</div>}
        {groups.map(({ title, links }) => (
          <div class="footer-group">
            {title && <p class="footer-title">{title}</p>}
            <ul>
              {links.map((each) => (
                <li>{link(site, each.href, each.title)}</li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      {(accounts || lines) && (
        <div class="footer-end">
          {lines}
          {accounts}
        </div>
      )}
    </footer>
  );
}
