import type { Element, ElementContent, Parents, Root } from 'hast';
import { classesOf, elementsIn, findElement, hasClass, isElement, propertyText, textAsWritten } from '../elements.js';
import { mathmlToTex } from './mathml.js';

/** Around what MathJax, KaTeX, Notion and Wikipedia draw a formula as. */
const drawings = new Set(
  (
    'katex katex-display notion-text-equation-token mwe-math-element ' +
    'MathJax MathJax_Display MathJax_SVG MathJax_SVG_Display MathJax_CHTML MJXc-display'
  ).split(' '),
);
/** Drawings beside the script that has the formula. */
const beside = /^(?:MathJax(?:_Preview|_Display|_SVG|_SVG_Display|_CHTML)?|MJXc-display)$/;
const image = new Set(['math', 'latex', 'tex']);
/** Elements that hold one line of text, where a formula does not stand alone. */
const lines = new Set(
  'p a span strong em b i u s del mark h1 h2 h3 h4 h5 h6 td th summary figcaption dt label'.split(' '),
);
const code = new Set(['pre', 'code', 'script', 'style', 'textarea', 'samp', 'kbd']);

interface Formula {
  tex: string;
  /** Whether it stands in a line of its own. */
  isBlock: boolean;
}

/** Writes each formula as the TeX that it was made from, in the forms of KaTeX, MathJax, Sphinx, pandoc, MkDocs, Wikipedia and Notion. */
export function replaceFormulas(root: Root): void {
  const scripts = [...elementsIn(root)].filter(({ tagName }) => tagName === 'script');
  const page: Page = {
    hasScripts: scripts.some(isFormulaScript),
    isDrawnLater: scripts.some((each) =>
      /mathjax|katex/i.test(propertyText(each, 'src') + textAsWritten(each).slice(0, 2000)),
    ),
  };
  replaceFormulasIn(root, page, false);
}

interface Page {
  /** Whether formulas are in scripts, beside their drawings. */
  hasScripts: boolean;
  /** Whether the browser would draw what stands between marks in the text. */
  isDrawnLater: boolean;
}

function replaceFormulasIn(parent: Parents, page: Page, inLine: boolean): void {
  parent.children = (parent.children as ElementContent[]).flatMap((child): ElementContent[] => {
    if (child.type === 'text') return page.isDrawnLater ? splitFormulas(child.value, inLine) : [child];
    if (!isElement(child)) return [child];
    const formula = readFormula(child);
    if (formula) return [formulaElement(formula, inLine)];
    if (page.hasScripts && classesOf(child).some((name) => beside.test(name))) return [];
    if (!code.has(child.tagName)) replaceFormulasIn(child, page, inLine || lines.has(child.tagName));
    return [child];
  });
}

/** An element that stands for a formula from now on. */
const formulaElement = ({ tex, isBlock }: Formula, inLine: boolean): Element => ({
  type: 'element',
  tagName: isBlock && !inLine ? 'div' : 'span',
  properties: { dataTex: tex },
  children: [newTextNode(tex)],
});

/** The formula that an element stands for, as Markdown of ours; undefined for another element. */
export function formulaMarkdown(element: Element, inTable: boolean): string | undefined {
  // A space keeps apart signs that would end the formula, or begin a tag of ours.
  const tex = propertyText(element, 'dataTex').replace(/\$(?=\$)|\{(?=%)/g, (sign) => `${sign} `);
  if (tex === '') return undefined;
  if (element.tagName === 'div') return `$$\n${tex}\n$$`;
  const line = tex.replace(/\s*\n\s*/g, ' ');
  // A line would end the cell.
  return `$$${inTable ? line.replaceAll('\\|', '\\Vert ').replaceAll('|', '\\vert ') : line}$$`;
}

function readFormula(element: Element): Formula | undefined {
  if (isFormulaScript(element))
    return formulaUnlessEmpty(
      stripCdata(textAsWritten(element)),
      /mode\s*=\s*display/i.test(propertyText(element, 'type')),
    );
  if (isElement(element, 'img'))
    return hasClass(element, ...image)
      ? formulaUnlessEmpty(propertyText(element, 'alt'), isBlockFormula(element))
      : undefined;
  if (
    isElement(element, 'math', 'mjx-container') ||
    isNotionEquation(element) ||
    classesOf(element).some((name) => drawings.has(name))
  )
    return readDrawnFormula(element);
  const isMarked = hasClass(element, 'math', 'arithmatex') && isElement(element, 'span', 'div', 'p');
  return isMarked ? readMarkedFormula(element) : undefined;
}

const isFormulaScript = (element: Element): boolean =>
  element.tagName === 'script' && /^math\/tex/i.test(propertyText(element, 'type').trim());

const stripCdata = (text: string) => text.replace(/^\s*%\s*<!\[CDATA\[/, '').replace(/%?\s*\]\]>\s*$/, '');

function formulaUnlessEmpty(tex: string, isBlock: boolean): Formula | undefined {
  const trimmed = tex.trim();
  return trimmed === '' ? undefined : { tex: trimmed, isBlock };
}

/** The TeX that a drawing says that it was made from. */
function readDrawnFormula(element: Element): Formula | undefined {
  const annotation = findElement(element, isTexAnnotation);
  const math = findElement({ type: 'root', children: [element] }, ({ tagName }) => tagName === 'math');
  const source = annotation ? textAsWritten(annotation) : latexAttributeOf(element) || (math ? mathmlToTex(math) : '');
  return formulaUnlessEmpty(source, isBlockFormula(element) || findElement(element, isBlockFormula) !== undefined);
}

const isTexAnnotation = (each: Element): boolean =>
  each.tagName === 'annotation' && /^(?:application\/x-tex|latex|tex)$/i.test(propertyText(each, 'encoding'));

const latexAttributeOf = (element: Element): string =>
  propertyText(element, 'dataLatex') ||
  propertyText(findElement(element, (each) => propertyText(each, 'dataLatex') !== '') ?? element, 'dataLatex');

/** A block of Notion. */
const isNotionEquation = (element: Element): boolean => isElement(element, 'figure') && hasClass(element, 'equation');

const isBlockFormula = (element: Element): boolean =>
  isNotionEquation(element) ||
  hasClass(
    element,
    'katex-display',
    'MathJax_Display',
    'MathJax_SVG_Display',
    'MJXc-display',
    'mwe-math-fallback-image-display',
  ) ||
  (isElement(element, 'math', 'mjx-container') && /^(?:block|true)$/.test(propertyText(element, 'display')));

/** A formula that a script would find by its marks, or by its class alone. */
function readMarkedFormula(element: Element): Formula | undefined {
  const script = findElement(element, isFormulaScript);
  if (script) return readFormula(script);
  const drawn = readDrawnFormula(element);
  if (drawn) return drawn;
  const text = textAsWritten(element);
  const mark = marks.find(([start]) => text.includes(start));
  const isBlock = isElement(element, 'div') || hasClass(element, 'display') || mark?.[2] === true;
  if (mark) {
    const from = text.indexOf(mark[0]) + mark[0].length;
    return formulaUnlessEmpty(text.slice(from, Math.max(from, text.lastIndexOf(mark[1]))), isBlock);
  }
  // pandoc leaves the marks out where KaTeX draws it.
  return hasClass(element, 'inline', 'display') ? formulaUnlessEmpty(text, isBlock) : undefined;
}

/** The delimiters of formulas in a text, and whether the formula is a line of its own. */
const marks: [start: string, end: string, isBlock: boolean][] = [
  ['\\(', '\\)', false],
  ['\\[', '\\]', true],
  ['$$', '$$', true],
];

/** The text with the formulas that MathJax and KaTeX find in one. */
function splitFormulas(text: string, inLine: boolean): ElementContent[] {
  const made: ElementContent[] = [];
  const ends = new Map<string, number>();
  /** Each end is looked for once. */
  const endAfter = (end: string, from: number): number => {
    const known = ends.get(end) ?? 0;
    const at = known < from ? text.indexOf(end, from) : known;
    ends.set(end, at < 0 ? Number.POSITIVE_INFINITY : at);
    return at;
  };
  let from = 0;
  for (const { 0: start, index } of text.matchAll(/\\[([]|\$\$/g)) {
    const [, end = '', isBlock = false] = marks.find(([mark]) => mark === start) ?? [];
    const to = index < from ? -1 : endAfter(end, index + start.length);
    const formula =
      to < 0 || to === Number.POSITIVE_INFINITY
        ? undefined
        : formulaUnlessEmpty(text.slice(index + start.length, to), isBlock);
    if (!formula || formula.tex.length > maxFormula) continue;
    made.push(newTextNode(text.slice(from, index)), formulaElement(formula, inLine));
    from = to + end.length;
  }
  return [...made, newTextNode(text.slice(from))].filter((node) => node.type !== 'text' || node.value !== '');
}

/** Characters of a formula in a text. */
const maxFormula = 20_000;

const newTextNode = (value: string): ElementContent => ({ type: 'text', value });
