import type { Call } from '../../../shared/contract/service.js';
import type { JobKind } from '../../../shared/jobs/jobs.js';
import { type HasMail, unlessStopped } from '../../../shared/outbound/mail.js';
import type { HasStore, Store } from '../../../shared/store/port.js';
import { groupBy } from '../../../shared/values/group-by.js';
import { sha256, timestamp } from '../../../shared/values/ids.js';
import { findReaders, presentSpaces, readTexts } from '../../content/contract.js';
import type { Text } from '../../content/resources.js';
import { findMailRecipients, type MailRecipient, openUserLookup } from '../../identity/contract.js';
import { findRequestsOf, type NamedRequest } from '../places/change-requests.js';
import { bodyExcerpt } from '../texts/excerpts.js';
import { comments, replies, type TextDocument } from '../texts/model.js';
import { type DigestEntry, digestMail } from './digest-mail.js';
import { type Notice, notices, reviewNotices } from './model.js';
import { type DigestPayload, digestJobKinds } from './notices.js';

type Dependencies = HasStore & HasMail & { baseUrl: string; callAsSystem: () => Call };

/** Entries that one mail shows; it says how many more there are. */
const maxShown = 50;
const dayMs = 24 * 3_600_000;

/** Sends a user one mail about all that was written for them. What is gone, or what they may not read any more, is left out. */
export const digestJob = (deps: Dependencies, kind: keyof typeof digestJobKinds): JobKind<DigestPayload> => ({
  kind: digestJobKinds[kind],
  attempts: 5,
  backoff: (attempts) => 5000 * 6 ** (attempts - 1),
  async run({ job, signal }) {
    const { store, mail } = deps;
    const { user, until } = job.payload;
    // After a long outage of the mail server, notices that are more than a day old are dropped.
    await removeNotices(store, { user, createdAt: { $lt: timestamp(new Date(Date.parse(until) - dayMs)) } });
    const filter = { user, createdAt: { $lt: until } };
    const { items, count } = await readNotices(store, filter);
    const digest = await composeDigest(deps, items);
    if (digest) {
      const more = count - items.length;
      const { recipient, entries } = digest;
      const { address, unsubscribeURL } = recipient;
      const message = digestMail(entries, { unsubscribeURL, more });
      await unlessStopped(signal, mail.send({ id: sha256(job._id).slice(0, 32), to: address, ...message }));
    }
    await removeNotices(store, filter);
  },
});

type Waited = {
  user: string;
  /** ISO 8601. */
  createdAt: { $lt: string };
};

/** The oldest notices, and how many there are. */
async function readNotices(store: Store, filter: Waited): Promise<{ items: Notice[]; count: number }> {
  const list = { filter, sort: { createdAt: 1 }, limit: maxShown } as const;
  const [texts, reviews, ...counts] = await Promise.all([
    store.page(notices, list),
    store.page(reviewNotices, list),
    store.count(notices, filter),
    store.count(reviewNotices, filter),
  ]);
  const items = [...texts.items, ...reviews.items].sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  return { items: items.slice(0, maxShown), count: counts.reduce((sum, each) => sum + each, 0) };
}

async function removeNotices(store: Store, filter: Waited): Promise<void> {
  await Promise.all([store.deleteMany(notices, filter), store.deleteMany(reviewNotices, filter)]);
}

interface Digest {
  recipient: MailRecipient;
  entries: DigestEntry[];
}

/** Undefined where there is nothing to report, or the user wants no mail. */
async function composeDigest(deps: Dependencies, items: Notice[]): Promise<Digest | undefined> {
  const call = deps.callAsSystem();
  const texts = await readNoticedTexts(deps, items);
  const entries: DigestEntry[] = [];
  let recipient: MailRecipient | undefined;
  for (const [organization, ofOrganization] of groupBy(items, (item) => item.organization)) {
    const [found] = await call(findMailRecipients, { organization, users: [ofOrganization[0]?.user ?? ''] });
    if (!found) continue;
    recipient = found;
    entries.push(...(await readDigestEntries(deps, { call, organization, items: ofOrganization, texts })));
  }
  return recipient && entries.length > 0 ? { recipient, entries } : undefined;
}

const noticedTextId = ({ comment, reply }: Notice): string => reply ?? comment ?? '';

/** The comments and replies that the notices are about, by id. A reply without its comment is left out: it cannot be reached any more. */
async function readNoticedTexts({ store }: Dependencies, items: Notice[]): Promise<Map<string, NoticedText>> {
  const [ofComments, ofReplies] = await Promise.all([
    store.getMany(comments, [...new Set(items.flatMap(({ comment }) => comment ?? []))]),
    store.getMany(
      replies,
      items.flatMap(({ reply }) => reply ?? []),
    ),
  ]);
  const byId = new Map<string, NoticedText>(ofComments.map((comment) => [comment._id, { ...comment, about: comment }]));
  for (const reply of ofReplies) {
    const about = byId.get(reply.comment)?.about;
    if (about) byId.set(reply._id, { ...reply, about });
  }
  return byId;
}

type NoticedText = TextDocument & { about: { seen?: { page: { title: string; path: string } } } };

interface Entries {
  call: Call;
  organization: string;
  items: Notice[];
  texts: ReadonlyMap<string, NoticedText>;
}

/** The entries of one organization, in the order of its notices. */
async function readDigestEntries(
  { baseUrl }: Dependencies,
  { call, organization, items, texts }: Entries,
): Promise<DigestEntry[]> {
  const titles = await readableSpaceTitles(call, organization, items);
  const readable = items.flatMap((item) => {
    const text = texts.get(noticedTextId(item));
    const space = titles.get(item.space);
    return (text || item.changeRequest !== undefined) && space !== undefined ? [{ item, text, space }] : [];
  });
  const written = [...new Set(readable.flatMap(({ text }) => text ?? []))];
  const people = [
    ...written.flatMap(({ author, mentions }) => [author, ...mentions]),
    ...readable.flatMap(({ item }) => item.actor ?? []),
  ];
  const [read, userBy, requests] = await Promise.all([
    written.length > 0 ? call(readTexts, { organization, texts: written.map(({ body }) => body as Text) }) : [],
    openUserLookup(call, organization, people),
    findRequestsOf(
      call,
      readable.map(({ item, text }) => ({ space: item.space, changeRequest: changeRequestOf(item, text) })),
    ),
  ]);
  const nameOf = (user: string) => userBy(user)?.displayName ?? user;
  const excerptOf = (text: NoticedText | undefined): string => {
    const body = text && read[written.indexOf(text)];
    return body && 'document' in body ? bodyExcerpt(body.document, nameOf) : '';
  };
  return readable.flatMap(({ item, text, space }): DigestEntry[] => {
    const named = changeRequestOf(item, text);
    const request = named === undefined ? undefined : requests.get(named);
    const parts = { space, excerpt: excerptOf(text), address: addressOf(baseUrl, item.space, request) };
    if (item.changeRequest !== undefined)
      return request ? [newReviewEntry(item, { ...parts, request, author: nameOf(item.actor ?? '') })] : [];
    return text ? [newDigestEntry(item, { ...parts, request, text, author: nameOf(text.author) })] : [];
  });
}

/** The change request that a notice, or the text that it is about, belongs to. */
const changeRequestOf = (item: Notice, text: NoticedText | undefined): string | undefined =>
  item.changeRequest ?? text?.changeRequest;

/** The address of a space, or of a change request. */
const addressOf = (baseUrl: string, space: string, request: NamedRequest | undefined): string =>
  `${baseUrl}/app/s/${space}${request ? `/~/changes/${request.number}` : ''}`;

/** The titles of those spaces that the recipient of the notices may view. */
async function readableSpaceTitles(
  call: Call,
  organization: string,
  items: Notice[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(items.map(({ space }) => space))];
  const users = items.slice(0, 1).map(({ user }) => user);
  const [spaces, readers] = await Promise.all([
    call(presentSpaces, { organization, ids }),
    Promise.all(ids.map((space) => call(findReaders, { organization, space, users }))),
  ]);
  const readable = spaces.filter((_, at) => readers[at]?.length);
  return new Map(readable.flatMap((space): [string, string][] => (space ? [[space.id, space.title]] : [])));
}

interface EntryParts {
  space: string;
  excerpt: string;
  author: string;
  /** Leads to the space, or to the change request. */
  address: string;
}

/** A text on the content of a space is found on its page, one on a change request among its comments. */
function newDigestEntry(
  { reason, comment = '' }: Notice,
  { request, text, address, ...parts }: EntryParts & { request: NamedRequest | undefined; text: NoticedText },
): DigestEntry {
  const { page } = text.about.seen ?? {};
  const url = request
    ? `${address}/~/comments?status=all#comment-${comment}`
    : `${address}${page ? `/${page.path}` : ''}`;
  return { reason, ...parts, ...(page ? { page: page.title } : {}), url };
}

const newReviewEntry = (
  { reason }: Notice,
  { request: { number, subject }, address, ...parts }: EntryParts & { request: NamedRequest },
): DigestEntry => ({ reason, ...parts, changeRequest: subject.trim() || `#${number}`, url: address });
