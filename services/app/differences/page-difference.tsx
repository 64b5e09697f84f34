import type { ComponentChildren, VNode } from 'preact';
import { notFound } from '../../../shared/errors/errors.js';
import { eachInSlices } from '../../../shared/work/slices.js';
import {
  decodeShownDifference,
  type FieldDifference,
  type ShownDifference,
  showDifference,
} from '../../content/contract.js';
import { Heading, Notice, sign } from '../elements/elements.js';
import type { ScreenRequest, View } from '../frame/screen.js';
import { inTextLanguage, openBodyFilling, textLanguage } from '../reading/page-body.js';
import { pageAddress } from '../reading/places.js';
import { fill } from '../words/languages.js';
import type { Words } from '../words/words.js';
import type { Comparison } from './comparison.js';
import { Kinds } from './difference-list.js';

/** The difference of one page, without what stands around it. */
export async function pageDifference(
  request: ScreenRequest,
  comparison: Comparison,
  page: string,
): Promise<Pick<View, 'title' | 'main'>> {
  const { call, words } = request;
  const shown = decodeShownDifference(await call(showDifference, { ...comparison.asked, page }));
  if (!shown) throw notFound('Page');
  const texts = words.differences;
  const { before, after, changes, fields, form, parts } = shown;
  const title = (after ?? before)?.title ?? '';
  const filled = await filledParts(request, comparison, shown);
  return {
    title: fill(texts.titleOf, title),
    main: (
      <>
        <Heading
          title={title}
          lead={
            <>
              <Kinds words={words} changes={changes} /> <a href={comparison.all}>{texts.all}</a>
            </>
          }
        >
          {after && shown.page && (
            <a class="button" href={pageAddress(request, comparison.place, after.path)}>
              {sign('book-open')} {texts.read}
            </a>
          )}
        </Heading>
        {fields.length > 0 && <Fields words={words} fields={fields} />}
        {form === 'tooLarge' && <Notice kind="warning">{texts.tooLarge}</Notice>}
        {form === 'lines' && <Notice>{texts.byLines}</Notice>}
        {form !== 'tooLarge' && !parts.some(({ kind }) => kind !== 'same') && <p class="hint-text">{texts.sameText}</p>}
        <div class={`body difference ${form}`} {...textLanguage(comparison.place)}>
          {partsView(words, filled)}
        </div>
      </>
    ),
  };
}

type Part = ShownDifference['parts'][number];

/** The parts with their links filled in. */
async function filledParts(
  request: ScreenRequest,
  { place }: Comparison,
  { parts, outside }: ShownDifference,
): Promise<Part[]> {
  const fillIn = await openBodyFilling(inTextLanguage(request, place), place, { outside });
  const filled: Part[] = [];
  await eachInSlices(parts, (part) =>
    filled.push(
      'html' in part
        ? { ...part, html: fillIn(part.html) }
        : { ...part, before: fillIn(part.before), after: fillIn(part.after) },
    ),
  );
  return filled;
}

/** Parts without changes that stay in sight beside those with some. */
const around = 1;
/** Runs without changes that are shorter are not folded. */
const minFolded = 3;

/** The parts in their order; long runs without changes are folded. */
function partsView(words: Words, parts: readonly Part[]): VNode[] {
  const out: VNode[] = [];
  for (let at = 0; at < parts.length; ) {
    let end = at;
    while (parts[end]?.kind === 'same') end += 1;
    if (end === at) {
      out.push(partView(words, parts[at] as Part));
      at += 1;
      continue;
    }
    const first = at === 0 ? 0 : around;
    const last = end === parts.length ? 0 : around;
    const folded = parts.slice(at + first, end - last);
    if (folded.length < minFolded) out.push(...parts.slice(at, end).map((part) => partView(words, part)));
    else {
      out.push(...parts.slice(at, at + first).map((part) => partView(words, part)));
      out.push(
        <details class="folded">
          <summary>{fill(words.differences.unchanged, folded.length)}</summary>
          {folded.map((part) => partView(words, part))}
        </details>,
      );
      out.push(...parts.slice(end - last, end).map((part) => partView(words, part)));
    }
    at = end;
  }
  return out;
}

const Html = ({ html, class: kind }: { html: string; class?: string }): VNode => (
  <div class={kind} dangerouslySetInnerHTML={{ __html: html }} />
);

function partView({ differences }: Words, part: Part): VNode {
  if (part.kind === 'same') return <Html html={part.html} class="part same" />;
  const names = {
    added: differences.addedPart,
    removed: differences.removedPart,
    changed: differences.changedPart,
  };
  const name = 'moved' in part && part.moved ? differences.movedPart : names[part.kind];
  return (
    <div class={`part ${part.kind}`}>
      <span class="visually-hidden">{name}</span>
      {'html' in part ? (
        <Html html={part.html} />
      ) : (
        <div class="sides">
          <Side name={differences.before}>
            <Html html={part.before} class="removed" />
          </Side>
          <Side name={differences.after}>
            <Html html={part.after} class="added" />
          </Side>
        </div>
      )}
    </div>
  );
}

const Side = ({ name, children }: { name: string; children: ComponentChildren }): VNode => (
  <figure>
    <figcaption>{name}</figcaption>
    {children}
  </figure>
);

function Fields({ words, fields }: { words: Words; fields: readonly FieldDifference[] }): VNode {
  const { differences } = words;
  return (
    <table class="field-table">
      <caption class="visually-hidden">{differences.fields}</caption>
      <thead>
        <tr>
          <th scope="col">{differences.field}</th>
          <th scope="col">{differences.before}</th>
          <th scope="col">{differences.after}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr>
            <th scope="row">{nameOf(words, field)}</th>
            <td>
              <del>{valueText(words, field.before)}</del>
            </td>
            <td>
              <ins>{valueText(words, field.after)}</ins>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function nameOf({ differences }: Words, field: FieldDifference): string {
  const key = `field${field.field[0]?.toUpperCase()}${field.field.slice(1)}` as FieldName;
  return 'name' in field ? `${differences[key]}: ${field.name}` : differences[key];
}

type FieldName = `field${Capitalize<FieldDifference['field']>}`;

function valueText({ differences }: Words, value: unknown): string {
  if (value === undefined) return differences.absent;
  if (typeof value === 'boolean') return value ? differences.yes : differences.no;
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
