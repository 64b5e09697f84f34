import { iconSvg } from '../../../../../shared/icons/icons.js';
import type { BlockNode } from '../../document/document-model.js';
import { emojiCharacter } from '../../markdown/emoji.js';
import { titleOfTarget, wrapInLink } from '../inlines/inlines.js';
import { linkTargetOf, type ResolvedLink } from '../links.js';
import { marks } from '../marks.js';
import { readFields, textIn } from '../read-data.js';
import type { ShownFile } from '../rendered-body.js';
import type { Child, Rendering } from '../rendering.js';
import { renderCaption } from './figures.js';

/** A card that leads to a page, to a file or to something out of the space. */
export function renderContentRef(rendering: Rendering, node: BlockNode): Child {
  const target = linkTargetOf(rendering, readFields(node.data).ref);
  if (target.kind === 'none') return null;
  const description = target.kind === 'page' ? textIn(target.page.description) : '';
  const title = target.kind === 'page' ? textIn(target.page.title) : titleOfTarget(rendering, target);
  return wrapInLink(
    target,
    [
      <span class="card-sign">{signOf(rendering, target)}</span>,
      <span class="card-text">
        <span class="card-title">{title}</span>
        {target.kind === 'page' && target.anchor !== undefined ? <span class="card-note">#{target.anchor}</span> : null}
        {description === '' ? null : <span class="card-note">{description}</span>}
      </span>,
    ],
    'ref-card',
  );
}

function signOf(rendering: Rendering, target: ResolvedLink): Child {
  if (target.kind === 'url') return iconSvg('arrow-up-right-from-square', rendering.icons);
  if (target.kind === 'broken') return iconSvg('link-slash', rendering.icons);
  if (target.kind !== 'page') return iconSvg(target.kind === 'file' ? fileIcon(target.file) : 'link', rendering.icons);
  const { emoji, icon } = target.page;
  if (emoji !== undefined) return emojiCharacter(textIn(emoji));
  return iconSvg(textIn(icon), rendering.icons) ?? iconSvg('file-lines', rendering.icons);
}

/** A file with its name and size, to open or to download. */
export function renderFile(rendering: Rendering, node: BlockNode): Child {
  const target = linkTargetOf(rendering, readFields(node.data).ref);
  const caption = renderCaption(rendering, node);
  if (target.kind !== 'file')
    return (
      <figure class="file">
        {wrapInLink(target.kind === 'none' ? { kind: 'broken' } : target, titleOfFile(rendering, target), 'ref-card')}
        {caption}
      </figure>
    );
  const { file, href } = target;
  const name = textIn(file.name);
  return (
    <figure class="file">
      <div class="ref-card">
        <span class="card-sign">{iconSvg(fileIcon(file), rendering.icons)}</span>
        <span class="card-text">
          <a class="card-title" href={href}>
            {name}
          </a>
          <span class="card-note">
            {[sizeText(file.size), extensionOf(name).toUpperCase()].filter(Boolean).join(' · ')}
          </span>
        </span>
        <a class="download" href={href} download={name} aria-label={marks.word('download')}>
          {iconSvg('download', rendering.icons)}
        </a>
      </div>
      {caption}
    </figure>
  );
}

const titleOfFile = (rendering: Rendering, target: ResolvedLink): Child =>
  target.kind === 'none' || target.kind === 'broken' ? marks.word('file') : titleOfTarget(rendering, target);

const extensionOf = (name: string) => /\.([a-z0-9]{1,8})$/i.exec(name)?.[1] ?? '';

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

/** `1.2 MB`; empty for an unknown size. */
function sizeText(bytes: unknown): string {
  if (typeof bytes !== 'number' || !(bytes >= 0)) return '';
  let [size, unit] = [bytes, 0];
  for (; size >= 1000 && unit < units.length - 1; unit++) size /= 1000;
  return `${size < 10 && unit > 0 ? Math.round(size * 10) / 10 : Math.round(size)} ${units[unit]}`;
}

const icons: [types: RegExp, icon: string][] = [
  [/^image\//, 'file-image'],
  [/^video\//, 'file-video'],
  [/^audio\//, 'file-audio'],
  [/pdf/, 'file-pdf'],
  [/zip|compressed|tar|gzip/, 'file-zipper'],
  [/spreadsheet|excel/, 'file-excel'],
  [/csv/, 'file-csv'],
  [/presentation|powerpoint/, 'file-powerpoint'],
  [/wordprocessing|msword/, 'file-word'],
  [/json|javascript|xml|html|yaml/, 'file-code'],
];

const fileIcon = ({ contentType }: ShownFile): string =>
  icons.find(([types]) => types.test(textIn(contentType)))?.[1] ?? 'file-lines';
