import { editFrontMatter } from '../../format/space/front-matter/front-matter-edits.js';
import type { OutlinedOperation, OutlinedWebhook } from '../document/outline.js';

/** The text of a page, in the Git-sync format. */
export interface SpecPageText {
  source(): string;
  /** The same without the texts of the specification, which may keep blocks from being read. */
  bare(): string;
  /** The operations and webhooks in it, as search finds them: `GET /pets`. */
  lines: string[];
}

/** A block of a page: an operation, a webhook, or schemas. */
export interface SpecBlock {
  key: string;
  title: string;
  text(): string;
  line?: string;
}

export function operationBlock(spec: string, shown: OutlinedOperation | OutlinedWebhook): SpecBlock {
  const { method, summary } = shown;
  const [tag, pointer] =
    'path' in shown
      ? ['openapi-operation', { path: oneLine(shown.path) }]
      : ['openapi-webhook', { name: oneLine(shown.name) }];
  const line = `${method.toUpperCase()} ${pointer.path ?? pointer.name}`;
  const title = oneLine(summary ?? '').trim();
  const attributes = { spec, ...pointer, method, ...(title === '' ? {} : { summary: title }) };
  return { key: `${tag} ${line}`, title: title || line, text: () => tagText(tag, attributes), line };
}

export function schemasBlock(spec: string, schemas: string[]): SpecBlock {
  const text = () => tagText('openapi-schemas', { spec, schemas: schemas.join(','), grouped: 'true' });
  return { key: 'schemas', title: 'Schemas', text };
}

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ');

function tagText(tag: string, attributes: Record<string, string>): string {
  const written = Object.entries(attributes).map(([name, value]) => `${name}="${value.replace(/[\\"&]/g, '\\$&')}"`);
  return `{% ${tag} ${written.join(' ')} %}\n{% end${tag} %}`;
}

interface PageText {
  title: string;
  icon?: string | undefined;
  /** Markdown. */
  text?: string | undefined;
  blocks: SpecBlock[];
}

export function sourcesOf({ title, icon, text = '', blocks }: PageText): SpecPageText {
  const heading = `# ${title.replace(/[\\`*_{}[\]<>#|~&%$:!]/g, '\\$&')}`;
  const writeTexts = (texts: string[]) => {
    const body = `${[heading, ...texts, ...blocks.map((block) => block.text())].join('\n\n')}\n`;
    return (icon && editFrontMatter(body, { icon })) || body;
  };
  const own = text.trim() === '' ? [] : [text.trim()];
  return { source: () => writeTexts(own), bare: () => writeTexts([]), lines: blocks.flatMap(({ line }) => line ?? []) };
}
