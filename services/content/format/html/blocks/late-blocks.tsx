import type { BlockNode } from '../../document/document-model.js';
import { wrapInLink } from '../inlines/inlines.js';
import { fileTarget, linkTargetOf } from '../links.js';
import { marks } from '../marks.js';
import { readFields, textIn, textsIn } from '../read-data.js';
import type { LateBlock } from '../rendered-body.js';
import { type Child, claimId, leaveLate, type Rendering } from '../rendering.js';
import { renderCaption } from './figures.js';

/** Blocks that depend on more than the revision leave a mark. */
export function leaveEmbed(rendering: Rendering, node: BlockNode): Child {
  const { url, fullWidth } = readFields(node.data);
  const caption = renderCaption(rendering, node);
  if (!URL.canParse(textIn(url))) return withoutEmbed(textIn(url), caption);
  const mark = renderLate(rendering, { kind: 'embed', url: textIn(url), fullWidth: fullWidth === true });
  return caption === null ? (
    mark
  ) : (
    <figure class="embed">
      {mark}
      {caption}
    </figure>
  );
}

/** Nobody can be asked about what is no address. */
function withoutEmbed(text: string, caption: Child): Child {
  if (text === '' && caption === null) return null;
  return (
    <figure class="embed">
      {text === '' ? null : (
        <span class="broken" title={marks.word('brokenLink')}>
          {text}
        </span>
      )}
      {caption}
    </figure>
  );
}

export function leaveIntegration(rendering: Rendering, node: BlockNode): Child {
  const { integration, block, props, url, fullWidth } = readFields(node.data);
  const mark = renderLate(rendering, {
    kind: 'integration',
    integration: textIn(integration),
    block: textIn(block),
    props: readFields(props),
    ...(textIn(url) === '' ? {} : { url: textIn(url) }),
  });
  return fullWidth === true ? <div class="wide">{mark}</div> : mark;
}

export function leaveOpenApi(rendering: Rendering, node: BlockNode): Child {
  const data = readFields(node.data);
  const ref = readFields(data.ref);
  const spec = ref.kind === 'file' ? { file: textIn(ref.file) } : { slug: textIn(ref.spec) };
  const id = claimId(rendering, node.meta?.id);
  if (rendering.outlined) rendering.outline.push({ late: rendering.late.length });
  return renderLate(rendering, { kind: 'openapi', spec, id, shown: shownOf(node.type, data) });
}

function shownOf(type: string, data: Record<string, unknown>): Extract<LateBlock, { kind: 'openapi' }>['shown'] {
  const method = textIn(data.method);
  if (type === 'openapi-webhook') return { type: 'webhook', name: textIn(data.name), method };
  if (type === 'openapi-schemas')
    return { type: 'schemas', schemas: textsIn(data.schemas), grouped: data.grouped !== false };
  return { type: 'operation', path: textIn(data.path), method, expanded: data.expanded === true };
}

/** The place of a block that is filled later; for writers, everything that the source says of it. */
function renderLate(rendering: Rendering, block: LateBlock): Child {
  return rendering.asWritten ? (
    <div class={`late-block late-${block.kind}`}>{describeLate(rendering, block)}</div>
  ) : (
    leaveLate(rendering, block)
  );
}

function describeLate(rendering: Rendering, block: LateBlock): Child {
  if (block.kind === 'embed') return wrapInLink(linkTargetOf(rendering, { kind: 'url', url: block.url }), block.url);
  if (block.kind === 'integration')
    return [
      <code>{`${block.integration}/${block.block}`}</code>,
      block.url === undefined ? null : <p>{block.url}</p>,
      Object.keys(block.props).length === 0 ? null : <pre>{textIn(JSON.stringify(block.props, null, 2))}</pre>,
    ];
  const { shown, spec } = block;
  const file = 'file' in spec ? fileTarget(rendering, spec.file)?.file : undefined;
  return [
    <code>{'slug' in spec ? spec.slug : textIn(file?.name) || spec.file}</code>,
    ' ',
    <code>{namesOfLate(shown)}</code>,
  ];
}

function namesOfLate(shown: Extract<LateBlock, { kind: 'openapi' }>['shown']): string {
  if (shown.type === 'schemas') return shown.schemas.join(', ');
  return `${shown.method.toUpperCase()} ${shown.type === 'webhook' ? shown.name : shown.path}`;
}
