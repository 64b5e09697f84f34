import { readFile, rm } from 'node:fs/promises';
import mammoth from 'mammoth';
import { unpack } from './archives/unpacked.js';
import { bounds, megabytesText } from './bounds.js';
import { type HtmlPage, readHtmlPage } from './html/html-page.js';
import type { InlineImages } from './inline-images.js';
import type { GivenFile } from './model.js';
import { refusal } from './refused.js';

/** Maps styles of Word, LibreOffice and pandoc to elements, besides the usual ones. */
const styleMap = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  "p[style-name='Source Code'] => pre:separator('\\n')",
  "p[style-name='Preformatted Text'] => pre:separator('\\n')",
  "p[style-name='HTML Preformatted'] => pre:separator('\\n')",
  "p[style-name='Code'] => pre:separator('\\n')",
  "p[style-name='Block Text'] => blockquote > p:fresh",
  "p[style-name='Quotations'] => blockquote > p:fresh",
  "p[style-name='Quote'] => blockquote > p:fresh",
  "p[style-name='Intense Quote'] => blockquote > p:fresh",
  "r[style-name='Emphasis'] => em",
  "r[style-name='Strong'] => strong",
  "r[style-name='Strong Emphasis'] => strong",
  "r[style-name='Verbatim Char'] => code",
  "r[style-name='Source Text'] => code",
  "r[style-name='HTML Code'] => code",
].join('\n');

export interface DocxSource {
  /** On the disk. */
  file: string;
  /** Where to unpack it. */
  folder: string;
  images: InlineImages;
}

/** Reads a document in Word's format. Throws 422 for one that is none, is too large, or declares entities. */
export async function readDocxPage({ file, folder, images }: DocxSource): Promise<HtmlPage> {
  const parts = await unpack({ archive: file, folder });
  await checkParts(parts);
  await rm(folder, { recursive: true, force: true });
  const convertImage = mammoth.images.imgElement(async (image) => ({
    src: images.add(await image.readAsBuffer(), image.contentType) ?? '',
  }));
  const { value } = await mammoth.convertToHtml({ path: file }, { styleMap, convertImage }).catch((error: Error) => {
    throw refusal(`url: the document cannot be read: ${error.message.slice(0, 200)}`);
  });
  return readHtmlPage(value, images);
}

async function checkParts(parts: readonly GivenFile[]): Promise<void> {
  const isXml = ({ path }: GivenFile) => /\.(?:xml|rels)$/i.test(path);
  if (!parts.some(({ path }) => path === 'word/document.xml' || path === '[Content_Types].xml'))
    throw refusal('url: the answer is no document in the DOCX format');
  const xml = parts.filter(isXml);
  if (xml.reduce((sum, { size }) => sum + size, 0) > bounds.docxText)
    throw refusal(`url: the text of the document takes more than ${megabytesText(bounds.docxText)}`);
  for (const { path, file } of xml) {
    const text = (await readFile(file)).toString('latin1').replaceAll('\0', '');
    if (/<!(?:DOCTYPE|ENTITY)/i.test(text))
      throw refusal(`url: the document declares entities, in ${path.slice(0, 200)}`);
    checkXmlLevels(text);
  }
}

/** Levels of elements that the reader of documents takes. */
const maxDepth = 300;

/** The reader of documents calls itself for each level. */
function checkXmlLevels(xml: string): void {
  let levels = 0;
  for (const [tag] of xml.matchAll(/<(?:\/|[^<>/?!])[^<>]*>/g)) {
    if (tag.startsWith('</')) levels--;
    else if (!tag.endsWith('/>')) levels++;
    if (levels > maxDepth) throw refusal(`url: the document nests elements more than ${maxDepth} levels deep`);
  }
}
