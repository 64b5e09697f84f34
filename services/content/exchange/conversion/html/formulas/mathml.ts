import type { Element, Nodes } from 'hast';
import { isElement, propertyText, textAsWritten } from '../elements.js';

/** The TeX of a formula that only says how it is drawn. */
export function mathmlToTex(math: Element): string {
  return elementToTex(math).replace(/ {2,}/g, ' ').trim();
}

type Write = (parts: string[], element: Element) => string;

const groupTex = (tex = ''): string => (/^[A-Za-z0-9]$/.test(tex) ? tex : `{${tex}}`);
const joinTex: Write = (parts) => parts.join(' ');

const written: Record<string, Write> = {
  mfrac: ([above = '', below = '']) => `\\frac{${above}}{${below}}`,
  msup: ([base, above]) => `${groupTex(base)}^${groupTex(above)}`,
  msub: ([base, below]) => `${groupTex(base)}_${groupTex(below)}`,
  msubsup: ([base, below, above]) => `${groupTex(base)}_${groupTex(below)}^${groupTex(above)}`,
  munder: ([base, below]) => underTex(base, below),
  mover: ([base, above]) => overTex(base, above),
  munderover: ([base, below, above]) => `${limitsTex(base)}_${groupTex(below)}^${groupTex(above)}`,
  msqrt: (parts) => `\\sqrt{${parts.join(' ')}}`,
  mroot: ([base = '', index = '']) => `\\sqrt[${index}]{${base}}`,
  mtable: (rows) => `\\begin{matrix} ${rows.join(' \\\\ ')} \\end{matrix}`,
  mtr: (cells) => cells.join(' & '),
  mlabeledtr: ([, ...cells]) => cells.join(' & '),
  mfenced: (parts, element) =>
    `${propertyText(element, 'open') || '('} ${parts.join(`${propertyText(element, 'separators') || ','} `)} ${propertyText(element, 'close') || ')'}`,
  mphantom: () => '',
  annotation: () => '',
  'annotation-xml': () => '',
};

function elementToTex(node: Nodes): string {
  if (!isElement(node)) return '';
  const { tagName } = node;
  if (tagName === 'mi' || tagName === 'mn' || tagName === 'mo') return symbolTex(node);
  if (tagName === 'mtext' || tagName === 'ms') return texText(textAsWritten(node));
  if (tagName === 'mspace') return '\\ ';
  const parts = node.children.filter((child) => isElement(child)).map(elementToTex);
  return ((Object.hasOwn(written, tagName) ? written[tagName] : undefined) ?? joinTex)(parts, node);
}

const texText = (text: string): string => `\\text{${text.replace(/[\\{}$%#&_^~]/g, ' ')}}`;

/** A name of several letters is upright. */
function symbolTex(element: Element): string {
  const text = textAsWritten(element)
    .replace(/[\u2061-\u2064]/g, '')
    .trim();
  if (element.tagName === 'mi' && /^[A-Za-z]{2,40}$/.test(text)) return `\\mathrm{${text}}`;
  return text.replace(/[\\{}%#&_$]/g, (sign) => (sign === '\\' ? '\\backslash ' : `\\${sign}`));
}

const large = /^[∑∏∐⋃⋂⨁⨂∫∮]$|^\\mathrm\{(?:lim|max|min|sup|inf)\}$/;
const limitsTex = (base = ''): string =>
  large.test(base) ? base.replace('\\mathrm', '\\operatorname*') : `\\mathop{${base}}\\limits`;
const accents = new Map(
  Object.entries({ '¯': 'overline', '‾': 'overline', '^': 'hat', '˙': 'dot', '→': 'vec', '~': 'tilde', '˜': 'tilde' }),
);

const overTex = (base = '', above = ''): string => {
  const accent = accents.get(above);
  return accent
    ? `\\${accent}{${base}}`
    : large.test(base)
      ? `${limitsTex(base)}^${groupTex(above)}`
      : `\\overset{${above}}{${base}}`;
};
const underTex = (base = '', below = ''): string =>
  large.test(base) ? `${limitsTex(base)}_${groupTex(below)}` : `\\underset{${below}}{${base}}`;
