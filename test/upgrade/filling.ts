import { operations } from '../../services/gateway/contracts.js';
import { examplesOf } from '../../shared/contract/examples.js';
import type { AnyOperation } from '../../shared/contract/operation.js';
import { filledOrganization } from '../support/filled.js';
import { type NewUser, newUser } from '../support/fixtures.js';
import { ended } from '../support/imports/import-target.js';
import { sampleOf } from '../support/requests/sample.js';
import type { Setting } from '../support/requests/setting.js';
import type { Answer, Client } from '../support/server.js';
import { inside, newTenants } from '../support/tenants.js';
import { type Asker, answerTo, type Question } from './answers.js';

/** What was filled in: something of every kind. */
export interface Filling {
  setting: Setting;
  tokens: Record<Asker, string>;
  /** Everything that can be read of it. */
  questions: Question[];
}

/** They need a mail server, or a model. */
const notByRequest = [
  ...['requestSignIn', 'signIn'],
  ...['askInOrganization', 'streamAskInSite', 'streamAIResponseInSite', 'runTranslation'],
];

const isOpenToPeople = ({ access }: AnyOperation) => access === 'public' || access.caller.includes('user');

/** Members of bodies, by operation. */
type Members = Record<string, string[]>;

/**
 * Sends every example of every operation with which a person writes, as an admin; the answers that are not what the contract says.
 * @param unknown Examples with one of these members are not sent.
 */
export async function sendExamples(
  of: AnyOperation[],
  setting: Setting,
  admin: NewUser,
  unknown: Members = {},
): Promise<string[]> {
  const refused: string[] = [];
  const writing = of.filter(({ id, method }) => method !== 'GET' && !notByRequest.includes(id));
  for (const operation of writing.filter(isOpenToPeople))
    for (const [at, example] of [null, ...examplesOf(operation.body)].slice(operation.body ? 1 : 0).entries()) {
      if (unknown[operation.id]?.some((member) => member in Object(example))) continue;
      const { path, body } = await sampleOf(operation, setting, admin, operation.body ? at : null);
      const answer = await admin.client.request(operation.method, `/v1${path}`, body);
      if (!(await isDone(operation, admin.client, answer)))
        refused.push(`${operation.method} ${path} (${operation.id}): ${answer.status} ${JSON.stringify(answer.body)}`);
    }
  return refused;
}

/** Whether an operation did what it says; waits for what goes on after its request, as it may on a busy machine. */
async function isDone(operation: AnyOperation, client: Client, { status, body }: Answer): Promise<boolean> {
  if (status !== 202 || !operation.accepted) return status === operation.status;
  return (await ended(client, body)).state === 'completed';
}

/** The operations that fill, what of their bodies is not known, and those that are asked: all of this release by default. */
interface Known {
  filling?: AnyOperation[];
  asked?: AnyOperation[];
  unknown?: Members;
}

/** Fills an organization, and others, with something of every kind, through the API. */
export async function fill(
  root: Client,
  organization: string,
  { filling = operations, asked = operations, unknown }: Known = {},
): Promise<Filling> {
  const admin = await newUser(root, { organization, role: 'admin' });
  const member = await newUser(root, { organization, role: 'read' });
  const setting = { admin: root, organization, member };
  const refused = await sendExamples(filling, setting, admin, unknown);
  const hasOidc = asked.some(({ id }) => id === 'createOrganizationOIDCProvider');
  const tenants = await newTenants(root, { hasOidc });
  const filled = await filledOrganization(root, { hasOidc });
  const tokens = { admin: root.token, member: member.token, both: tenants.both.token };
  const questions: Question[] = [];
  for (const operation of asked.filter(({ method, service }) => method === 'GET' && service !== 'insights')) {
    const { path } = await sampleOf(operation, setting, admin);
    for (const by of ['admin', 'member'] as const) questions.push({ operation: operation.id, by, path: `/v1${path}` });
  }
  const others = [...inside(tenants.a), ...inside(tenants.b)].filter((path) => !path.includes('/insights/'));
  for (const path of others) questions.push({ operation: '', by: 'both', path });
  for (const path of await contentPaths(root, filled.space)) questions.push({ operation: '', by: 'admin', path });
  if (refused.length > 0) throw new Error(`not filled:\n${refused.join('\n')}`);
  return { setting, tokens, questions: [...questions, ...(await pagesOf(root, questions, tokens))] };
}

/** A space with all that it holds, in every form. */
async function contentPaths(client: Client, space: string): Promise<string[]> {
  const at = `/v1/spaces/${space}/content`;
  const { body } = await client.get(at);
  const all = (pages: any[]): any[] => pages.flatMap((page) => [page, ...all(page.pages ?? [])]);
  return [
    ...['', '?metadata=false', '/pages', '/files'].map((rest) => at + rest),
    ...['', '/links', '/search?query=code', '/permissions/aggregate', '/git/info'].map(
      (rest) => `/v1/spaces/${space}${rest}`,
    ),
    ...all(body.pages).flatMap(({ id }) =>
      ['', '?format=markdown', '?format=document', '?format=source', '/links', '/backlinks'].map(
        (rest) => `${at}/page/${id}${rest}`,
      ),
    ),
    ...body.files.flatMap(({ id }: { id: string }) => [`${at}/files/${id}`, `${at}/files/${id}/backlinks`]),
  ];
}

/** The second page of each list, by the token that the first one gave. */
async function pagesOf(client: Client, questions: Question[], tokens: Record<Asker, string>): Promise<Question[]> {
  const pages: Question[] = [];
  for (const question of questions.filter(({ by }) => by !== 'member')) {
    const path = `${question.path}${question.path.includes('?') ? '&' : '?'}limit=1`;
    const { status, body } = await answerTo({ ...question, path }, { client, tokens });
    const page = status === 200 && (body as { next?: { page: string } } | null)?.next?.page;
    if (page) pages.push({ ...question, path: `${path}&page=${encodeURIComponent(page)}` });
  }
  return pages;
}
