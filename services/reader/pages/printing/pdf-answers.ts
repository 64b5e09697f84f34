import type { ReaderAnswer } from '../../contract.js';
import type { SiteModel } from '../../parts/page-model.js';
import { renderBarePage } from '../../parts/screens/other-pages.js';
import { assetsPath } from '../../site/asset-addresses.js';
import type { MadePdf } from '../../site/pdfs.js';
import { barePolicy } from '../../site/policy.js';
import type { ReaderDependencies } from '../../site/reader-context.js';

/** Seconds after which a browser asks again for a PDF that is being made. */
const againSeconds = 3;

/** RFC 8187 allows fewer unencoded characters than a URL. */
const extendedValue = (text: string) =>
  encodeURIComponent(text.toWellFormed()).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

export const pdfFileAnswer = ({ bytes, title }: MadePdf, name: string): ReaderAnswer => ({
  status: 200,
  headers: {
    'Content-Type': 'application/pdf',
    'Content-Disposition': `inline; filename*=UTF-8''${extendedValue(title.slice(0, 100))}.pdf`,
    'Cache-Control': 'private, no-cache',
  },
  body: bytes.toString('base64'),
  coding: 'base64',
  name,
  kind: 'pdf',
});

/** A page that comes again by itself until the PDF is made: that takes longer than a request may. */
export const makingAnswer = (
  { assets }: Pick<ReaderDependencies, 'assets'>,
  { words, lang, dir }: SiteModel,
  rootPath: string,
): ReaderAnswer => ({
  status: 503,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': barePolicy,
    'Cache-Control': 'no-store',
    'Retry-After': String(againSeconds),
    Refresh: String(againSeconds),
  },
  body: renderBarePage({
    title: words.downloadPdf,
    text: words.loading,
    lang,
    dir,
    css: rootPath + assetsPath + assets.css.path,
  }),
  kind: 'pdf',
});
