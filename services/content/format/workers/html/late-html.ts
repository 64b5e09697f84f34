import { renderContentKit } from '../../html/content-kit/render-content-kit.js';
import { renderEmbed } from '../../html/embeds/render-embed.js';

/** A block whose content is known by now. */
export type LateReading =
  | { kind: 'embed'; embed: Parameters<typeof renderEmbed>[0]; url: string; fullWidth: boolean }
  | { kind: 'element'; output: unknown; prefix: string };

/** A block as HTML, with the origins of the frames in it. */
export interface LateHtml {
  html: string;
  frames: string[];
}

export const lateHtml = (blocks: LateReading[]): LateHtml[] =>
  blocks.map((block) =>
    block.kind === 'embed'
      ? renderEmbed(block.embed, { url: block.url, fullWidth: block.fullWidth, clickToLoad: true })
      : renderContentKit(block.output, { prefix: block.prefix }),
  );
