import type { ComponentChild, VNode } from 'preact';
import { highlight } from '../code/highlight.js';
import type { SpecPage } from './spec-page.js';

export type SampleLanguage = 'bash' | 'javascript' | 'python' | 'json' | 'text';

function highlighted(page: SpecPage, code: string, language: SampleLanguage): ComponentChild {
  if (page.compact || code.length > page.highlightLeft) return code;
  page.highlightLeft -= code.length;
  return highlight(code, language).map(({ text, kind }) =>
    kind === '' ? text : <span class={`hl-${kind}`}>{text}</span>,
  );
}

/** Code that people copy. It can be scrolled by keyboard. */
export const codeFigure = (
  page: SpecPage,
  { title, code, language }: { title: ComponentChild; code: string; language: SampleLanguage },
): VNode => (
  <figure class="code" data-language={language === 'text' ? undefined : language}>
    {title ? <figcaption>{title}</figcaption> : null}
    <pre tabindex={0}>
      <code>{highlighted(page, code, language)}</code>
    </pre>
  </figure>
);

export interface SampleTab {
  title: string;
  content: ComponentChild;
}

const maxTabs = 12;

/** Panels of which one is shown, without a script: the first until another is chosen. A single one stands by itself. */
export function sampleTabs(page: SpecPage, tabs: SampleTab[]): ComponentChild {
  const [only] = tabs;
  if (!only) return null;
  if (tabs.length === 1) return only.content;
  const group = `${page.prefix}samples:${++page.groups}`;
  return (
    <div class="tabs samples">
      {tabs.slice(0, maxTabs).map(({ title, content }, at) => [
        <input type="radio" class="tab-input" name={group} id={`${group}:${at + 1}`} />,
        <label class="tab-label" for={`${group}:${at + 1}`}>
          {title}
        </label>,
        <div class="tab-panel">{content}</div>,
      ])}
    </div>
  );
}
