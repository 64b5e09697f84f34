import type { ComponentChildren, VNode } from 'preact';
import type {
  ChangeKind,
  ComparedFile,
  Differing,
  FileDifference,
  ListedDifferences,
  PageDifference,
} from '../../content/contract.js';
import { Badge } from '../elements/badge.js';
import { Emblem, Empty, Row, Rows, sign } from '../elements/elements.js';
import type { ScreenRequest } from '../frame/screen.js';
import { fill } from '../words/languages.js';
import type { Words } from '../words/words.js';
import type { Comparison } from './comparison.js';

interface ListProps {
  request: ScreenRequest;
  comparison: Comparison;
  differences: ListedDifferences;
}

/** Lists everything that differs: pages lead to their differences, images stand side by side. */
export function DifferenceList({ request, comparison, differences }: ListProps): VNode {
  const { words } = request;
  const { pages, files, reusableContents, variables } = differences;
  const texts = words.differences;
  if (pages.total + files.total + reusableContents.total + variables.total === 0) return <Empty>{texts.none}</Empty>;
  return (
    <>
      <Part words={words} title={texts.pages} of={pages}>
        {pages.items.map((page) => pageRow(request, comparison, page))}
      </Part>
      <Part words={words} title={texts.files} of={files}>
        {files.items.map((file) => fileRow(request, file))}
      </Part>
      <Part words={words} title={texts.reusable} of={reusableContents}>
        {reusableContents.items.map(({ before, after, changes }) => (
          <Row title={(after ?? before)?.title ?? ''} lead={sign('cube')}>
            <Kinds words={words} changes={changes} />
          </Row>
        ))}
      </Part>
      <Part words={words} title={texts.variables} of={variables}>
        {variables.items.map(({ name, before, after }) => (
          <Row
            title={name}
            lead={sign('code')}
            about={
              <>
                <del>{before ?? texts.absent}</del> <ins>{after ?? texts.absent}</ins>
              </>
            }
          />
        ))}
      </Part>
    </>
  );
}

interface PartProps {
  words: Words;
  title: string;
  of: Differing<unknown>;
  children: ComponentChildren;
}

const Part = ({ words, title, of: { total, items }, children }: PartProps): VNode | null =>
  total === 0 ? null : (
    <div class="difference-kind">
      <h3>
        {title} <span class="number">{total}</span>
      </h3>
      <Rows label={title}>{children}</Rows>
      {total > items.length && <p class="hint-text">{fill(words.differences.more, total - items.length)}</p>}
    </div>
  );

function pageRow(
  { words }: ScreenRequest,
  comparison: Comparison,
  { id, type, before, after, changes }: PageDifference,
) {
  const { title = '', emoji, icon } = after ?? before ?? {};
  return (
    <Row
      href={comparison.page(id)}
      title={title}
      lead={<Emblem emoji={emoji} icon={icon} fallback={type === 'group' ? 'folder' : 'file-lines'} />}
      about={formerNames(words, before, after)}
    >
      <Kinds words={words} changes={changes} />
    </Row>
  );
}

/** The former title and address of a page that has others now. */
function formerNames({ differences }: Words, before: PageDifference['before'], after: PageDifference['after']) {
  if (!before || !after) return undefined;
  const former = [
    before.title === after.title ? [] : before.title,
    before.path === after.path ? [] : `/${before.path}`,
  ].flat();
  return former.length === 0 ? undefined : fill(differences.formerly, former.join(' · '));
}

function fileRow({ words, to }: ScreenRequest, { before, after, changes }: FileDifference): VNode {
  const isEdited = changes.includes('edited') || !before || !after;
  const shown = [before, after].filter((file): file is ComparedFile => file?.isImage === true);
  return (
    <li class="row file-row">
      <div class="row-text">
        <p class="row-title">
          <bdi>{(after ?? before)?.name}</bdi>
        </p>
        {isEdited && shown.length > 0 && (
          <div class="images">
            {shown.map((file) => (
              <figure>
                <img src={to.root + file.path} alt={file.name} loading="lazy" {...file.dimensions} />
                <figcaption>{file === after ? words.differences.after : words.differences.before}</figcaption>
              </figure>
            ))}
          </div>
        )}
      </div>
      <div class="actions">
        <Kinds words={words} changes={changes} />
      </div>
    </li>
  );
}

const looks = {
  added: { kind: 'success', icon: 'plus' },
  removed: { kind: 'danger', icon: 'minus' },
  edited: { kind: 'info', icon: 'pen' },
  moved: { kind: 'plain', icon: 'arrow-right-arrow-left' },
  renamed: { kind: 'plain', icon: 'i-cursor' },
} as const;

/** Says what became of a thing. */
export const Kinds = ({ words, changes }: { words: Words; changes: readonly ChangeKind[] }): VNode => (
  <>
    {changes.map((kind) => (
      <Badge {...looks[kind]}>{words.differences[kind]}</Badge>
    ))}
  </>
);
