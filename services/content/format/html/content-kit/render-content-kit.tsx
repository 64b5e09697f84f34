import type { ComponentChild, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { highlight } from '../code/highlight.js';
import { type FramedHtml, frame } from '../embeds/frame.js';
import { ratioClass } from '../embeds/ratios.js';
import { markdownHtml } from '../openapi/markdown-html.js';
import { isSpecObject, specList, specText } from '../openapi/spec-values.js';
import { safeSource } from '../openapi/web-addresses.js';
import {
  boundText,
  type Kit,
  type KitElement,
  kitAddress,
  kitChildren,
  maxKitDepth,
  openedAddress,
} from './elements.js';
import { button, field, isField } from './inputs.js';

interface KitOptions {
  /** The address that presses of buttons are sent to by forms, in a field `action`; without it, such buttons cannot be pressed. */
  action?: string | undefined;
  /** Begins the ids of fields, which must differ on a page. */
  prefix?: string | undefined;
}

const maxElements = 5000;

/**
 * Renders what an integration answers to a render: the whole answer with its state, or its element. Never throws; unknown elements show
 * their children.
 */
export function renderContentKit(output: unknown, { action, prefix = 'kit-' }: KitOptions = {}): FramedHtml {
  const answer = isSpecObject(output) && isSpecObject(output.element) ? output : { element: output };
  const state = 'state' in answer && isSpecObject(answer.state) ? answer.state : {};
  const kit: Kit = { state, frames: new Set(), action, elementsLeft: maxElements, fields: 0, prefix };
  const html = renderToString(<div class="kit">{render(kit, answer.element, 0)}</div>);
  return { html, frames: [...kit.frames] };
}

function render(kit: Kit, element: unknown, depth: number): ComponentChild {
  if (typeof element === 'string' || typeof element === 'number') return specText(String(element), 20_000);
  if (Array.isArray(element)) return element.slice(0, 2000).map((one) => render(kit, one, depth + 1));
  if (!isSpecObject(element) || depth > maxKitDepth || kit.elementsLeft-- <= 0) return null;
  const type = specText(element.type, 40);
  const show = Object.hasOwn(elements, type) ? elements[type] : undefined;
  if (show) return show(kit, element, depth);
  return isField(element) ? field(kit, element) : inner(kit, element, depth);
}

const inner = (kit: Kit, element: KitElement, depth: number): ComponentChild[] =>
  kitChildren(element).map((child) => render(kit, child, depth + 1));

type Show = (kit: Kit, element: KitElement, depth: number) => ComponentChild;

const alignments = new Set(['start', 'center', 'end']);
const sizes = new Set(['small', 'medium', 'large']);
const among = (known: ReadonlySet<string>, value: unknown, otherwise: string) =>
  typeof value === 'string' && known.has(value) ? value : otherwise;

const stack =
  (name: string): Show =>
  (kit, element, depth) => (
    <div class={`kit-${name} kit-${among(alignments, element.align, name === 'hstack' ? 'start' : 'stretch')}`}>
      {inner(kit, element, depth)}
    </div>
  );

const elements: Record<string, Show | undefined> = {
  hstack: stack('hstack'),
  vstack: stack('vstack'),
  box: (kit, element, depth) => (
    <div class={typeof element.grow === 'number' && element.grow > 0 ? 'kit-box kit-grow' : 'kit-box'}>
      {inner(kit, element, depth)}
    </div>
  ),
  divider: (_, element) => <hr class={`kit-divider kit-${among(sizes, element.size, 'medium')}`} />,
  text: textElement,
  markdown: (kit, { content }) => (
    // The HTML is made by `markdownHtml`, which escapes all text.
    <div class="description" dangerouslySetInnerHTML={{ __html: markdownHtml(boundText(kit, content)) }} />
  ),
  codeblock: codeElement,
  code: codeElement,
  image: imageElement,
  link: linkElement,
  card: cardElement,
  hint: (kit, element, depth) => (
    <aside class="hint hint-info" role="note">
      <div class="hint-body">
        <p>{inner(kit, element, depth)}</p>
      </div>
    </aside>
  ),
  button,
  input: inputElement,
  webframe: webFrame,
  stepper: stepperElement,
  modal: modalElement,
};

function textElement(kit: Kit, element: KitElement, depth: number): ComponentChild {
  const shown = inner(kit, element, depth);
  switch (element.style) {
    case 'bold':
      return <strong>{shown}</strong>;
    case 'italic':
      return <em>{shown}</em>;
    case 'code':
      return <code>{shown}</code>;
    case 'strikethrough':
      return <s>{shown}</s>;
    default:
      return <span>{shown}</span>;
  }
}

function codeElement(kit: Kit, element: KitElement, depth: number): VNode {
  const tokens = highlight(boundText(kit, element.content), specText(element.syntax, 40));
  return (
    <figure class="code">
      {element.header === undefined ? null : <figcaption>{render(kit, element.header, depth + 1)}</figcaption>}
      <pre tabindex={0}>
        <code>{tokens.map(({ text, kind }) => (kind === '' ? text : <span class={`hl-${kind}`}>{text}</span>))}</code>
      </pre>
      {buttons(kit, element)}
      {render(kit, element.footer, depth + 1)}
    </figure>
  );
}

function buttons(kit: Kit, element: KitElement): VNode | null {
  const shown = specList(element.buttons, 20).filter(isSpecObject);
  return shown.length === 0 ? null : <div class="kit-buttons">{shown.map((one) => button(kit, one))}</div>;
}

function imageElement(_: Kit, { source, aspectRatio }: KitElement): VNode | null {
  const src = isSpecObject(source) ? safeSource(source.url) : undefined;
  return src === undefined ? null : (
    <img class={`kit-image ${ratioClass(aspectRatio)}`} src={src} alt="" loading="lazy" decoding="async" />
  );
}

function linkElement(kit: Kit, element: KitElement, depth: number): ComponentChild {
  const { target } = element;
  const href = isSpecObject(target) ? kitAddress(kit, target.url) : undefined;
  const shown = inner(kit, element, depth);
  return href === undefined ? (
    shown
  ) : (
    <a class="external" href={href} rel="noopener">
      {shown}
    </a>
  );
}

function cardElement(kit: Kit, element: KitElement, depth: number): VNode {
  const title = specText(element.title, 500);
  const href = openedAddress(kit, element.onPress);
  return (
    <div class="kit-card">
      <div class="kit-card-head">
        {isSpecObject(element.icon) ? <span class="kit-card-icon">{render(kit, element.icon, depth + 1)}</span> : null}
        <div class="kit-grow">
          {title === '' ? null : (
            <p class="kit-card-title">
              {href === undefined ? (
                title
              ) : (
                <a class="external" href={href} rel="noopener">
                  {title}
                </a>
              )}
            </p>
          )}
          {element.hint === undefined ? null : <p class="kit-card-hint">{render(kit, element.hint, depth + 1)}</p>}
        </div>
        {buttons(kit, element)}
      </div>
      {element.children === undefined ? null : <div class="kit-card-body">{inner(kit, element, depth)}</div>}
    </div>
  );
}

function inputElement(kit: Kit, element: KitElement, depth: number): VNode {
  const label = specText(element.label, 200);
  const { hint } = element;
  return (
    <div class="kit-input-row">
      {isField(element.element) ? (
        field(kit, element.element, label)
      ) : (
        <div class="kit-field">
          <span class="kit-label">{label}</span>
          {render(kit, element.element, depth + 1)}
        </div>
      )}
      {hint === undefined ? null : <p class="kit-hint">{render(kit, hint, depth + 1)}</p>}
    </div>
  );
}

function webFrame(kit: Kit, element: KitElement): VNode {
  const { source, aspectRatio } = element;
  const src = isSpecObject(source) ? source.url : undefined;
  return (
    <div class="kit-frame">
      {frame({ src, title: '', className: ratioClass(aspectRatio), isIsolated: true }, kit.frames)}
      {buttons(kit, element)}
    </div>
  );
}

/** All steps: which one is active is for people who fill them in. */
function stepperElement(kit: Kit, element: KitElement, depth: number): VNode {
  return (
    <ol class="kit-steps">
      {kitChildren(element).map((step) => (
        <li aria-current={isSpecObject(step) && step.id === element.activeStep ? 'step' : undefined}>
          {isSpecObject(step) && specText(step.title) !== '' ? (
            <p class="kit-card-title">{specText(step.title, 200)}</p>
          ) : null}
          {render(kit, step, depth + 1)}
        </li>
      ))}
    </ol>
  );
}

function modalElement(kit: Kit, element: KitElement, depth: number): VNode {
  return (
    <div class="kit-card kit-modal">
      {specText(element.title) === '' ? null : <p class="kit-card-title">{specText(element.title)}</p>}
      {element.subtitle === undefined ? null : <p class="kit-card-hint">{render(kit, element.subtitle, depth + 1)}</p>}
      {inner(kit, element, depth)}
      {isSpecObject(element.submit) ? <div class="kit-buttons">{button(kit, element.submit)}</div> : null}
    </div>
  );
}
