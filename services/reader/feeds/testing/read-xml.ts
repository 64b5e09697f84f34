import { SaxesParser } from 'saxes';

interface XmlNode {
  /** The names of the elements from the root on. */
  path: string;
  attributes: Record<string, string>;
  /** All text within. */
  text: string;
}

/** The elements of a text in document order. Throws unless it is well-formed, with all prefixes bound. */
export function readXml(text: string): XmlNode[] {
  const nodes: XmlNode[] = [];
  const open: XmlNode[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const values = Object.entries(attributes).map(([key, { value }]) => [key, value]);
    const parent = open.at(-1)?.path;
    const node = { path: parent ? `${parent}/${name}` : name, attributes: Object.fromEntries(values), text: '' };
    nodes.push(node);
    open.push(node);
  });
  parser.on('text', (part) => {
    for (const node of open) node.text += part;
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(text).close();
  return nodes;
}

export const textsAt = (nodes: XmlNode[], path: string): string[] =>
  nodes.filter((node) => node.path === path).map(({ text }) => text);
