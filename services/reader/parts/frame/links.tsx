import type { ComponentChildren, VNode } from 'preact';
import { iconSvg } from '../../../../shared/icons/icons.js';
import { emojiText } from '../../style/favicon.js';
import type { SiteModel, ThemedAddress } from '../page-model.js';

const schemes = /^(?:https?|mailto|tel):/i;
const anyScheme = /^[a-z][a-z0-9+.-]*:/i;

/** An address that may stand in `href`; undefined for one of a scheme that runs or opens something else, such as `javascript:`. */
export function safeHref(href: string | null | undefined): string | undefined {
  if (!href) return undefined;
  // Browsers skip these signs before and within a scheme.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
  const seen = href.replace(/[\u0000-\u0020]/g, '');
  return seen !== '' && (schemes.test(seen) || !anyScheme.test(seen)) ? href : undefined;
}

const isOutside = (href: string) => /^(?:https?:)?\/\//i.test(href);

interface LinkOptions {
  class?: string;
  /** Marks the entry that is shown. */
  current?: 'page' | 'true';
}

/** A link as the site wants links that lead out of it; plain text where the address is not safe. */
export function link(
  site: SiteModel,
  href: string | null,
  content: ComponentChildren,
  options: LinkOptions = {},
): VNode {
  const address = safeHref(href);
  if (address === undefined) return <span class={options.class}>{content}</span>;
  const outside = isOutside(address);
  const opensTab = outside && site.customization.externalLinks.target === 'blank';
  return (
    <a
      href={address}
      class={options.class}
      rel={outside ? 'noopener' : undefined}
      target={opensTab ? '_blank' : undefined}
      aria-current={options.current}
    >
      {content}
      {opensTab && <span class="visually-hidden"> {site.words.opensInNewTab}</span>}
    </a>
  );
}

export const iconStyle = (site: Pick<SiteModel, 'customization'>) =>
  site.customization.styling.icons === 'solid' ? 'solid' : 'regular';

/** The emoji or the icon of a page or a section; null where it has neither. */
export function sign(style: 'regular' | 'solid', { emoji, icon }: { emoji?: string; icon?: string }): VNode | null {
  if (emoji)
    return (
      <span class="emoji" aria-hidden="true">
        {emojiText(emoji)}
      </span>
    );
  return icon ? iconSvg(icon, style) : null;
}

/** An image that differs in dark surroundings. */
export function themedImage(image: ThemedAddress, alt: string, className: string): VNode[] {
  const [light, dark] = [safeHref(image.light), safeHref(image.dark)];
  const shown = (src: string, only: string, text: string) => <img class={`${className}${only}`} src={src} alt={text} />;
  if (light === undefined) return [];
  if (dark === undefined || dark === light) return [shown(light, '', alt)];
  return [shown(light, ' only-light', alt), shown(dark, ' only-dark', alt)];
}
