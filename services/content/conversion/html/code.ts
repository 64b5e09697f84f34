import type { Element, Parents } from 'hast';
import { classesOf, elementsIn, firstIn, hasClass, isElement, property, rawText } from './elements.js';

export interface Code {
  lang: string | null;
  value: string;
}

/** The code that a `pre` shows. */
export function codeIn(pre: Element): Code {
  const lines = [...elementsIn(pre)].filter((element) => hasClass(element, 'token-line', 'line'));
  const text = rawText(pre);
  // Some highlighters make an element of each line and leave the line breaks to styles.
  const value = lines.length > 1 && !text.includes('\n') ? lines.map(rawText).join('\n') : text;
  return { lang: languageIn(pre) ?? null, value: value.replace(/^\n/, '').replace(/\s+$/, '') };
}

const languageIn = (pre: Element): string | undefined => {
  const inner = firstIn(pre, ({ tagName }) => tagName === 'code');
  return (inner && languageOf(inner)) ?? languageOf(pre);
};

/** Gives each `pre` without a language the one that an element close around it names. */
export function nameLanguages(parent: Parents, around: readonly (string | undefined)[] = []): void {
  for (const child of parent.children) {
    if (!isElement(child)) continue;
    const near = around.find((name) => name !== undefined);
    if (child.tagName === 'pre') {
      if (near && !languageIn(child)) child.properties.dataLang = near;
    } else nameLanguages(child, [languageOf(child), ...around.slice(0, 2)]);
  }
}

const languageClass = /^(?:language|lang|highlight-source|highlight|sourceCode|brush)[-:]([\w+#.-]{1,40})$/;
const notLanguages = new Set(['none', 'text', 'plaintext', 'default', 'notranslate', 'plain']);

function languageOf(element: Element): string | undefined {
  const parameters = property(element, 'dataSyntaxhighlighterParams');
  const brush = /brush:\s*([\w+#-]+)/.exec(parameters)?.[1];
  const classes = classesOf(element);
  const pandoc = classes.includes('sourceCode')
    ? classes.find((name) => /^[a-z][\w+#-]*$/.test(name) && name !== 'numberSource')
    : undefined;
  const said =
    brush ??
    (property(element, 'dataLang') || property(element, 'dataLanguage') || undefined) ??
    classes.map((name) => languageClass.exec(name)?.[1]).find((name) => name !== undefined) ??
    pandoc;
  return said && !notLanguages.has(said.toLowerCase()) && /^[\w+#.-]{1,40}$/.test(said) ? said : undefined;
}

/** The `pre` with the code of a table that only numbers its lines; undefined for any other table. */
export function numberedCode(table: Element): Element | undefined {
  const pres = [...elementsIn(table)].filter((element) => isElement(element, 'pre'));
  const isCode =
    hasClass(table, 'highlighttable', 'rouge-table', 'codehilitetable', 'hljs-ln') ||
    (pres.length === 2 && /^[\d\s]+$/.test(rawText(pres[0] as Element)));
  return isCode ? pres.at(-1) : undefined;
}
