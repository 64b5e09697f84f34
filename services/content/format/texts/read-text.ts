import type { BlockNode, DocumentNode, DocumentRef, JSONDocument } from '../document/document-model.js';
import { unescapeText } from '../markdown/html.js';
import { isLinkable } from './link-targets.js';
import { checkSentDocument, RefusedDocument } from './read-document.js';
import { type MarkdownReading, readMarkdown } from './read-markdown.js';
import { buildTextDocument } from './text-blocks.js';
import { writeMarkdown } from './write-markdown.js';

/** A text as another service gives it: in GitHub-flavored Markdown, or as a document. */
export type GivenText = { markdown: string } | { document: unknown };

/** A text in both forms, which run no script, and the ids of the users whom it mentions. */
export interface BothForms {
  markdown: string;
  document: JSONDocument;
  mentions: string[];
}

const maxMentions = 50;
/** Characters of a document as JSON: a table of few characters has many nodes. */
const maxDocumentLength = 500_000;

export const readTexts = (texts: GivenText[]): (BothForms | { refused: string })[] => texts.map(readText);

export function readText(text: GivenText): BothForms | { refused: string } {
  try {
    return 'markdown' in text ? readMarkdownText(text.markdown) : readDocumentText(text.document);
  } catch (error) {
    if (!(error instanceof RefusedDocument)) throw error;
    return { refused: error.message };
  }
}

function readMarkdownText(source: string): BothForms {
  checkCharacters(source, 'markdown');
  const reading = readMarkdown(source);
  const { document, mentions } = buildDocument(reading.nodes, 'markdown');
  return { markdown: isSafeMarkdown(source, reading) ? source : writeMarkdown(document), document, mentions };
}

function readDocumentText(given: unknown): BothForms {
  const { document, mentions } = buildDocument(checkSentDocument(given), 'document');
  return { markdown: writeMarkdown(document), document, mentions };
}

function buildDocument(nodes: BlockNode[], form: string): { document: JSONDocument; mentions: string[] } {
  const document = buildTextDocument(nodes);
  if (JSON.stringify(document).length > maxDocumentLength)
    throw new RefusedDocument(
      `${form}: makes a document of more than ${maxDocumentLength.toLocaleString('en')} characters`,
    );
  const shown = contentShownIn(document.nodes);
  checkCharacters(shown.text, form);
  if (!shown.void && !VISIBLE.test(shown.text)) throw new RefusedDocument(`${form}: shows nothing`);
  if (shown.mentions.size > maxMentions) throw new RefusedDocument(`${form}: mentions more than ${maxMentions} users`);
  return { document, mentions: [...shown.mentions] };
}

const REFUSED_CHARACTER = /(?![\t\n\r])[\p{Cc}\p{Cs}\u202d\u202e]/u;
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

function checkCharacters(text: string, form: string): void {
  const [found] = REFUSED_CHARACTER.exec(text) ?? [];
  if (found === undefined) return;
  const code = found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  throw new RefusedDocument(`${form}: holds the character U+${code}, which is not allowed`);
}

/** The visible parts of a document: its text, the users that it mentions, and whether it has dividers. */
interface Shown {
  text: string;
  mentions: Set<string>;
  void: boolean;
}

function contentShownIn(nodes: BlockNode[]): Shown {
  const shown: Shown = { text: '', mentions: new Set(), void: false };
  for (const node of nodes) addShownContent(node, shown);
  return shown;
}

function addShownContent(node: DocumentNode, shown: Shown): void {
  if (node.object === 'text') {
    for (const { text } of node.leaves) shown.text += text;
    return;
  }
  if (node.type === 'mention') shown.mentions.add((node.data.ref as Extract<DocumentRef, { kind: 'user' }>).user);
  if (node.type === 'mention' || node.type === 'divider') shown.void = true;
  if (node.type === 'table')
    for (const { title } of Object.values(node.data.definition as Record<string, { title: string }>))
      shown.text += title;
  for (const inner of node.nodes ?? []) addShownContent(inner, shown);
  for (const { nodes } of node.fragments ?? []) for (const inner of nodes) addShownContent(inner, shown);
}

/** The beginnings of HTML, and of addresses that GFM links to and a text may not. */
const ACTIVE = /<[A-Za-z/!?]|ftp:\/\/|xmpp:/gi;
const AUTOLINK = /<(?:https?:\/\/|mailto:)[^\s<>]*>|<[\w.+-]{1,64}@[\w.-]{1,255}>/gi;
/**
 * White space that not all parsers take for the same, addresses that may reach into code, and definitions of which not all see the
 * end on their line.
 */
const DOUBTFUL =
  /[^\S \n\r]|(?:https?:\/\/|www\.|@)[^\s`]*`|\]:(?![ \t]*[^\s<'"(]+[ \t]*(?:$|\r?\n[ \t]*[^\s'"(]|\r?\n[ \t]*\r?\n))/i;
/** Where the address of a link or a definition may begin. */
const ADDRESS = /\][(:]\s*<?([^\s<>)]{1,200})/g;

/**
 * Whether a text runs no script in any program that renders Markdown, also one that reads it a bit otherwise: it has no HTML
 * outside of code, and no address that a text may not link to.
 */
function isSafeMarkdown(source: string, { codes, doubtful, refusedLinks }: MarkdownReading): boolean {
  if (refusedLinks) return false;
  const active = countActiveSigns(source);
  if (active > 0 && (doubtful || DOUBTFUL.test(source) || active > countActiveSigns(codes.join('\n')))) return false;
  if (!source.includes('[')) return true;
  for (const [, address = ''] of source.matchAll(ADDRESS)) if (!isLinkable(unescapeText(address))) return false;
  return true;
}

const countActiveSigns = (text: string) => text.replace(AUTOLINK, '').match(ACTIVE)?.length ?? 0;
