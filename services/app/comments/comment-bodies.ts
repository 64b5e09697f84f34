import { type OutsideTarget, showReferences, showTexts } from '../../content/contract.js';
import { findUsers } from '../../identity/contract.js';
import type { ScreenRequest } from '../frame/screen.js';
import { bodyHtml } from '../reading/page-body.js';
import { type Place, visitorOf } from '../reading/places.js';

type Asking = Pick<ScreenRequest, 'call' | 'to' | 'locale'>;

/** Texts of people as HTML, in their order: links lead to screens, and people are called by their names. */
export async function textsHtml(request: Asking, place: Place, markdown: readonly string[]): Promise<string[]> {
  if (markdown.length === 0) return [];
  const { organization, id: space } = place.space;
  const texts = markdown.map((each) => ({ markdown: each }));
  const shown = await request.call(showTexts, { organization, space, texts });
  const targetOf = await targetsOf(
    request,
    place,
    shown.flatMap(({ outside }) => outside),
  );
  return Promise.all(
    shown.map(({ html, outside }) => bodyHtml(request, place, { html, outside: outside.map(targetOf) })),
  );
}

type Ref = { kind: string; user?: unknown };

/** Where references of texts lead, each asked for once. */
async function targetsOf(
  { call, to }: Asking,
  place: Place,
  refs: readonly Ref[],
): Promise<(ref: Ref) => OutsideTarget | null> {
  const { organization } = place.space;
  const byKey = new Map(refs.map((ref) => [JSON.stringify(ref), ref]));
  const users = [...byKey.values()].flatMap(({ kind, user }) => (kind === 'user' ? String(user) : []));
  const others = [...byKey].filter(([, { kind }]) => kind !== 'user');
  const [named, targets] = await Promise.all([
    users.length > 0 ? call(findUsers, { organization, ids: users }) : [],
    others.length > 0 ? call(showReferences, { visitor: visitorOf(place), refs: others.map(([, ref]) => ref) }) : [],
  ]);
  const names = new Map(named.map(({ id, displayName }) => [id, displayName]));
  const found = new Map(others.map(([key], at) => [key, targets[at] ?? null]));
  return (ref) =>
    ref.kind === 'user'
      ? {
          kind: 'url',
          url: `${to.members(organization)}#user-${ref.user}`,
          title: `@${names.get(String(ref.user)) ?? ref.user}`,
        }
      : (found.get(JSON.stringify(ref)) ?? null);
}
