import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';

type Node = DefaultTreeAdapterMap['childNode'];

interface HtmlFacts {
  /** The texts and the names that readers of screens get, without white space. */
  text: string;
  ids: string[];
  /** What no body may have: attributes that style or run something, addresses that do, and elements of scripts. */
  forbidden: string[];
}

const forbiddenElements = new Set(['script', 'style', 'iframe', 'object', 'embed', 'link', 'base', 'foreignObject']);
const addresses = new Set(['href', 'src', 'srcset', 'action', 'xlink:href']);

/** Reads HTML as a browser does. */
export function readHtml(html: string): HtmlFacts {
  const facts: HtmlFacts = { text: '', ids: [], forbidden: [] };
  const open: Node[] = parseFragment(html).childNodes.toReversed();
  for (let node = open.pop(); node; node = open.pop()) {
    if ('value' in node) facts.text += node.value;
    if (!('attrs' in node)) continue;
    if (forbiddenElements.has(node.tagName)) facts.forbidden.push(`<${node.tagName}>`);
    for (const { name, value } of node.attrs) {
      if (name === 'id') facts.ids.push(value);
      if (name === 'alt' || name === 'aria-label') facts.text += value;
      if (name === 'style' || name.startsWith('on')) facts.forbidden.push(`${name}="${value}"`);
      if (addresses.has(name) && (value === '' || /^[\s\p{Cc}]*(?:javascript|vbscript|data:(?!image\/))/iu.test(value)))
        facts.forbidden.push(`${name}="${value}"`);
    }
    for (const child of node.childNodes.toReversed()) open.push(child);
  }
  facts.text = facts.text.replace(/\s+/g, '');
  return facts;
}
