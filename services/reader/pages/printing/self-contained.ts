import type { ContentCaller } from '../../../../shared/contract/caller.js';
import { documentPolicy } from '../../../../shared/pdf/pdf-maker.js';
import { isTurnOver, nextTurn } from '../../../../shared/work/slices.js';
import type { OpenSite } from '../../site/open-site.js';
import type { ReaderDependencies } from '../../site/reader-context.js';
import { themeSheet } from '../../style/theme-sheet.js';
import { neededFonts } from './needed-fonts.js';
import { readPictures } from './pictures.js';

interface Contained {
  visitor: ContentCaller;
  site: OpenSite;
  /** The base of the addresses in the document. */
  origin: string;
  rootPath: string;
}

/** An attribute may hold a `>`. */
const attributes = '(?:"[^"]*"|[^">])*';
const replaced = new RegExp(
  [
    `<img\\b(${attributes})>`,
    `<iframe\\b(${attributes})>(?:</iframe>)?`,
    `<(?:source|link|script)\\b${attributes}>(?:[^<]*</script>)?`,
    ' href="(/[^"]*)"',
  ].join('|'),
  'g',
);

/** For a PDF: what is said of addresses on paper is said by its links. */
const pdfCss =
  '@page{size:A4}main a[href^="http"]::after{content:none!important}img:not([data-picture],[src]){display:inline;inline-size:auto;block-size:auto}';

/**
 * A document for printing with all that it shows in it: stylesheets, the fonts that its text needs, pictures of the site. Pictures of others are
 * replaced by their texts, and what plays by a link to it. Its links are absolute.
 */
export async function selfContained(deps: ReaderDependencies, html: string, contained: Contained): Promise<string> {
  const { site, origin, rootPath, visitor } = contained;
  const numbers = new Map<string, number>();
  const pictureOf = (src: string): number | undefined => {
    const path = filePath(src, { origin, rootPath });
    if (path === undefined) return undefined;
    const number = numbers.get(path) ?? numbers.size;
    numbers.set(path, number);
    return number;
  };
  const bodyStart = html.indexOf('<body');
  const body: string[] = [];
  for (const part of html.slice(bodyStart).split(/(?=<article )/)) {
    if (isTurnOver()) await nextTurn();
    body.push(
      part.replace(replaced, (whole, image, frame, href) =>
        replacement({ whole, image, frame, href, origin, pictureOf }),
      ),
    );
  }
  const pictures = await readPictures(() => deps.callAs(visitor), [...numbers.keys()]);
  const rules = pictures.map((data, number) =>
    data === null ? '' : `img[data-picture="${number}"]{content:url("${data}")}`,
  );
  const styles = [await neededFonts(deps.assets, body), themeSheet(site.model.customization).css, pdfCss, ...rules];
  const [start = ''] = html.split('<head', 1);
  const [title = ''] = /<title>[^<]*<\/title>/.exec(html.slice(0, bodyStart)) ?? [];
  const head = `<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${documentPolicy}">${title}`;
  return [
    start,
    head,
    ...styles.map((css) => `<style>${css.replaceAll('</', '<\\/')}</style>`),
    '</head>',
    ...body,
  ].join('');
}

interface Found {
  whole: string;
  /** The attributes of an image, of a frame, the address of a link. */
  image: string | undefined;
  frame: string | undefined;
  href: string | undefined;
  origin: string;
  pictureOf: (src: string) => number | undefined;
}

function replacement({ whole, image, frame, href, origin, pictureOf }: Found): string {
  if (href !== undefined) return whole.replace('"/', `"${href.startsWith('//') ? 'https:' : origin}/`);
  if (image !== undefined) return imageOf(whole, image, pictureOf);
  const [, address] = / src="([^"]*)"/.exec(frame ?? '') ?? [];
  return address === undefined ? '' : `<a href="${address}">${address}</a>`;
}

function imageOf(whole: string, attributesOfImage: string, pictureOf: Found['pictureOf']): string {
  if (/ class="[^"]*\bonly-dark\b/.test(attributesOfImage)) return '';
  const [sourceAttribute, src = ''] = / src="([^"]*)"/.exec(attributesOfImage) ?? [];
  if (sourceAttribute === undefined || src.startsWith('data:')) return whole;
  const number = pictureOf(src.replaceAll('&amp;', '&'));
  // As text it takes the room of text.
  return number === undefined
    ? `<img${attributesOfImage.replace(/ (?:src|width|height)="[^"]*"/g, '')}>`
    : `<img${attributesOfImage.replace(sourceAttribute, ` data-picture="${number}"`)}>`;
}

/** The signed path of a file of ours; undefined for another address. */
function filePath(src: string, { origin, rootPath }: Pick<Contained, 'origin' | 'rootPath'>): string | undefined {
  if (!URL.canParse(src, origin)) return undefined;
  const { pathname, search } = new URL(src, origin);
  const path = pathname.startsWith(`${rootPath}/~files/`) ? pathname.slice(rootPath.length) : undefined;
  // Signed here or nowhere: the host does not matter.
  return path && path + search;
}
