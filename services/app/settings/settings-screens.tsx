import type { VNode } from 'preact';
import { forbidden } from '../../../shared/errors/errors.js';
import { contentContract } from '../../content/contract.js';
import type { Space } from '../../content/resources.js';
import { characterOf, Heading, Section } from '../elements/elements.js';
import { Button, Deletion, Field, Form, Select, TextArea } from '../elements/forms.js';
import type { FormFields } from '../frame/form-fields.js';
import { fieldsSentBy } from '../frame/refusals.js';
import { type Route, type ScreenRequest, screen } from '../frame/screen.js';
import { forceField, operationView, repositoryFields, repositoryOf } from '../imports/git.js';
import { gitOperationOf, progressLine } from '../imports/progress.js';
import { placeActions, placeCards } from '../organizations/moving.js';
import { placeAround } from '../reading/around.js';
import { spacePlace } from '../reading/places.js';
import { fill } from '../words/languages.js';
import { languageOptions } from './language-options.js';

interface PdfSettings {
  /** Whether this installation makes PDFs. */
  makesPdfs: boolean;
}

/** The settings of a space, its exports and its end. */
export const settingsScreens = (server: PdfSettings): Route[] => [settings(server), pdf];

const settings = ({ makesPdfs }: PdfSettings) =>
  screen({
    path: '/s/{space}/~/settings',
    async show(request) {
      const { words } = request;
      const place = await spacePlace(request, request.path.space);
      const { space } = place;
      if (!space.permissions.admin) throw forbidden(words.settings.notAllowed);
      const operation = await gitOperationOf(request, space.id);
      return {
        title: words.settings.title,
        ...placeAround(request, place),
        main: (
          <>
            <Heading title={words.settings.title} />
            <Section title={words.settings.general} id="general">
              {generalForm(request, space)}
            </Section>
            <Section title={words.settings.exports} id="exports">
              {space.permissions.triggerGitSync && gitPart(request, space)}
              {makesPdfs && pdfPart(request, space)}
              {exportForm(request)}
            </Section>
            {operation && (
              <Section title={words.imports.gitState} id="git-state">
                {progressLine(request, space.id, { operation })}
                {operationView(request, operation)}
              </Section>
            )}
            <div class="settings-cards">
              {copyCard(request)}
              {await placeCards(request, space)}
              <Deletion
                token={request.formToken}
                title={words.settings.delete}
                text={words.settings.deleteText}
                confirm={fill(words.settings.deleteConfirm, space.title)}
              />
            </div>
          </>
        ),
      };
    },
    actions: {
      async save({ call, path, to }, fields) {
        await call(contentContract.updateSpaceById, { path: { spaceId: path.space }, body: settingsOf(fields) });
        return { to: to.settings(path.space), done: 'saved' };
      },
      async export({ call, path, to }, fields) {
        await call(contentContract.exportToGitRepository, {
          path: { spaceId: path.space },
          body: { ...repositoryOf(fields), commitMessage: fields.text('message') },
        });
        return { to: `${to.settings(path.space)}#git-state`, done: 'started' };
      },
      ...placeActions(({ path, to }: Pick<ScreenRequest<'{space}'>, 'call' | 'path' | 'to'>) => ({
        object: 'space',
        id: path.space,
        shown: to.settings(path.space),
      })),
      async copy({ call, path, to }) {
        const made = await call(contentContract.duplicateSpace, { path: { spaceId: path.space } });
        return made.object === 'space'
          ? { to: to.space(made.id), done: 'created' }
          : { to: to.settings(path.space), done: 'copying' };
      },
      async delete(request) {
        const { call, path, to } = request;
        const { space } = await spacePlace(request, path.space);
        await call(contentContract.deleteSpaceById, { path: { spaceId: path.space } });
        return { to: to.organization(space.organization), done: 'deleted' };
      },
    },
  });

const gitPart = ({ words: { gitSync }, to }: ScreenRequest, { id, gitSync: shown }: Space): VNode => (
  <>
    <p>{gitSync.lead}</p>
    <p class="button-line">
      <a class="button" href={to.git(id)}>
        {shown && shown.installationId !== id ? gitSync.manage : gitSync.open}
      </a>
    </p>
  </>
);

const copyCard = ({ words: { moving }, formToken }: ScreenRequest): VNode => (
  <details class="panel">
    <summary>{moving.copy}</summary>
    <Form token={formToken} action="copy">
      <p>{moving.copyText}</p>
      <Button kind="primary">{moving.copy}</Button>
    </Form>
  </details>
);

const pdfPart = ({ words, to }: ScreenRequest, { id }: Space): VNode => (
  <>
    <p>{words.settings.pdfText}</p>
    <p class="button-line">
      <a class="button" href={to.pdf(id)}>
        {words.settings.pdf}
      </a>
    </p>
  </>
);

/** Leads to the PDF of a space. */
const pdf = screen({
  path: '/s/{space}/~/pdf',
  async show({ call, path }) {
    const { url } = await call(contentContract.getSpacePDF, { path: { spaceId: path.space }, query: {} });
    const { pathname, search } = new URL(url);
    return { to: pathname + search };
  },
});

function settingsOf(fields: FormFields) {
  const language = fields.optional('language');
  return {
    title: fields.text('title'),
    emoji: fields.text('emoji') || null,
    icon: fields.text('icon') || null,
    // The language can be changed, but not be unset.
    ...(language === undefined ? {} : { language }),
    editMode: fields.text('editMode') as Space['editMode'],
  };
}

function generalForm({ words, locale, formToken, refused }: ScreenRequest, space: Space): VNode {
  const { settings } = words;
  const sent = fieldsSentBy({ refused }, 'save');
  return (
    <Form token={formToken} action="save">
      <Field label={settings.name} name="title" required maxLength={50} value={sent?.text('title') ?? space.title} />
      <div class="field-row">
        <Field
          label={settings.emoji}
          name="emoji"
          maxLength={50}
          value={sent?.text('emoji') ?? characterOf(space.emoji)}
        />
        <Field
          label={settings.icon}
          name="icon"
          type="url"
          maxLength={2048}
          value={sent?.text('icon') ?? space.urls.icon ?? ''}
        />
      </div>
      <Select
        label={settings.language}
        name="language"
        value={sent?.raw('language') ?? space.language ?? ''}
        options={[
          ...(space.language === undefined ? [{ value: '', text: settings.noLanguage }] : []),
          ...languageOptions(locale),
        ]}
      />
      <Select
        label={settings.editMode}
        name="editMode"
        value={sent?.raw('editMode') ?? space.editMode}
        options={[
          { value: 'locked', text: settings.locked },
          { value: 'live', text: settings.live },
        ]}
      />
      <Button kind="primary">{words.frame.save}</Button>
    </Form>
  );
}

function exportForm(request: ScreenRequest): VNode {
  const { words, formToken } = request;
  const { settings } = words;
  const sent = fieldsSentBy(request, 'export');
  return (
    <details class="panel" open={sent !== undefined}>
      <summary>{settings.exportGit}</summary>
      <Form token={formToken} action="export">
        <p>{settings.exportGitText}</p>
        {repositoryFields(request, { sent, prefix: 'export' })}
        <TextArea
          label={settings.message}
          name="message"
          rows={2}
          required
          maxLength={10_000}
          value={sent?.text('message') ?? 'GITBOOK-{change_request_number}: {change_request_subject}'}
        />
        {forceField(settings.forceExport)}
        <Button kind="primary">{settings.startExport}</Button>
      </Form>
    </details>
  );
}
