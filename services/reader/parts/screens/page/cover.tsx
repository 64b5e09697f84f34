import type { VNode } from 'preact';
import { themedImage } from '../../frame/links.js';
import type { PageModel } from '../../page-model.js';

const step = 5;
/** Pixels of shift for a percent of position; covers are dragged by at most about 200 pixels from their centre. */
const pixelsPerPercent = 4;

/** The class of the vertical position, from `y-0` (top) to `y-100`, in steps of 5. */
export function positionClass(yPos: number): string {
  const percent = Number.isFinite(yPos) ? 50 - yPos / pixelsPerPercent : 50;
  return `y-${Math.round(Math.min(100, Math.max(0, percent)) / step) * step}`;
}

/** The picture above a page. */
export const cover = (
  { yPos, ...image }: NonNullable<PageModel['cover']>,
  { coverSize, coverMask }: Pick<PageModel['layout'], 'coverSize' | 'coverMask'>,
): VNode => (
  <div class={`cover cover-${coverSize}${coverMask === 'radial' ? ' cover-radial' : ''}`}>
    {themedImage(image, '', positionClass(yPos))}
  </div>
);
