import type { VNode } from 'preact';
import { specText } from '../openapi/spec-values.js';
import { safeSource } from '../openapi/web-addresses.js';

/** HTML of something that may show frames, with their origins for the security policy of the page. */
export interface FramedHtml {
  html: string;
  frames: string[];
}

/** Rights of a frame; it can never leave the page that shows it. */
const playerRights =
  'allow-forms allow-popups allow-popups-to-escape-sandbox allow-presentation allow-same-origin allow-scripts';
const integrationRights = 'allow-scripts allow-forms allow-popups';

interface Frame {
  src: unknown;
  title: string;
  /** Of its size. */
  className: string;
  /** A frame of an integration has an origin of its own. */
  isIsolated: boolean;
}

/** A frame of a page of another site, whose origin is added to `frames`; null for an address that is not https. */
export function frame({ src, title, className, isIsolated }: Frame, frames: Set<string>): VNode | null {
  const address = safeSource(src);
  if (address === undefined) return null;
  const { origin, hostname } = new URL(address);
  frames.add(origin);
  return (
    <iframe
      class={`web-frame ${className}`}
      src={address}
      title={specText(title).trim() || hostname}
      sandbox={isIsolated ? integrationRights : playerRights}
      allow={
        isIsolated
          ? 'clipboard-write; fullscreen'
          : 'autoplay; clipboard-write; encrypted-media; fullscreen; picture-in-picture'
      }
      allowFullScreen
      loading="lazy"
      referrerpolicy="strict-origin-when-cross-origin"
    />
  );
}
