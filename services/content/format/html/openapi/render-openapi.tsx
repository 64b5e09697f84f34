import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { type BodyWord, marks } from '../marks.js';
import type { LateBlock, OutlineEntry } from '../rendered-body.js';
import { operationTitle, operationView } from './operation-view.js';
import { type Operation, operationAt, webhookAt } from './operations.js';
import { schemaBody, schemaPlace } from './schema-view.js';
import { anchorPart, newSpecPage, type SpecPage, type SpecPageOptions } from './spec-page.js';
import { ownValue, type SpecObject, specText } from './spec-values.js';

export type OpenApiBlock = LateBlock & { kind: 'openapi' };

/** A block as HTML with marks. */
export interface RenderedSpecBlock {
  html: string;
  heading?: OutlineEntry;
}

/**
 * Renders the blocks of a page that show a specification of OpenAPI 3.1 or 3.2, in their order. Never throws,
 * whatever the specification holds. `spec`: undefined where it cannot be had.
 */
export function renderOpenApi(
  spec: SpecObject | undefined,
  blocks: OpenApiBlock[],
  options: SpecPageOptions = {},
): RenderedSpecBlock[] {
  if (!spec) return blocks.map(() => ({ html: renderToString(unavailable('unavailableSpecification')) }));
  const page = newSpecPage(spec, blocks.length, options);
  const ids = new Set<string>();
  return blocks.map((block) => blockHtml(page, block, { id: newId(block, { page, ids }), blocks: blocks.length }));
}

const maxOpenBlocks = 5;
/** Operations of a page that are in its outline; more are too many to choose from. */
const maxOutlined = 200;

function blockHtml(
  page: SpecPage,
  { shown }: OpenApiBlock,
  { id, blocks }: { id: string; blocks: number },
): RenderedSpecBlock {
  if (shown.type === 'schemas') return { html: renderToString(modelsView(page, shown, id)) };
  const operation: Operation | undefined =
    shown.type === 'operation'
      ? operationAt(page, shown.path, shown.method)
      : webhookAt(page, shown.name, shown.method);
  if (!operation) return { html: renderToString(unavailable('unavailableOperation', id)) };
  const isOpen = blocks <= maxOpenBlocks || (shown.type === 'operation' && shown.expanded);
  const html = renderToString(operationView(page, operation, { id, isOpen }));
  return blocks > maxOutlined ? { html } : { html, heading: { id, title: operationTitle(operation), level: 1 } };
}

const unavailable = (word: BodyWord, id?: string): VNode => (
  <aside class="hint hint-warning" role="note" aria-label={marks.word('warning')} id={id}>
    <div class="hint-body">
      <p>{marks.word(word)}</p>
    </div>
  </aside>
);

/** The anchor of a block; without one, made of what it shows. */
function newId({ id, shown }: OpenApiBlock, { page, ids }: { page: SpecPage; ids: Set<string> }): string {
  const name =
    shown.type === 'operation'
      ? `${shown.method} ${shown.path}`
      : shown.type === 'webhook'
        ? `webhook ${shown.method} ${shown.name}`
        : 'models';
  const wanted = id ?? `${page.prefix}${anchorPart(name) || 'operation'}`;
  let made = wanted;
  for (let number = 2; ids.has(made); number++) made = `${wanted}-${number}`;
  ids.add(made);
  return made;
}

const maxModels = 2000;

/** Models by their names: closed in a list, or each for itself. */
function modelsView(
  page: SpecPage,
  { schemas, grouped }: OpenApiBlock['shown'] & { type: 'schemas' },
  id: string,
): VNode {
  const all = ownValue(page.document.components, 'schemas');
  const names = [...new Set(schemas)].filter((name) => ownValue(all, name) !== undefined).slice(0, maxModels);
  if (names.length === 0) return unavailable('unavailableOperation', id);
  const rows = Math.ceil(page.maxRows / Math.min(names.length, 100));
  const isOpen = !grouped || names.length === 1;
  return (
    <section class="models" id={id}>
      {isOpen ? null : <h2>{marks.word('models')}</h2>}
      {names.map((name) => (
        <details class="model" id={`${id}-${anchorPart(name)}`} open={isOpen}>
          <summary>
            <code>{specText(name, 200)}</code>
          </summary>
          {schemaBody(page, referenceTo(name), schemaPlace({ left: rows }))}
        </details>
      ))}
    </section>
  );
}

/** A reference, so that the model is known by its name and its cycles are cut. */
const referenceTo = (name: string): SpecObject => ({
  $ref: `#/components/schemas/${encodeURIComponent(name.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1'))}`,
});
