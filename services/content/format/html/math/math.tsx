import { createRequire } from 'node:module';
import type { Child, Rendering } from '../rendering.js';

const require = createRequire(import.meta.url);

/** Characters of one formula, and of all formulas of a document together. */
const maxFormula = 10_000;
export const maxFormulas = 200_000;

interface Katex {
  renderToString(formula: string, options: Record<string, unknown>): string;
}

/** The formula as MathML, or as it was written where it is broken or too long. */
export function renderMath(rendering: Rendering, formula: string, display: boolean): Child {
  const html = formula.trim() === '' ? undefined : mathMarkup(rendering, formula, display);
  if (html === undefined) return <code class="formula">{formula}</code>;
  return <span class="formula" dangerouslySetInnerHTML={{ __html: html }} />;
}

function mathMarkup(rendering: Rendering, formula: string, display: boolean): string | undefined {
  if (formula.length > maxFormula || formula.length > rendering.formulaBudget) return undefined;
  rendering.formulaBudget -= formula.length;
  try {
    const { renderToString } = require('katex') as Katex;
    const html = renderToString(formula, {
      output: 'mathml',
      displayMode: display,
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxExpand: 500,
      maxSize: 20,
      macros: {},
    });
    return withoutWrapper(html).replace(/ style="[^"]*"/g, '');
  } catch {
    return undefined;
  }
}

/** KaTeX escapes every quotation mark in texts and values, so that an attribute is found by its form. */
const withoutWrapper = (html: string) => html.replace(/^<span class="katex(?:-display)?">|<\/span>$/g, '');
