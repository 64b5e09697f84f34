import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';
import type { ComponentChild, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { marks } from '../marks.js';
import { specText } from '../openapi/spec-values.js';
import { safeLink, safeSource } from '../openapi/web-addresses.js';
import { type FramedHtml, frame } from './frame.js';
import { heightClass, ratioClass } from './ratios.js';

/** The content of an embedded address, as the embeds of `reading` answer it. */
export interface ShownEmbed {
  type: string;
  title: string;
  /** The name of the site, or its host. */
  site: string;
  url?: string | undefined;
  /** One `<iframe>`, for `rich`. */
  html?: string | undefined;
  icon?: string | undefined;
}

interface EmbedOptions {
  /** The embedded address. */
  url: string;
  fullWidth: boolean;
  /** Nothing is loaded from the other site before the reader asks for it. */
  clickToLoad: boolean;
}

/** Renders an embed: a frame, or a card that links to the address. Never throws. */
export function renderEmbed(embed: ShownEmbed, { url, fullWidth, clickToLoad }: EmbedOptions): FramedHtml {
  const frames = new Set<string>();
  const shown = (embed.type === 'rich' && player(embed, frames)) || null;
  const wide = fullWidth ? ' wide' : '';
  const html = renderToString(
    shown === null ? (
      card(embed, { url, wide, withIcon: !clickToLoad })
    ) : (
      <div class={`embed${wide}`}>{clickToLoad ? gate(embed, shown) : shown}</div>
    ),
  );
  return { html, frames: [...frames] };
}

/** A lazy frame in a closed part is not loaded. */
const gate = ({ title, site }: ShownEmbed, shown: ComponentChild): ComponentChild => (
  <details class="embed-gate">
    <summary>
      <span class="embed-load">{marks.word('loadEmbed')}</span> <span class="embed-title">{specText(title)}</span>{' '}
      <span class="embed-site">{specText(site)}</span>
    </summary>
    {shown}
  </details>
);

interface CardOptions {
  url: string;
  /** A class. */
  wide: string;
  withIcon: boolean;
}

function card({ title, site, icon, url }: ShownEmbed, { url: address, wide, withIcon }: CardOptions): VNode {
  const href = safeLink(url) ?? safeLink(address);
  const image = withIcon ? safeSource(icon) : undefined;
  const content = (
    <>
      {image === undefined ? null : (
        <img class="embed-icon" src={image} alt="" width={20} height={20} loading="lazy" decoding="async" />
      )}
      <span class="embed-title">{specText(title).trim() || specText(address)}</span>
      <span class="embed-site">{specText(site)}</span>
    </>
  );
  if (href === undefined) return <div class={`embed-card${wide}`}>{content}</div>;
  return (
    <a class={`embed-card external${wide}`} href={href} rel="noopener">
      {content}
    </a>
  );
}

type Parsed = DefaultTreeAdapterMap['childNode'];

/** The one frame in the HTML of an embed, made anew: nothing else of that HTML is shown. */
function player({ html, title, site }: ShownEmbed, frames: Set<string>): ComponentChild {
  const nodes: Parsed[] = parseFragment((html ?? '').slice(0, maxHtmlLength)).childNodes;
  const found = nodes.find((node) => node.nodeName === 'iframe');
  if (!found || !('attrs' in found)) return null;
  const attributes = new Map(found.attrs.map(({ name, value }) => [name, value]));
  const height = pixels(attributes.get('height'));
  const width = pixels(attributes.get('width'));
  const className =
    width !== undefined && height !== undefined
      ? ratioClass(width / height)
      : height !== undefined
        ? heightClass(height)
        : ratioClass(undefined);
  const named = specText(attributes.get('title')).trim() || specText(title).trim() || specText(site);
  return frame({ src: attributes.get('src'), title: named, className, isIsolated: false }, frames);
}

/** Characters. */
const maxHtmlLength = 20_000;

const pixels = (size: string | undefined): number | undefined =>
  /^[1-9]\d{0,3}(?:px)?$/.test(size ?? '') ? Number.parseInt(size ?? '', 10) : undefined;
