import type { VNode } from 'preact';
import { contentContract } from '../../content/contract.js';
import type { CollectionResource, Space } from '../../content/resources.js';
import { identityContract } from '../../identity/contract.js';
import { Button, Form, Select } from '../elements/forms.js';
import type { FormFields } from '../frame/form-fields.js';
import { fieldsSentBy } from '../frame/refusals.js';
import type { Onward, ScreenRequest } from '../frame/screen.js';
import { fill } from '../words/languages.js';
import { contentOf, type OrganizationContent } from './navigation.js';

/** A space or a collection that is moved. */
export type Moved = Pick<Space | CollectionResource, 'id' | 'title' | 'organization' | 'parent' | 'object'>;

type Asking = Pick<ScreenRequest, 'call'>;

/** Where a space or a collection may be put, for who administers it. */
export async function placeCards(request: ScreenRequest, moved: Moved): Promise<VNode> {
  const [content, others] = await Promise.all([
    contentOf(request, moved.organization),
    organizationsBeside(request, moved.organization),
  ]);
  return (
    <>
      {moveCard(request, moved, content)}
      {orderCard(request, moved, content)}
      {others.length > 0 && transferCard(request, moved, others)}
    </>
  );
}

function moveCard(request: ScreenRequest, { id, parent = '' }: Moved, { collections }: OrganizationContent): VNode {
  const { words, formToken } = request;
  const { moving, home } = words;
  const sent = fieldsSentBy(request, 'move');
  const inside = collectionsIn(collections, id);
  const offered = collections.filter((each) => each.permissions.create && !inside.has(each.id));
  return (
    <details class="panel" open={sent !== undefined}>
      <summary>{moving.move}</summary>
      <Form token={formToken} action="move">
        <Select
          label={moving.to}
          name="parent"
          id="move-parent"
          value={sent?.raw('parent') ?? parent}
          options={[
            { value: '', text: home.topLevel },
            ...offered.map(({ id: value, title: text }) => ({ value, text })),
          ]}
        />
        <p>{moving.moveText}</p>
        <Button kind="primary">{moving.move}</Button>
      </Form>
    </details>
  );
}

/** The collection with those in it. */
function collectionsIn(collections: readonly CollectionResource[], root: string): Set<string> {
  const found = new Set([root]);
  for (let before = 0; before !== found.size; ) {
    before = found.size;
    for (const { id, parent } of collections) if (parent !== undefined && found.has(parent)) found.add(id);
  }
  return found;
}

/** Among those of its kind: the screens show collections before spaces. */
function orderCard(
  request: ScreenRequest,
  { id, parent, object }: Moved,
  { spaces, collections }: OrganizationContent,
): VNode | null {
  const { words, formToken } = request;
  const { moving, frame } = words;
  const siblings = (object === 'space' ? spaces : collections).filter((each) => each.parent === parent);
  const [first] = siblings.filter((each) => each.id !== id);
  if (!first) return null;
  const before = siblings[siblings.findIndex((each) => each.id === id) - 1];
  const value = before ? `after ${before.id}` : `before ${first.id}`;
  return (
    <details class="panel">
      <summary>{moving.order}</summary>
      <Form token={formToken} action="order">
        <Select
          label={moving.place}
          name="place"
          value={value}
          options={[
            { value: `before ${first.id}`, text: moving.first },
            ...siblings.flatMap((each) =>
              each.id === id ? [] : [{ value: `after ${each.id}`, text: fill(moving.after, each.title) }],
            ),
          ]}
        />
        <Button kind="primary">{frame.save}</Button>
      </Form>
    </details>
  );
}

interface Choice {
  id: string;
  title: string;
}

/** The other organizations in which a person may create. */
async function organizationsBeside({ call }: Asking, organization: string): Promise<Choice[]> {
  const list = { path: {}, query: { limit: 1000 } };
  const { items } = await call(identityContract.listOrganizationsForAuthenticatedUser, list);
  return items.filter(({ id, permissions }) => id !== organization && permissions.createContent);
}

function transferCard(request: ScreenRequest, { title }: Moved, others: readonly Choice[]): VNode {
  const { words, formToken } = request;
  const { moving } = words;
  const sent = fieldsSentBy(request, 'transfer');
  return (
    <details class="panel" open={sent !== undefined}>
      <summary>{moving.transfer}</summary>
      <Form token={formToken} action="transfer">
        <p>{moving.transferText}</p>
        <Select
          label={moving.organization}
          name="organization"
          value={sent?.raw('organization')}
          options={others.map(({ id: value, title: text }) => ({ value, text }))}
        />
        <Button kind="danger" confirm={fill(moving.transferConfirm, title)}>
          {moving.transfer}
        </Button>
      </Form>
    </details>
  );
}

type Body = {
  parent?: string | null;
  position?: { before: Pointer } | { after: Pointer };
};
type Pointer = { type: 'space'; space: string } | { type: 'collection'; collection: string };

interface Placing {
  object: Moved['object'];
  id: string;
  /** The address of the screen that shows it. */
  shown: string;
}

/** The actions of `placeCards`. */
export const placeActions = <R extends Asking>(of: (request: R) => Placing) => {
  const move = async (request: R, body: Body): Promise<Onward> => {
    const { object, id, shown } = of(request);
    if (object === 'space') await request.call(contentContract.moveSpace, { path: { spaceId: id }, body });
    else await request.call(contentContract.moveCollection, { path: { collectionId: id }, body });
    return { to: shown, done: 'moved' };
  };
  return {
    move: (request: R, fields: FormFields) => move(request, { parent: fields.text('parent') || null }),
    order: (request: R, fields: FormFields) => {
      const [side, id = ''] = fields.text('place').split(' ');
      const { object } = of(request);
      const pointer: Pointer = object === 'space' ? { type: object, space: id } : { type: object, collection: id };
      return move(request, { position: side === 'before' ? { before: pointer } : { after: pointer } });
    },
    async transfer(request: R, fields: FormFields): Promise<Onward> {
      const { object, id, shown } = of(request);
      const body = { organization: fields.text('organization') };
      if (object === 'space') await request.call(contentContract.transferSpace, { path: { spaceId: id }, body });
      else await request.call(contentContract.transferCollection, { path: { collectionId: id }, body });
      return { to: shown, done: 'transferred' };
    },
  };
};
