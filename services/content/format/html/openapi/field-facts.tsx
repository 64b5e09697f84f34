import type { ComponentChild, VNode } from 'preact';
import { marks } from '../marks.js';
import { type SchemaShape, typeLabel } from './schema-shapes.js';
import { descriptionHtml, type SpecPage } from './spec-page.js';
import { isSpecObject, specList, specValue } from './spec-values.js';

export const tooLong = (): VNode => <p class="cut">{marks.word('tooLong')}</p>;

export function description(page: SpecPage, text: unknown): VNode | null {
  const html = descriptionHtml(page, text);
  // The HTML is made by `markdownHtml`, which escapes all text.
  return html === '' ? null : <div class="description" dangerouslySetInnerHTML={{ __html: html }} />;
}

export function flags({ keywords, nullable }: SchemaShape, isDeprecated: boolean): ComponentChild[] {
  const flag = (word: 'nullable' | 'readOnly' | 'writeOnly') => <span class="field-flag">{marks.word(word)}</span>;
  return [
    isDeprecated || keywords.deprecated === true ? <span class="deprecated">{marks.word('deprecated')}</span> : null,
    nullable ? flag('nullable') : null,
    keywords.readOnly === true ? flag('readOnly') : null,
    keywords.writeOnly === true ? flag('writeOnly') : null,
  ];
}

/** Values of a list that are shown. */
export const maxShownValues = 100;

const limits = [
  ['minLength', 'minLength'],
  ['maxLength', 'maxLength'],
  ['minimum', 'min'],
  ['maximum', 'max'],
  ['minItems', 'minItems'],
  ['maxItems', 'maxItems'],
  ['pattern', 'pattern'],
] as const;

/** Keywords that are shown by their names, which every language keeps. */
const plainLimits = [
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'uniqueItems',
  'minProperties',
  'maxProperties',
];

/** The bounds, the values and the examples of a schema; of the items of a list, too. */
export function constraints(page: SpecPage, shape: SchemaShape, example?: unknown): VNode | null {
  const { keywords } = shape;
  const items = shape.types.includes('array') ? page.shapes.of(keywords.items).keywords : {};
  const value = (given: unknown) => <code>{specValue(given)}</code>;
  const shown: ComponentChild[] = [];
  const add = (label: ComponentChild, ...values: ComponentChild[]) =>
    shown.push(
      <li>
        {label} {values}
      </li>,
    );
  if (keywords.default !== undefined) add(marks.word('default'), value(keywords.default));
  const all = Array.isArray(keywords.enum) ? keywords.enum : Array.isArray(items.enum) ? items.enum : [];
  const values = keywords.const === undefined ? all : [keywords.const];
  if (values.length > 0)
    add(
      marks.word('possibleValues'),
      values.slice(0, maxShownValues).flatMap((one, at) => (at === 0 ? [value(one)] : [' ', value(one)])),
      values.length > maxShownValues ? ' …' : null,
    );
  for (const [name, word] of limits) if (keywords[name] !== undefined) add(marks.word(word), value(keywords[name]));
  for (const name of plainLimits) if (keywords[name] !== undefined) add(<code>{name}</code>, value(keywords[name]));
  if (isSpecObject(keywords.not))
    add(marks.word('not'), <code>{typeLabel(page.shapes, page.shapes.of(keywords.not))}</code>);
  const [sample] = [example, keywords.example, ...specList(keywords.examples, 1)].filter((one) => one !== undefined);
  if (sample !== undefined) add(marks.word('example'), value(sample));
  return shown.length === 0 ? null : <ul class="constraints">{shown}</ul>;
}
