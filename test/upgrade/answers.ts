import type { Client } from '../support/server.js';
import { changedFields } from './accepted.js';

/** Those who ask: the first user, a member of its organization, and an admin of two others. */
export type Asker = 'admin' | 'member' | 'both';

/** A GET request with its answer, in which `somewhere` stands for the address of the server. */
export interface RecordedAnswer {
  operation: string;
  by: Asker;
  path: string;
  status: number;
  body: unknown;
}

export type Question = Pick<RecordedAnswer, 'operation' | 'by' | 'path'>;

const somewhere = 'http://somewhere.example';

/** What changes by itself. */
const changing = /\.(lastUsedAt|checkedAt|nextCheckAt)$/;

/** What names the release, in the answer at the root of the API. */
const naming = /^\.(version|build)$/;

/** What is signed anew for each answer. */
const signed: [RegExp, string][] = [
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'token'],
  [/(\/~files\/[^?"\s)]*)\?[^"\s)\\]*/g, '$1?signature'],
];

/** A copy of what a server said without its address and without signatures. */
export function withoutAddress<T>(said: T, url: string): T {
  const text = JSON.stringify(said);
  const plain = text.replaceAll(url, somewhere).replaceAll(encodeURIComponent(url), encodeURIComponent(somewhere));
  return JSON.parse(signed.reduce((changed, [form, name]) => changed.replace(form, name), plain)) as T;
}

const withAddress = (text: string, url: string) =>
  text.replaceAll(somewhere, url).replaceAll(encodeURIComponent(somewhere), encodeURIComponent(url));

/** Whom to ask. */
export interface Asked {
  client: Client;
  /** The public address of the server; that of the client by default. */
  url?: string;
  tokens: Record<Asker, string>;
}

export async function answerTo(
  question: Question,
  { client, url = client.url, tokens }: Asked,
): Promise<RecordedAnswer> {
  const path = withAddress(question.path, url);
  const { status, body } = await client.get(path, { token: tokens[question.by] });
  return withoutAddress({ ...question, path, status, body: (body ?? null) as unknown }, url);
}

/** Asks one after the other. */
export async function answersTo(questions: Question[], asked: Asked): Promise<RecordedAnswer[]> {
  const answers: RecordedAnswer[] = [];
  for (const question of questions) answers.push(await answerTo(question, asked));
  return answers;
}

/** What differs from recorded answers, besides what changes by itself: a line a difference. */
export const changesSince = (recorded: RecordedAnswer[], now: RecordedAnswer[]): string[] =>
  recorded.flatMap((answer, n) => changesIn(answer, now[n] as RecordedAnswer));

/** The parts of an answer that another lacks or has otherwise. More fields are no difference. */
function differences(before: unknown, after: unknown, at = ''): string[] {
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((item, n) => differences(item, after[n], `${at}[${n}]`));
  if (isObject(before) && isObject(after))
    return Object.entries(before).flatMap(([name, value]) => differences(value, after[name], `${at}.${name}`));
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [at];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function changesIn(recorded: RecordedAnswer, now: RecordedAnswer): string[] {
  const { by, path } = recorded;
  const changes = (place: string) =>
    !changing.test(place) && !changedFields.test(place) && !(path === '/v1/' && naming.test(place));
  const changed = differences(recorded.body, now.body).filter(changes);
  if (recorded.status !== now.status)
    return [`${path} (${by}): ${recorded.status} became ${now.status}: ${JSON.stringify(now.body)}`];
  return changed.map(
    (place) => `${path} (${by}): ${place}: ${valueAt(recorded.body, place)} became ${valueAt(now.body, place)}`,
  );
}

function valueAt(body: unknown, place: string): string {
  const names = [...place.matchAll(/[^.[\]]+/g)].map(([name]) => name);
  const value = names.reduce<any>((part, name) => part?.[name], body);
  return String(JSON.stringify(value)).slice(0, 200);
}
