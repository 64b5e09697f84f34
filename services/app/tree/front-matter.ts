import { isMap, parseDocument } from 'yaml';
import type { Page } from '../../content/resources.js';

type Layout = NonNullable<Page['layout']>;

/** How a page looks, beside its text. */
export interface Look {
  /** An address, or the path of a file; empty for none. */
  cover: string;
  layout: Layout;
}

/** The lines of YAML at the start of a source, and what follows. */
const frontMatter = /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/;
/** Characters, as long as front matter may be: longer YAML is not read. */
const maxLength = 64_000;

function read(source: string) {
  const found = frontMatter.exec(source);
  const yaml = found?.[1] ?? '';
  if (yaml.length > maxLength) return undefined;
  const document = parseDocument(yaml, { maxAliasCount: 0 } as object);
  if (document.errors.length > 0 || !(document.contents === null || isMap(document.contents))) return undefined;
  document.contents ??= document.createNode({}) as never;
  return { document, rest: found ? source.slice(found[0].length) : `\n${source}` };
}

/** The cover that a source names; undefined where its front matter cannot be read. */
export function coverIn(source: string): string | undefined {
  const found = read(source);
  const cover = found?.document.get('cover');
  return found && (typeof cover === 'string' ? cover : '');
}

/** The source of a page with another look; undefined where its front matter cannot be read. */
export function withLook(source: string, { cover, layout }: Look): string | undefined {
  const found = read(source);
  if (!found) return undefined;
  const { document, rest } = found;
  const before = document.get('cover');
  if (cover !== (typeof before === 'string' ? before : '')) {
    if (cover === '') for (const key of ['cover', 'coverY', 'coverDark']) document.delete(key);
    else document.set('cover', cover);
  }
  const written = writtenLayout(layout);
  if (Object.keys(written).length === 0) document.delete('layout');
  else document.set('layout', document.createNode(written));
  const isEmpty = isMap(document.contents) ? document.contents.items.length === 0 : true;
  return isEmpty ? rest.replace(/^\n/, '') : `---\n${document.toString({ lineWidth: 0 })}---\n${rest}`;
}

const switches = ['title', 'description', 'tableOfContents', 'outline', 'pagination', 'metadata'] as const;
const extras = ['tags', 'actions', 'anchors'] as const;

/** A layout as authors write it: what is not the default. */
function writtenLayout(layout: Layout): Record<string, unknown> {
  const hidden = [...switches, ...extras].filter((name) => !layout[name]);
  const cover = {
    ...(layout.cover ? {} : { visible: false }),
    ...(layout.coverSize === 'full' ? { size: 'full' } : {}),
    ...(layout.coverMask === 'radial' ? { mask: 'radial' } : {}),
  };
  return {
    ...(layout.width === 'wide' ? { width: 'wide' } : {}),
    ...(Object.keys(cover).length > 0 ? { cover } : {}),
    ...Object.fromEntries(hidden.map((name) => [name, { visible: false }])),
  };
}
