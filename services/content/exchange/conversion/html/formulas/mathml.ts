import type { Element, Nodes } from 'hast';
import { isElement, property, rawText } from '../elements.js';

/** The TeX of a formula that only says how it is drawn. */
export function texOfMathml(math: Element): string {
  return texOf(math).replace(/ {2,}/g, ' ').trim();
}

type Write = (parts: string[], element: Element) => string;

const group = (tex = ''): string => (/^[A-Za-z0-9]$/.test(tex) ? tex : `{${tex}}`);
const joined: Write = (parts) => parts.join(' ');

const written: Record<string, Write> = {
  mfrac: ([above = '', below = '']) => `\\frac{${above}}{${below}}`,
  msup: ([base, above]) => `${group(base)}^${group(above)}`,
  msub: ([base, below]) => `${group(base)}_${group(below)}`,
  msubsup: ([base, below, above]) => `${group(base)}_${group(below)}^${group(above)}`,
  munder: ([base, below]) => under(base, below),
  mover: ([base, above]) => over(base, above),
  munderover: ([base, below, above]) => `${limits(base)}_${group(below)}^${group(above)}`,
  msqrt: (parts) => `\\sqrt{${parts.join(' ')}}`,
  mroot: ([base = '', index = '']) => `\\sqrt[${index}]{${base}}`,
  mtable: (rows) => `\\begin{matrix} ${rows.join(' \\\\ ')} \\end{matrix}`,
  mtr: (cells) => cells.join(' & '),
  mlabeledtr: ([, ...cells]) => cells.join(' & '),
  mfenced: (parts, element) =>
    `${property(element, 'open') || '('} ${parts.join(`${property(element, 'separators') || ','} `)} ${property(element, 'close') || ')'}`,
  mphantom: () => '',
  annotation: () => '',
  'annotation-xml': () => '',
};

function texOf(node: Nodes): string {
  if (!isElement(node)) return '';
  const { tagName } = node;
  if (tagName === 'mi' || tagName === 'mn' || tagName === 'mo') return symbols(node);
  if (tagName === 'mtext' || tagName === 'ms') return textOf(rawText(node));
  if (tagName === 'mspace') return '\\ ';
  const parts = node.children.filter((child) => isElement(child)).map(texOf);
  return ((Object.hasOwn(written, tagName) ? written[tagName] : undefined) ?? joined)(parts, node);
}

const textOf = (text: string): string => `\\text{${text.replace(/[\\{}$%#&_^~]/g, ' ')}}`;

/** A name of several letters is upright. */
function symbols(element: Element): string {
  const text = rawText(element)
    .replace(/[\u2061-\u2064]/g, '')
    .trim();
  if (element.tagName === 'mi' && /^[A-Za-z]{2,40}$/.test(text)) return `\\mathrm{${text}}`;
  return text.replace(/[\\{}%#&_$]/g, (sign) => (sign === '\\' ? '\\backslash ' : `\\${sign}`));
}

const large = /^[∑∏∐⋃⋂⨁⨂∫∮]$|^\\mathrm\{(?:lim|max|min|sup|inf)\}$/;
const limits = (base = ''): string =>
  large.test(base) ? base.replace('\\mathrm', '\\operatorname*') : `\\mathop{${base}}\\limits`;
const accents = new Map(
  Object.entries({ '¯': 'overline', '‾': 'overline', '^': 'hat', '˙': 'dot', '→': 'vec', '~': 'tilde', '˜': 'tilde' }),
);

const over = (base = '', above = ''): string => {
  const accent = accents.get(above);
  return accent
    ? `\\${accent}{${base}}`
    : large.test(base)
      ? `${limits(base)}^${group(above)}`
      : `\\overset{${above}}{${base}}`;
};
const under = (base = '', below = ''): string =>
  large.test(base) ? `${limits(base)}_${group(below)}` : `\\underset{${below}}{${base}}`;
