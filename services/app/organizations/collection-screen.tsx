import type { VNode } from 'preact';
import { contentContract } from '../../content/contract.js';
import type { CollectionResource } from '../../content/resources.js';
import { Emblem, Empty, Heading, Row, Rows } from '../elements/elements.js';
import { Button, Deletion, Field, Form, Select } from '../elements/forms.js';
import { levelOf, levelOptions, levelValue } from '../elements/levels.js';
import { fieldsSentBy } from '../frame/refusals.js';
import { type ScreenRequest, screen } from '../frame/screen.js';
import { fill } from '../words/languages.js';
import { placeActions, placeCards } from './moving.js';
import { contentOf, organizationNavigation } from './navigation.js';
import { makeCollection, makeSpace, newContent } from './new-content.js';
import { newestFirst, spaceRow } from './space-rows.js';

type Asking = Pick<ScreenRequest<'{collection}'>, 'call' | 'path'>;

const read = ({ call, path }: Asking): Promise<CollectionResource> =>
  call(contentContract.getCollectionById, { path: { collectionId: path.collection } });

/** A collection: the spaces and collections in it, and for those who may, its settings. */
export const collection = screen({
  path: '/c/{collection}',
  async show(request) {
    const { to, words } = request;
    const shown = await read(request);
    const { id, title, description, organization, parent, permissions } = shown;
    const content = await contentOf(request, organization);
    const inside = content.spaces.filter((each) => each.parent === id);
    const nested = content.collections.filter((each) => each.parent === id);
    const above = content.collections.find((each) => each.id === parent);
    return {
      title,
      organization,
      crumbs: above ? [{ title: above.title, href: to.collection(above.id) }] : [],
      sidebar: organizationNavigation(request, content, { organization, here: to.collection(id) }),
      main: (
        <>
          <Heading title={title} lead={description}>
            {permissions.create && newContent(request, { parent: id })}
          </Heading>
          {inside.length + nested.length === 0 && <Empty>{words.home.emptyCollection}</Empty>}
          <Rows label={title}>
            {nested.map((each) => (
              <Row href={to.collection(each.id)} title={each.title} lead={<Emblem fallback="folder" />} />
            ))}
            {inside.sort(newestFirst).map((space) => spaceRow(request, space))}
          </Rows>
          {permissions.admin && settings(request, shown, await placeCards(request, shown))}
        </>
      ),
    };
  },
  actions: {
    async save({ call, path, to }, fields) {
      const body = {
        title: fields.text('title'),
        description: fields.text('description'),
        defaultLevel: levelOf(fields.raw('defaultLevel')),
      };
      await call(contentContract.updateCollectionById, { path: { collectionId: path.collection }, body });
      return { to: to.collection(path.collection), done: 'saved' };
    },
    async delete(request) {
      const { organization, parent } = await read(request);
      await request.call(contentContract.deleteCollectionById, { path: { collectionId: request.path.collection } });
      const { to } = request;
      return { to: parent === undefined ? to.organization(organization) : to.collection(parent), done: 'deleted' };
    },
    ...placeActions(({ path, to }: Asking & Pick<ScreenRequest, 'to'>) => ({
      object: 'collection',
      id: path.collection,
      shown: to.collection(path.collection),
    })),
    space: async (request, fields) => makeSpace(request, (await read(request)).organization, fields),
    collection: async (request, fields) => makeCollection(request, (await read(request)).organization, fields),
  },
});

function settings(
  { words, formToken, refused }: ScreenRequest,
  { title, description = '', defaultLevel }: CollectionResource,
  placing: VNode,
): VNode {
  const { home, frame } = words;
  const sent = fieldsSentBy({ refused }, 'save');
  return (
    <div class="settings-cards">
      <details class="panel" open={sent !== undefined}>
        <summary>{home.collectionSettings}</summary>
        <Form token={formToken} action="save">
          <Field label={home.name} name="title" required maxLength={50} value={sent?.text('title') ?? title} />
          <Field
            label={home.description}
            name="description"
            maxLength={100}
            value={sent?.text('description') ?? description}
          />
          <Select
            label={home.defaultLevel}
            name="defaultLevel"
            value={sent?.raw('defaultLevel') ?? levelValue(defaultLevel)}
            options={levelOptions(words)}
          />
          <Button kind="primary">{frame.save}</Button>
        </Form>
      </details>
      {placing}
      <Deletion
        token={formToken}
        title={home.deleteCollection}
        text={home.deleteCollectionText}
        confirm={fill(home.deleteCollectionConfirm, title)}
      />
    </div>
  );
}
