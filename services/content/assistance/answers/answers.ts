import { setTimeout as delay } from 'node:timers/promises';
import type { HasCallAsSystem } from '../../../../shared/contract/context.js';
import { apiError, forbidden, invalid, notFound } from '../../../../shared/errors/errors.js';
import { estimateTokens, type HasModel, type Model } from '../../../../shared/model/model.js';
import { scaleMs } from '../../../../shared/settings/time-scale.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { newTimelessId, timeIn, timestamp } from '../../../../shared/values/ids.js';
import { identityContract } from '../../../identity/contract.js';
import type { SearchDependencies } from '../../reading/search/search.js';
import type { HasAllowance, Settle } from '../allowance/allowance.js';
import type { BeginAnswer, FollowAnswer } from '../contract/answering.js';
import { findSections } from './found-sections.js';
import { type AnswerDocument, answers, type Turn } from './model.js';
import { buildPrompt, type Prompt, splitAnswer } from './prompt.js';

export type AnswersDependencies = SearchDependencies & HasStore & HasModel & HasAllowance & HasCallAsSystem;

/** Milliseconds for which an answer can be read. */
const keptMs = 24 * 3_600_000;
/** Milliseconds between two writes of an answer that grows. */
const flushMs = 500;
/** Milliseconds after which nobody reads an answer any more. */
const leftMs = scaleMs(6_000);
/** Milliseconds after which a process that writes nothing of an answer is taken for dead. */
const aliveMs = scaleMs(15_000);
/** Milliseconds that a reader waits for a change. */
const waitMs = 1_000;
const pollMs = 250;
/** Earlier questions of a conversation that the model gets again. */
const maxTurns = 5;

/** An answer that this process makes. */
interface Live {
  document: AnswerDocument;
  abort: AbortController;
  /** When somebody last asked for it, by `performance.now`. */
  seenAt: number;
  changed: () => void;
  next: Promise<void>;
}

const modelFailed = () => apiError('UNAVAILABLE', 'The answer could not be made; ask again later', 'model_failed');

/** The model of the installation, for an organization. Throws 412 without one, 403 where the organization has switched it off. */
export async function modelFor(
  { model, callAsSystem }: HasModel & HasCallAsSystem,
  organizationId: string,
): Promise<Model> {
  if (!model)
    throw apiError(
      'PRECONDITION_FAILED',
      'This installation asks no model: MODEL_URL is not set',
      'model_not_configured',
    );
  const { ai } = await callAsSystem()(identityContract.getOrganizationById, { path: { organizationId } });
  if (!ai) throw forbidden('The organization has switched off what a model answers (`ai`)', 'ai_disabled');
  return model;
}

/**
 * Makes answers, and lets those who asked follow them. The process that makes one notes in the store how far it is, so that any process can
 * tell; it ends what nobody follows.
 */
export class Answers {
  private readonly live = new Map<string, Live>();

  constructor(private readonly deps: AnswersDependencies) {}

  /** Begins an answer. Returns its id. Throws 412 without a model, 429 where as much was asked as may be. */
  async begin({
    organization,
    site,
    asker,
    question,
    before = [],
    previous,
    spaces,
    claims,
    page,
  }: BeginAnswer): Promise<string> {
    const { allowance, store } = this.deps;
    const model = await modelFor(this.deps, organization);
    const turns = await this.turnsBefore({ asker: asker.id, site, spaces, previous, before });
    await allowance.countQuestion(organization, asker.counted);
    await store.deleteMany(answers, { expiresAt: { $lte: timestamp() } });
    // A question that goes on with another says less than both.
    const asked = [...turns.slice(-1).map((turn) => turn.question), question].join(' ');
    const found = await findSections(this.deps, { organization, spaces, question: asked, claims, page });
    const maxTokens = model.contextTokens - model.answerTokens;
    const prompt = buildPrompt({ question, before: turns, sources: found, maxTokens });
    const document: AnswerDocument = {
      _id: newTimelessId(),
      organization,
      ...(site === undefined ? {} : { site }),
      asker: asker.id,
      question,
      before: turns,
      sources: prompt.sources.map(({ heading: _, text: __, ...source }) => source),
      state: prompt.sources.length > 0 ? 'running' : 'done',
      text: '',
      version: 1,
      aliveUntil: timeIn(aliveMs),
      createdAt: timestamp(),
      expiresAt: timeIn(keptMs),
    };
    if (document.state === 'done') await store.insert(answers, document);
    else await this.start(model, document, prompt);
    return document._id;
  }

  /** How far an answer is, once that is more than the asker knows or a second is over. Throws 404 for one that is not for the asker, or not any more. */
  async follow({ id, asker, known, spaces }: Omit<FollowAnswer, 'format'>): Promise<AnswerDocument> {
    const live = this.live.get(id);
    if (live && isFor(live.document, asker, spaces)) {
      live.seenAt = performance.now();
      if (live.document.version <= known) await Promise.race([live.next, delay(waitMs)]);
      return unlessFailed(live.document);
    }
    const until = performance.now() + waitMs;
    for (;;) {
      const found = await this.deps.store.update(answers, { _id: id, asker }, { $set: { seenAt: timestamp() } });
      if (!found || !isFor(found, asker, spaces)) throw notFound('Answer');
      if (found.version > known || found.state !== 'running' || performance.now() > until) return unlessFailed(found);
      if (found.aliveUntil < timestamp()) throw modelFailed();
      await delay(pollMs);
    }
  }

  /** Ends all answers of this process that are not made yet. */
  async stop(): Promise<void> {
    for (const { abort } of this.live.values()) abort.abort(modelFailed());
    while (this.live.size > 0) await delay(10);
  }

  /** The conversation before a question: what the asker says was asked, or the answer that it goes on with. */
  private async turnsBefore({
    asker,
    site,
    spaces,
    previous,
    before,
  }: Pick<BeginAnswer, 'site' | 'spaces' | 'previous'> & { asker: string; before: string[] }): Promise<Turn[]> {
    if (previous === undefined) return before.slice(-maxTurns).map((question) => ({ question, answer: '' }));
    const found = await this.deps.store.get(answers, previous);
    if (!found || found.site !== site || !isFor(found, asker, spaces))
      throw invalid('previousResponseId: no such response of yours');
    const { text: answer } = splitAnswer(found.text, true);
    return [...found.before, { question: found.question, answer }].slice(-maxTurns);
  }

  private async start(model: Model, document: AnswerDocument, prompt: Prompt): Promise<void> {
    const { allowance, store } = this.deps;
    const settle = await allowance.takeTokens(document.organization, prompt.tokens + model.answerTokens);
    const live: Live = { document, abort: new AbortController(), seenAt: performance.now(), ...newSignal() };
    this.live.set(document._id, live);
    await store.insert(answers, document);
    const flushing = setInterval(() => void this.flush(live), flushMs);
    const made = this.make(model, live, prompt, settle).finally(async () => {
      clearInterval(flushing);
      this.live.delete(document._id);
    });
    // One that fails at once is an answer of the operation.
    await Promise.race([made, live.next, delay(waitMs)]);
    made.catch(() => undefined);
  }

  private async make(model: Model, live: Live, { messages, tokens }: Prompt, settle: Settle): Promise<void> {
    let used = 0;
    try {
      const { text, use } = await model.complete({
        purpose: 'ask',
        organization: live.document.organization,
        messages,
        maxTokens: model.answerTokens,
        onText: (text) => change(live, { text }),
        signal: live.abort.signal,
      });
      used = use.sent + use.answered;
      change(live, { text, state: 'done' });
    } catch (error) {
      // What was answered until then was used.
      const { text } = live.document;
      used = text === '' ? 0 : tokens + estimateTokens(text);
      change(live, { state: 'failed' });
      throw error;
    } finally {
      await Promise.allSettled([settle(used), this.writeDocument(live.document)]);
    }
  }

  /** Writes how far an answer is, and ends one that nobody follows. */
  private async flush(live: Live): Promise<void> {
    const written = await this.writeDocument(live.document).catch(() => undefined);
    const sinceSeenElsewhere =
      written?.seenAt === undefined ? Number.POSITIVE_INFINITY : Date.now() - Date.parse(written.seenAt);
    const unseenMs = Math.min(performance.now() - live.seenAt, sinceSeenElsewhere);
    if (unseenMs > leftMs) live.abort.abort(modelFailed());
  }

  private writeDocument({ _id, text, state, version }: AnswerDocument) {
    const aliveUntil = timeIn(aliveMs);
    return this.deps.store.update(
      answers,
      { _id, state: 'running', version: { $lte: version } },
      { $set: { text, state, version, aliveUntil } },
    );
  }
}

/** Whether an answer is of this asker, made from spaces that it may still read. */
function isFor(document: AnswerDocument, asker: string, spaces: string[]): boolean {
  const readable = new Set(spaces);
  return document.asker === asker && document.sources.every(({ space }) => readable.has(space));
}

function unlessFailed(document: AnswerDocument): AnswerDocument {
  if (document.state === 'failed') throw modelFailed();
  return document;
}

function newSignal(): Pick<Live, 'changed' | 'next'> {
  let changed = () => {};
  const next = new Promise<void>((resolve) => {
    changed = resolve;
  });
  return { changed, next };
}

function change(live: Live, fields: Partial<Pick<AnswerDocument, 'text' | 'state'>>): void {
  live.document = { ...live.document, ...fields, version: live.document.version + 1 };
  const { changed } = live;
  Object.assign(live, newSignal());
  changed();
}
