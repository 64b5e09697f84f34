import type { VNode } from 'preact';
import type { Words } from '../words/words.js';

interface WebAddressProps {
  href: string;
  words: Pick<Words, 'frame'>;
  /** Others open it, and it means nothing to the person who is signed in: it is no link. */
  forOthers?: boolean;
}

/** An address to open, and to copy by one press where the browser has scripts. */
export const WebAddress = ({ href, words: { frame }, forOthers }: WebAddressProps): VNode => (
  <span class="web-address">
    {forOthers ? (
      <code>{href}</code>
    ) : (
      <a href={href} dir="ltr">
        {href}
      </a>
    )}
    <button type="button" class="button plain" hidden data-copy={href} data-copied={frame.copied}>
      {frame.copy}
    </button>
  </span>
);
