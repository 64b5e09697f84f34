import { element, type Say } from './dom.js';
import { sendForHtml } from './requests.js';

interface TrustedPolicy {
  createHTML(html: string): string;
}
declare global {
  interface Window {
    trustedTypes?: { createPolicy(name: string, rules: TrustedPolicy): TrustedPolicy };
  }
}

/** The server made the HTML, and escaped every text in it. */
const policy: TrustedPolicy = window.trustedTypes?.createPolicy('bindery', { createHTML: (html) => html }) ?? {
  createHTML: (html) => html,
};

/** Milliseconds of rest before a page is shown anew: longer where it is long. */
const waitMs = 400;
const charactersInMs = 500;

/** The page beside its text. */
export class Preview {
  private asking = new AbortController();
  private waiting = 0;
  private shown: string | undefined;

  constructor(
    private readonly pane: HTMLElement,
    private readonly options: { url: string; read: () => string; say: Say },
  ) {}

  /** The text was changed: the page is shown anew after a moment of rest. */
  changed(): void {
    clearTimeout(this.waiting);
    const ms = Math.max(waitMs, (this.shown?.length ?? 0) / charactersInMs);
    if (this.isVisible) this.waiting = window.setTimeout(() => void this.refresh(), ms);
  }

  get isVisible(): boolean {
    return !this.pane.hidden;
  }

  toggle(isVisible: boolean): void {
    this.pane.hidden = !isVisible;
    if (isVisible) void this.refresh();
  }

  private async refresh(): Promise<void> {
    const { url, read, say } = this.options;
    const markdown = read();
    if (markdown === this.shown) return;
    this.asking.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    const answer = await sendForHtml(url, { markdown }, signal);
    if (signal.aborted) return;
    if (answer.kind === 'ok') this.show(answer.value);
    else this.note(answer.kind === 'refused' ? answer.message : say('previewFailed'));
    this.shown = answer.kind === 'ok' ? markdown : undefined;
  }

  private show(html: string): void {
    const parsed = new DOMParser().parseFromString(policy.createHTML(html), 'text/html');
    for (const link of parsed.querySelectorAll('a[href]:not([href^="#"])')) {
      link.setAttribute('target', '_blank');
      link.setAttribute('rel', 'noopener');
    }
    // The policy of the screen does not know frames that are written while it is open.
    for (const frame of parsed.querySelectorAll('iframe')) {
      const { src, title } = frame;
      frame.replaceWith(element('a', { href: src, target: '_blank', rel: 'noopener' }, title || src));
    }
    const { scrollTop, scrollLeft } = this.pane;
    this.pane.replaceChildren(...parsed.body.childNodes);
    this.pane.scrollTo(scrollLeft, scrollTop);
  }

  /** Says above the last page why there is no newer one. */
  private note(message: string): void {
    this.pane.querySelector('.editor-note')?.remove();
    this.pane.prepend(element('p', { class: 'notice warning editor-note' }, message));
  }
}
