import type { VNode } from 'preact';
import { invalid } from '../../../shared/errors/errors.js';
import { findPeople } from '../../content/contract.js';
import type { User } from '../../identity/resources.js';
import { jsonAnswer } from '../frame/answers.js';
import { endpoint, type ScreenRequest } from '../frame/screen.js';
import { type Place, spacePlace } from '../reading/places.js';
import { fill } from '../words/languages.js';

type Asking = Pick<ScreenRequest, 'call'>;

const maxListed = 100;
/** The id of the list that fields for names offer. */
export const peopleList = 'people';

/** People whom comments may mention, by their names; nobody for a person who may not comment. */
async function mentionable({ call }: Asking, { space }: Place, search: string, limit: number): Promise<User[]> {
  if (!space.permissions.comment) return [];
  const { organization, id } = space;
  return call(findPeople, { organization, space: id, right: 'view', search, limit });
}

/** Labels people for the list: by their names, with their ids where several have the same. */
function labelsOf(people: readonly User[]): { label: string; person: User }[] {
  const counts = new Map<string, number>();
  for (const { displayName } of people) counts.set(displayName, (counts.get(displayName) ?? 0) + 1);
  return people.map((person) => {
    const { id, displayName } = person;
    return { label: counts.get(displayName) === 1 ? displayName : `${displayName} (${id})`, person };
  });
}

/** The names of people for the fields of all forms of a screen; absent where nobody can be mentioned. */
export async function peopleOptions(request: Asking, place: Place): Promise<VNode | null> {
  const people = await mentionable(request, place, '', maxListed);
  if (people.length === 0) return null;
  return (
    <datalist id={peopleList}>
      {labelsOf(people).map(({ label }) => (
        <option value={label} />
      ))}
    </datalist>
  );
}

/** Finds who is called so. Throws 400 for nobody, and for several. */
export async function personNamed(
  request: Pick<ScreenRequest, 'call' | 'words'>,
  place: Place,
  given: string,
): Promise<User> {
  const { comments } = request.words;
  const name = given.replace(/^@/, '').slice(0, 256);
  const found = await mentionable(request, place, name, maxListed);
  const named = found.filter(({ displayName }) => displayName.toLowerCase() === name.toLowerCase());
  if (named.length === 0) named.push(...(await labelled(request, place, name)));
  const [person, second] = named;
  if (!person) throw invalid(fill(comments.nobodyNamed, given));
  if (second) throw invalid(fill(comments.severalNamed, given));
  return person;
}

/** The person of a name with an id behind it, as the list has it for people of the same name. */
async function labelled(request: Asking, place: Place, label: string): Promise<User[]> {
  const [, name, id] = /^(.*) \((\w+)\)$/.exec(label) ?? [];
  if (name === undefined) return [];
  return (await mentionable(request, place, name, maxListed)).filter((each) => each.id === id);
}

const maxPicked = 8;

/** People whom a comment may mention, for a script that completes their names. */
export const peopleEndpoint = endpoint({
  path: '/s/{space}/~/people',
  method: 'GET',
  async answer(request) {
    const place = await spacePlace(request, request.path.space);
    const found = await mentionable(request, place, (request.query.get('q') ?? '').slice(0, 100), maxPicked);
    return jsonAnswer({ people: found.map(({ id, displayName }) => ({ id, name: displayName })) });
  },
});
