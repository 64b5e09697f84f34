import { scaleMs } from '../../../../../../shared/settings/time-scale.js';
import { percentDecode } from '../../../../format/space/paths.js';
import { bounds } from '../../../conversion/bounds.js';
import type { PageFormat } from '../../../conversion/model.js';
import { refusal } from '../../../conversion/refused.js';
import type { PageConverter } from './converting.js';
import {
  acceptHtml,
  acceptMarkdown,
  type FetchedFile,
  type FetchedFiles,
  type Fetching,
  isArchive,
  mediaType,
  readStart,
} from './fetched-files.js';
import type { Gathered, SourceTarget } from './gathered.js';

interface Sources {
  files: FetchedFiles;
  converting: PageConverter;
}

const fetching = {
  markdown: { maxBytes: bounds.page, accept: acceptMarkdown },
  html: { maxBytes: bounds.html, accept: acceptHtml },
  docx: { maxBytes: bounds.docx, timeoutMs: scaleMs(60_000) },
} satisfies Partial<Record<PageFormat, Fetching>>;

/** Reads one file of Markdown, HTML or DOCX as one page. */
export async function gatherPage(
  { files, converting }: Sources,
  { url, format }: { url: string; format: keyof typeof fetching },
): Promise<Gathered> {
  const file = await files.fetchFile(url, fetching[format]);
  return gatherFetchedPage({ files, converting }, { file, format });
}

/** As `gatherPage`, of a file that is there. */
export async function gatherFetchedPage(
  { files, converting }: Sources,
  { file, format }: { file: FetchedFile; format: PageFormat },
): Promise<Gathered> {
  await checkFormat(file, format);
  const content = await converting.convertPage({ file, format });
  const base = resolveAddress(content.base ?? '', file.path) ?? file.path;
  const page = { key: '', title: content.title ?? titleFromUrl(file.path), content, base, children: [] };
  return {
    pages: [page],
    targetOf: (_, address, isShown) => webTargetOf(address, base, isShown),
    fileAt: (address) => files.fetchFile(address, { maxBytes: bounds.file }),
  };
}

/** The target of an address outside the import: a file that the page shows or attaches, else an address on the web. */
export function webTargetOf(address: string, base: string, isShown: boolean): SourceTarget {
  const url = resolveAddress(address, base);
  if (url === undefined || !/^https?:/.test(url)) return undefined;
  return isShown || isAttachment(url, base) ? { file: url } : { url };
}

/** Whether a link leads to a document on the same host. */
function isAttachment(url: string, base: string): boolean {
  const { host, pathname } = new URL(url);
  return host === new URL(base).host && /\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|epub|rtf|zip|csv)$/i.test(pathname);
}

export const resolveAddress = (address: string, base: string): string | undefined =>
  URL.canParse(address, base) ? new URL(address, base).href : undefined;

async function checkFormat(file: FetchedFile, format: PageFormat): Promise<void> {
  const type = mediaType(file.contentType);
  const isHtml = type === 'text/html' || type === 'application/xhtml+xml';
  if (file.size === 0) throw refusal('url: the answer is empty');
  if (format === 'docx') {
    if (await isArchive(file.file)) return;
    throw refusal(
      isHtml
        ? 'url: the answer is a web page, and no document in the DOCX format'
        : 'url: the answer is no document in the DOCX format',
    );
  }
  if (format === 'html' && !isHtml && !isUntyped(type)) throw refusal(`url: the answer is ${type}, and no HTML page`);
  if (format === 'markdown' && isHtml)
    throw refusal('url: the answer is a web page, and no Markdown; import it with source html');
  if (format === 'markdown' && !isUntyped(type) && !/^(?:text\/|application\/(?:x-)?markdown$)/.test(type))
    throw refusal(`url: the answer is ${type}, and no Markdown`);
  if (format === 'html' && !(await readStart(file.file, 4096)).toString('latin1').replaceAll('\0', '').includes('<'))
    throw refusal('url: the answer is no HTML page');
}

const isUntyped = (type: string): boolean =>
  type === '' || type === 'application/octet-stream' || type === 'binary/octet-stream';

const titleFromUrl = (url: string): string => {
  const { pathname, hostname } = new URL(url);
  const name = pathname
    .split('/')
    .filter(Boolean)
    .at(-1)
    ?.replace(/\.[a-z]{1,8}$/i, '');
  return name ? percentDecode(name).replace(/[-_]+/g, ' ') : hostname;
};
