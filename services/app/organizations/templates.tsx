import type { VNode } from 'preact';
import { contentContract, spaceTemplates } from '../../content/contract.js';
import type { Space } from '../../content/resources.js';
import { Button, Form, Select } from '../elements/forms.js';
import type { FormFields } from '../frame/form-fields.js';
import type { Onward, ScreenRequest } from '../frame/screen.js';

/** The templates, by the names that people read. */
export const templateOptions = ({ words: { templates } }: Pick<ScreenRequest, 'words'>) => {
  const names: Record<(typeof spaceTemplates)[number], string> = {
    documentation: templates.documentation,
    'api-reference': templates.apiReference,
    'knowledge-base': templates.knowledgeBase,
    changelog: templates.changelog,
  };
  return spaceTemplates.map((value) => ({ value, text: names[value] }));
};

/** Fills an empty space, for those who may edit it. */
export function templateForm(request: ScreenRequest, { permissions }: Space): VNode | null {
  const { words, formToken } = request;
  if (!permissions.edit) return null;
  return (
    <section class="panel">
      <Form token={formToken} action="template">
        <Select label={words.templates.begin} name="template" options={templateOptions(request)} />
        <Button kind="primary">{words.templates.apply}</Button>
      </Form>
    </section>
  );
}

export async function fillFromTemplate(
  { call, path, to }: ScreenRequest<'{space}'>,
  fields: FormFields,
): Promise<Onward> {
  const body = { id: fields.text('template') };
  await call(contentContract.applyTemplateToSpace, { path: { spaceId: path.space }, body });
  return { to: to.space(path.space), done: 'created' };
}
