import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import GithubSlugger from 'github-slugger';
import { Marked, type MarkedExtension } from 'marked';
import { packageFile } from '../../../shared/process/package-root.js';
import { escapeHtml } from '../../../shared/text/escaped-html.js';
import type { HtmlPage } from './html-page.js';

const folder = packageFile('docs');

/** The address of a page below the handbook: `/api/access` for `api/access.md`, empty for `README.md`. */
const pageAddress = (file: string) => `/${file}`.replace(/(\/README)?\.md$/, '');

/** Blocks in braces: hints become asides, all others leave only their content. */
const tagHtml: Record<string, string> = { hint: '<aside>', endhint: '</aside>' };
const tags: MarkedExtension = {
  extensions: [
    {
      name: 'tag',
      level: 'block',
      start: (source) => /^\{%/m.exec(source)?.index,
      tokenizer(source) {
        const [raw, name] = /^\{% *(\w+)[^\n]*?%\}(?:\n+|$)/.exec(source) ?? [];
        return raw === undefined ? undefined : { type: 'tag', raw, name };
      },
      renderer: ({ name }) => tagHtml[String(name)] ?? '',
    },
  ],
};

interface Source {
  text: string;
  /** Its path in the folder, which its links are relative to. */
  file: string;
}

/** Converts to HTML. `root` is the address of the handbook, `shown` the file of the page that shows the text. */
function toHtml({ text, file }: Source, root: string, shown: string): string {
  const slugger = new GithubSlugger();
  const targetOf = (path: string) => posix.join(posix.dirname(file), path);
  const linkAttributes = (href: string) => {
    const [path = '', anchor] = href.split('#');
    if (/^[a-z]+:/.test(href) || path === '') return `href="${escapeHtml(href)}"`;
    const target = targetOf(path);
    const address = root + pageAddress(target) + (anchor === undefined ? '' : `#${anchor}`);
    return `href="${escapeHtml(address)}"${target === shown ? ' aria-current="page"' : ''}`;
  };
  const marked = new Marked(tags, {
    renderer: {
      html: () => '',
      heading({ tokens, depth, text: title }) {
        return `<h${depth} id="${escapeHtml(slugger.slug(title))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        return `<a ${linkAttributes(href)}>${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text: description }) {
        return `<img src="${escapeHtml(`${root}/${targetOf(href)}`)}" alt="${escapeHtml(description)}">`;
      },
    },
  });
  return marked.parse(text, { async: false });
}

const frontMatter = /^---\n[\s\S]*?\n---\n/;
const readPage = (file: string) => readFileSync(join(folder, file), 'utf8').replace(frontMatter, '');

function handbookPage(file: string, root: string): HtmlPage {
  const summary = readPage('SUMMARY.md')
    .replace(/^# .*\n/, '')
    .replace(/^## (.*)$/gm, '**$1**');
  const contents = toHtml({ text: summary, file: 'SUMMARY.md' }, root, file);
  const text = readPage(file);
  return {
    title: /^# (.+)$/m.exec(text)?.[1] ?? file,
    nav: `<nav aria-label="Handbook">\n${contents}</nav>\n`,
    main: toHtml({ text, file }, root, file),
  };
}

/**
 * The handbook that ships with the product, readable without a token. Finds what is at an address below `root`: a page (the first
 * has the empty address), or the text of a picture in SVG.
 */
export function openHandbook(root: string): (address: string) => HtmlPage | string | null {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const shown = names.filter((name) => /\.(md|svg)$/.test(name) && name !== 'SUMMARY.md');
  const files = new Map(shown.map((name) => [pageAddress(name), name]));
  const kept = new Map<string, HtmlPage | string>();
  return (address) => {
    const file = files.get(address);
    if (file === undefined) return null;
    const found = kept.get(file) ?? (file.endsWith('.md') ? handbookPage(file, root) : readPage(file));
    kept.set(file, found);
    return found;
  };
}
