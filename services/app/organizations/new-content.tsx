import type { VNode } from 'preact';
import { contentContract } from '../../content/contract.js';
import type { CollectionResource } from '../../content/resources.js';
import { Menu } from '../elements/elements.js';
import { Button, Field, Form, Select } from '../elements/forms.js';
import type { FormFields } from '../frame/form-fields.js';
import { fieldsSentBy } from '../frame/refusals.js';
import type { Onward, ScreenRequest } from '../frame/screen.js';
import { templateOptions } from './templates.js';

type Making = Pick<ScreenRequest, 'words' | 'formToken' | 'refused'>;

/** The menus that make a space and a collection: in one of these collections, or in the one that is shown. */
export function newContent(
  { words, formToken, refused }: Making,
  place: { collections: readonly CollectionResource[] } | { parent: string },
): VNode {
  const { home } = words;
  const parents =
    'parent' in place
      ? undefined
      : [{ value: '', text: home.topLevel }, ...place.collections.map(({ id, title }) => ({ value: id, text: title }))];
  const menu = (action: 'space' | 'collection', label: string) => {
    const sent = fieldsSentBy({ refused }, action);
    return (
      <Menu label={label} open={sent !== undefined}>
        <Form token={formToken} action={action}>
          <Field
            label={home.name}
            name="title"
            id={`new-${action}`}
            required
            maxLength={50}
            value={sent?.text('title')}
          />
          {parents ? (
            <Select
              label={home.inCollection}
              name="parent"
              id={`new-${action}-parent`}
              value={sent?.raw('parent')}
              options={parents}
            />
          ) : (
            <input type="hidden" name="parent" value={'parent' in place ? place.parent : ''} />
          )}
          {action === 'space' && (
            <Select
              label={words.templates.template}
              name="template"
              value={sent?.raw('template')}
              options={[{ value: '', text: words.templates.none }, ...templateOptions({ words })]}
            />
          )}
          <Button kind="primary">{home.create}</Button>
        </Form>
      </Menu>
    );
  };
  return (
    <>
      {menu('space', home.newSpace)}
      {menu('collection', home.newCollection)}
    </>
  );
}

type Asking = Pick<ScreenRequest, 'call' | 'to'>;

const bodyOf = (fields: FormFields) => {
  const parent = fields.optional('parent');
  return { title: fields.text('title'), ...(parent === undefined ? {} : { parent }) };
};

export async function makeSpace({ call, to }: Asking, organizationId: string, fields: FormFields): Promise<Onward> {
  const template = fields.optional('template');
  const body = { ...bodyOf(fields), ...(template === undefined ? {} : { template: { id: template } }) };
  const made = await call(contentContract.createSpace, { path: { organizationId }, body });
  return { to: to.space(made.id), done: 'created' };
}

export async function makeCollection(
  { call, to }: Asking,
  organizationId: string,
  fields: FormFields,
): Promise<Onward> {
  const made = await call(contentContract.createCollection, { path: { organizationId }, body: bodyOf(fields) });
  return { to: to.collection(made.id), done: 'created' };
}
