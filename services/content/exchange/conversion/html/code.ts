import type { Element, ElementContent, Nodes, Parents } from 'hast';
import {
  classesOf,
  elementsIn,
  findElement,
  hasClass,
  isElement,
  newElement,
  propertyText,
  textAsWritten,
} from './elements.js';

/** The code in a `pre`, once `normalizeCode` has made it plain. */
export const readCode = (pre: Element): { lang: string | null; value: string } => ({
  lang: propertyText(pre, 'dataLang') || null,
  value: textAsWritten(pre),
});

/**
 * Makes each `pre` its lines alone, with the language that it or an element close around it names, and a `pre` of each table that only
 * numbers the lines of code.
 */
export function normalizeCode(parent: Parents, around: readonly (string | undefined)[] = []): void {
  const isNamed = parent.type === 'element' && languageOf(parent) !== undefined;
  parent.children = (parent.children as ElementContent[]).flatMap((child): ElementContent[] => {
    if (!isElement(child)) return [child];
    if (isLineNumbers(child) || (isNamed && child.tagName === 'span' && hasClass(child, 'lang'))) return [];
    const near = around.find((name) => name !== undefined);
    if (child.tagName === 'pre') return [newPlainPre(child, languageOfPre(child) ?? near)];
    const code = child.tagName === 'table' ? readCodeTable(child) : undefined;
    if (!code) normalizeCode(child, [languageOf(child), ...around.slice(0, 2)]);
    else
      return [...(code.name ? [newElement('p', {}, code.name.children)] : []), newPlainPre(child, code.lang ?? near)];
    return [child];
  });
}

const newPlainPre = (code: Element, lang: string | undefined): Element =>
  newElement('pre', lang ? { dataLang: lang } : {}, [
    { type: 'text', value: textOfCodeLines(code).replace(/^\n/, '').replace(/\s+$/, '') },
  ]);

/** The language of a table that only numbers the lines of code, and what names it; undefined for any other table. */
function readCodeTable(table: Element): { lang: string | undefined; name: Element | undefined } | undefined {
  const cells: Element[] = [];
  const pres: Element[] = [];
  for (const each of elementsIn(table)) {
    if (each.tagName === 'table') return undefined;
    if (each.tagName === 'td') cells.push(each);
    if (each.tagName === 'pre') pres.push(each);
  }
  const [first, second] = cells;
  const isNumbered = first && second && hasClass(first, ...gutters) && !hasClass(second, ...gutters);
  const isCode =
    isNumbered ||
    hasClass(table, 'highlighttable', 'rouge-table', 'codehilitetable', 'hljs-ln', 'lntable') ||
    (pres.length === 2 && /^[\d\s]+$/.test(textAsWritten(pres[0] as Element)));
  if (!isCode) return undefined;
  const inner = pres.at(-1);
  return {
    lang: languageOf(table) ?? (inner && languageOfPre(inner)),
    name: findElement(table, (each) => each.tagName === 'th' && hasClass(each, 'filename')),
  };
}

/** Class names of elements that only number lines. */
const gutters = [
  ...['gutter', 'linenos', 'lineno', 'linenodiv', 'lnt', 'ln', 'line-number', 'line-numbers', 'line-numbers-rows'],
  ...['hljs-ln-numbers', 'blob-num', 'rouge-gutter', 'react-syntax-highlighter-line-number'],
];
/** The same beside a `pre`. */
const besideCode = ['line-numbers', 'line-numbers-wrapper'];

const isLineNumbers = (element: Element): boolean => element.tagName === 'div' && hasClass(element, ...besideCode);

const lineElements = new Set(['div', 'p', 'li', 'tr', 'pre']);

/** The lines of code as a browser shows them, without their numbers. */
function textOfCodeLines(code: Element): string {
  const lines = [...elementsIn(code)].filter((element) => hasClass(element, 'token-line', 'line'));
  const shown = new Lines();
  shown.add(code);
  // Some highlighters make an element of each line and leave the line breaks to styles.
  return lines.length > 1 && !shown.text.includes('\n') ? lines.map(textAsWritten).join('\n') : shown.text;
}

class Lines {
  text = '';

  add(node: Nodes): void {
    if (node.type === 'text') this.text += node.value;
    if (!isElement(node) || isLineNumber(node)) return;
    if (node.tagName === 'br') this.text += '\n';
    else {
      const isLine = lineElements.has(node.tagName);
      if (isLine) this.end();
      for (const child of node.children) this.add(child);
      if (isLine) this.end();
    }
  }

  private end(): void {
    if (this.text !== '' && !this.text.endsWith('\n')) this.text += '\n';
  }
}

/** A row may have the class of its first cell; what names a file stands above. */
const isLineNumber = (element: Element): boolean =>
  (element.tagName !== 'tr' && hasClass(element, ...gutters)) ||
  (element.tagName === 'th' && hasClass(element, 'filename'));

const languageOfPre = (pre: Element): string | undefined => {
  const inner = findElement(pre, ({ tagName }) => tagName === 'code');
  return (inner && languageOf(inner)) ?? languageOf(pre);
};

const languageClass =
  /^(?:language|lang|highlight-source|highlight|sourceCode|brush|src|mw-highlight-lang)[-:]([\w+#.-]{1,40})$/;
const notLanguages = new Set(
  'none text plaintext default notranslate plain undefined null nohighlight no-highlight txt numbers numbersource'.split(
    ' ',
  ),
);
/** Beside these the language is a class of its own, as highlight.js, pandoc, Hexo and others write it. */
const besideLanguage = ['sourceCode', 'hljs', 'highlight', 'code', 'prettyprint', 'listing'];
const notBare = new Set([
  ...besideLanguage,
  'numberSource',
  'linenums',
  'chroma',
  'rouge',
  'highlightjs',
  'prettyprinted',
]);
/** In HTML an attribute `lang` is a language that people speak; these are none. */
const shortNames = new Set('c d r js ts go py rb sh cs md kt rs tf vb ps c++ c#'.split(' '));

function languageOf(element: Element): string | undefined {
  const classes = classesOf(element);
  const brush = /brush:\s*([\w+#-]{1,40})/.exec(
    propertyText(element, 'dataSyntaxhighlighterParams') ||
      (classes[0] === 'brush:' ? classes.slice(0, 2).join(' ') : ''),
  )?.[1];
  const said =
    brush ??
    (propertyText(element, 'dataLang') ||
      propertyText(element, 'dataLanguage') ||
      propertyText(element, 'dataEnlighterLanguage') ||
      undefined) ??
    classes.map((name) => languageClass.exec(name)?.[1]).find((name) => name !== undefined) ??
    languageInClasses(element, classes) ??
    languageInLang(element);
  return said && !notLanguages.has(said.toLowerCase()) && /^[\w+#.-]{1,40}$/.test(said) ? said : undefined;
}

function languageInClasses({ tagName }: Element, classes: readonly string[]): string | undefined {
  const isCode = tagName === 'pre' || tagName === 'code' || (tagName === 'figure' && classes.includes('highlight'));
  const isMarked = besideLanguage.some((name) => classes.includes(name));
  return isCode && isMarked
    ? classes.find((name) => /^[a-z][\w+#]{0,20}$/.test(name) && !notBare.has(name))
    : undefined;
}

function languageInLang(element: Element): string | undefined {
  const lang = isElement(element, 'pre', 'code') ? propertyText(element, 'lang') : '';
  return lang.length > 3 || shortNames.has(lang) ? lang : undefined;
}
