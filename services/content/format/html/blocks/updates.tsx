import { renderToString } from 'preact-render-to-string';
import type { BlockNode } from '../../document/document-model.js';
import { marks } from '../marks.js';
import { childrenOf, lineOfText, readFields, readItems, textIn } from '../read-data.js';
import { type Child, claimId, newName, type Rendering, spendNode } from '../rendering.js';
import { renderChip } from '../tables/cells.js';
import { renderInner } from './text-blocks.js';

interface Tag {
  slug: string;
  label: string;
}

const maxTags = 20;
const maxTitle = 120;

/** Dated entries. The choice of a tag is hidden until a script makes it work. */
export function renderUpdates(rendering: Rendering, node: BlockNode): Child {
  const entries = childrenOf(node).filter((entry) => entry.object === 'block' && spendNode(rendering)) as BlockNode[];
  const labels = new Map(entries.flatMap((entry) => tagsOf(entry).map(({ slug, label }) => [slug, label] as const)));
  const choice = newName(rendering, 'tags');
  return (
    <section class="updates" aria-label={marks.word('updates')}>
      {labels.size === 0 ? null : (
        <form class="update-filter" hidden>
          <label for={choice}>{marks.word('filterByTag')}</label>
          <select id={choice}>
            <option value="">{marks.word('allTags')}</option>
            {[...labels].map(([slug, label]) => (
              <option value={slug}>{label}</option>
            ))}
          </select>
        </form>
      )}
      {entries.map((entry) => renderUpdate(rendering, entry))}
    </section>
  );
}

/** One dated entry, which feeds list too. */
export function renderUpdate(rendering: Rendering, node: BlockNode): Child {
  const { date } = readFields(node.data);
  const tags = tagsOf(node);
  const day = dayOf(textIn(date));
  const id = claimId(rendering, node.meta?.id ?? `update-${day || 'undated'}`) ?? newName(rendering, 'update');
  const isInner = rendering.inUpdate;
  rendering.inUpdate = true;
  const content = renderInner(rendering, childrenOf(node));
  rendering.inUpdate = isInner;
  if (day !== '' && !isInner) noteUpdate(rendering, node, { id, day, tags, content });
  return (
    <article class="update" id={id} data-tags={tags.map(({ slug }) => slug).join(' ') || undefined}>
      <header class="update-head">
        {day === '' ? textIn(date) : <time datetime={day}>{marks.date(day)}</time>}
        {tags.map(({ label }) => renderChip(label, undefined))}
      </header>
      <div class="update-body">{content}</div>
    </article>
  );
}

function noteUpdate(
  rendering: Rendering,
  node: BlockNode,
  entry: { id: string; day: string; tags: Tag[]; content: Child },
): void {
  const first = childrenOf(node).find((child) => lineOfText([child], 1) !== '');
  const title = first ? lineOfText([first], maxTitle) : entry.day;
  rendering.updates.push({
    id: entry.id,
    date: entry.day,
    title,
    tags: entry.tags.map(({ label }) => label),
    html: renderToString(<div>{entry.content}</div>).slice('<div>'.length, -'</div>'.length),
  });
}

function tagsOf(node: BlockNode): Tag[] {
  const tags = readItems(readFields(node.data).tags).slice(0, maxTags).map(readFields);
  return tags
    .map(({ slug, tag, label }) => ({
      slug: textIn(slug ?? tag ?? label).replace(/\s+/g, '-'),
      label: textIn(label ?? slug ?? tag),
    }))
    .filter(({ label }) => label !== '');
}

/** The day of a date, `2025-01-31`; empty for a text that is none. */
function dayOf(date: string): string {
  const day = /^(\d{4}-\d{2}-\d{2})(?:T|$)/.exec(date.trim())?.[1];
  return day !== undefined && !Number.isNaN(Date.parse(day)) ? day : '';
}

/** A text for an assistant, which a script offers to copy. */
export function renderPrompt(rendering: Rendering, node: BlockNode): Child {
  const description = textIn(readFields(node.data).description);
  return (
    <figure class="prompt">
      <figcaption>{description === '' ? marks.word('prompt') : description}</figcaption>
      <div class="prompt-body">{renderInner(rendering, childrenOf(node))}</div>
    </figure>
  );
}
