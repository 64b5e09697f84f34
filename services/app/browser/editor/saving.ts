import type { EditorView } from '@codemirror/view';
import type { Conflict } from '../../sources/choices.js';
import { DraftKeeper, type KeepAnswer, type KeepingState } from '../../sources/draft-keeper.js';
import type { EditorSetup, SavedText } from '../../sources/editor-setup.js';
import { askForChoices } from './conflicts.js';
import { type Say, timeText } from './dom.js';
import { changesTo, typedSource } from './line-ends.js';
import type { Notes } from './notes.js';
import { sendJson } from './requests.js';

interface SavingOptions {
  view: EditorView;
  setup: EditorSetup;
  say: Say;
  notes: Notes;
}

interface Merged {
  merged: string;
  conflicts: Conflict[];
  revision: string;
  /** The version of the draft of another window that it was merged with. */
  version?: string;
}

/** How a merge ended: `left` where the writer went back to the text. */
type Merging = 'merged' | 'left' | 'refused' | 'unreached';

/** Bytes that a request may have that outlives its page. */
const maxKeepalive = 60_000;
/** Times that a text is merged and saved again where others are faster. */
const maxAttempts = 3;

/** Keeps the text as a draft while it is typed, and saves it for good when its writer says so. */
export class Saving {
  readonly keeper: DraftKeeper;
  private revision: string;
  private saving: Promise<void> | undefined;
  private isLeaving = false;
  private isSettling = false;
  private isGivenUp = false;
  private isSignedOut = false;

  constructor(private readonly options: SavingOptions) {
    const { setup } = options;
    this.revision = setup.revision;
    this.keeper = new DraftKeeper(
      {
        read: () => typedSource(options.view.state),
        send: (markdown, version) => this.sendDraft(markdown, version),
        later(act, ms) {
          const timer = setTimeout(act, ms);
          return () => clearTimeout(timer);
        },
        show: (state) => this.showState(state),
      },
      setup.draft,
    );
    addEventListener('online', () => void this.keeper.keep());
    addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') void this.keepNow();
    });
    addEventListener('pagehide', () => void this.keepNow());
    addEventListener('beforeunload', (event) => {
      if (this.keeper.isUnsaved && !this.isGivenUp) event.preventDefault();
    });
  }

  /** Nothing of the text is wanted any more: keeps none of it from now on. What is under way ends first, so that it brings nothing back. */
  async giveUp(): Promise<void> {
    this.isGivenUp = true;
    await this.saving;
    await this.keeper.hold();
  }

  /** Saves the text into the change request, or the live space. */
  save(): Promise<void> {
    this.saving ??= this.saveHeld().finally(() => {
      this.saving = undefined;
      this.keeper.release();
    });
    return this.saving;
  }

  private async saveHeld(): Promise<void> {
    const { notes, say } = this.options;
    notes.show('save', say('saving'));
    await this.keeper.hold();
    await this.trySaving();
  }

  private async trySaving(): Promise<void> {
    const { view, setup, say, notes } = this.options;
    const fail = (text: string) => notes.warn('save', text);
    let [isMerged, message] = [false, ''];
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const markdown = typedSource(view.state);
      const about = { markdown, revision: this.revision, version: this.keeper.keptVersion };
      const answer = await sendJson<SavedText>(setup.urls.save, about);
      if (answer.kind === 'ok') return this.takeSaved(answer.value, { sent: markdown, isMerged });
      if (answer.kind === 'unreached') return fail(say('saveFailed', ''));
      if (answer.status === 401) return fail(say('signedOut'));
      message = answer.message;
      if (answer.reason !== 'revision_outdated') break;
      if ((await this.merge('content', markdown)) !== 'merged') return;
      isMerged = true;
    }
    fail(say('saveFailed', message));
  }

  private takeSaved(
    { revision, savedAt, markdown }: SavedText,
    { sent, isMerged }: { sent: string; isMerged: boolean },
  ): void {
    const { view, say, notes } = this.options;
    this.revision = revision;
    document.querySelector('[data-editor-begun]')?.remove();
    const isChanged = typedSource(view.state) !== sent;
    const changes = isChanged || markdown === undefined ? null : changesTo(view.state, markdown);
    if (changes) view.dispatch(changes);
    this.keeper.saved(savedAt, isChanged);
    notes.warn('draft', '');
    const about = isMerged ? ` ${say('merged')}` : '';
    if (!isChanged) notes.show('save', say('saved', timeText(savedAt)) + about);
  }

  /** Merges the text with what became of it elsewhere. */
  private async merge(against: 'content' | 'draft', markdown: string): Promise<Merging> {
    const { view, setup, say, notes } = this.options;
    const about = { markdown, revision: this.revision, against };
    const answer = await sendJson<Merged>(setup.urls.merge, about);
    if (answer.kind !== 'ok') {
      const message = answer.kind === 'refused' ? answer.message : '';
      if (message !== '' || against === 'content') notes.warn('save', say('saveFailed', message));
      return answer.kind;
    }
    // Nothing is lost that was typed meanwhile.
    const now = () => typedSource(view.state);
    if (now() !== markdown) return this.merge(against, now());
    const { merged, conflicts, revision, version } = answer.value;
    const lead = say(against === 'draft' ? 'draftConflictLead' : 'conflictsLead');
    const settled = conflicts.length === 0 ? merged : await askForChoices(say, { merged, conflicts, lead });
    if (settled === undefined) {
      notes.show('save', '');
      return 'left';
    }
    if (now() !== markdown) return this.merge(against, now());
    notes.warn('save', '');
    if (against === 'content') this.revision = revision;
    const changes = changesTo(view.state, settled);
    if (changes) view.dispatch(changes);
    if (against === 'draft') this.keeper.settled(version);
    return 'merged';
  }

  /** Keeps the text before its page is left. */
  private async keepNow(): Promise<void> {
    this.isLeaving = true;
    await this.keeper.keep();
    this.isLeaving = false;
  }

  private async sendDraft(markdown: string, version: string | undefined): Promise<KeepAnswer> {
    const { urls } = this.options.setup;
    const keepalive = this.isLeaving && markdown.length * 3 < maxKeepalive;
    const about = { markdown, revision: this.revision, version };
    const answer = await sendJson<KeepAnswer>(urls.draft, about, { keepalive });
    if (answer.kind === 'ok') return answer.value;
    // Whoever signs in again, in another window, goes on here.
    this.isSignedOut = answer.kind === 'refused' && answer.status === 401;
    if (answer.kind === 'unreached' || this.isSignedOut) return { kind: 'unreached' };
    return { kind: 'refused', message: answer.message };
  }

  private showState(state: KeepingState): void {
    const { say, notes } = this.options;
    if (this.saving) return;
    if (state.kind === 'kept') notes.show('draft', state.savedAt ? say('kept', timeText(state.savedAt)) : '');
    else if (state.kind === 'waiting')
      notes.warn('draft', this.isSignedOut ? say('signedOut') : say('waiting', Math.round(state.inMs / 1000)));
    else if (state.kind === 'refused') notes.warn('draft', say('saveFailed', state.message));
    else if (state.kind === 'conflict') void this.settleDraft();
    else notes.show('draft', say(state.kind));
  }

  private async settleDraft(): Promise<void> {
    if (this.isSettling) return;
    this.isSettling = true;
    const { view, say, notes } = this.options;
    const merging = await this.merge('draft', typedSource(view.state));
    this.isSettling = false;
    if (merging === 'unreached') this.keeper.postpone();
    else if (merging !== 'merged') notes.warn('draft', say('draftConflictLead'));
  }
}
