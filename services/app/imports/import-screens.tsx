import type { VNode } from 'preact';
import { failureOf, forbidden, invalid } from '../../../shared/errors/errors.js';
import { contentContract } from '../../content/contract.js';
import type { ChangeRequest, ContentImport, Space } from '../../content/resources.js';
import { Empty, Heading, Rows, Section } from '../elements/elements.js';
import { Button, Field, Form, Select } from '../elements/forms.js';
import type { FormFields } from '../frame/form-fields.js';
import { fieldsSentBy } from '../frame/refusals.js';
import { type Onward, type Route, type ScreenRequest, screen } from '../frame/screen.js';
import { placeAround } from '../reading/around.js';
import { spacePlace } from '../reading/places.js';
import { changesOfFiles } from '../tree/uploads.js';
import { fill } from '../words/languages.js';
import { forceField, operationView, problemList, repositoryFields, repositoryOf } from './git.js';
import { gitOperationOf, importsInto, importText, isUnended, progress, progressLine } from './progress.js';

/** Bringing content into a space: from Git, from the web, and from files. */
export const importScreens = (): Route[] => [imports, progress];

type Asking = Pick<ScreenRequest<'{space}'>, 'call' | 'path' | 'to' | 'words'>;

const imports = screen({
  path: '/s/{space}/~/import',
  async show(request) {
    const { words } = request;
    const place = await spacePlace(request, request.path.space);
    const { space } = place;
    if (!space.permissions.edit) throw forbidden(words.imports.notAllowed);
    const [operation, listed] = await Promise.all([gitOperationOf(request, space.id), importsInto(request, space)]);
    return {
      title: words.imports.title,
      ...placeAround(request, place),
      main: (
        <>
          <Heading title={words.imports.title} lead={words.imports.lead} />
          {progressLine(request, space.id, { operation, imports: listed })}
          {operation && (
            <Section title={words.imports.gitState} id="git-state">
              {operationView(request, operation)}
            </Section>
          )}
          {forms(request, space)}
          <Section title={words.imports.past} id="past">
            {listed.length === 0 && <Empty>{words.imports.noImports}</Empty>}
            <Rows label={words.imports.past}>{listed.map((each) => importRow(request, each))}</Rows>
          </Section>
        </>
      ),
    };
  },
  actions: {
    async git({ call, path, to }, fields) {
      await call(contentContract.importGitRepository, {
        path: { spaceId: path.space },
        body: { ...repositoryOf(fields), standalone: false },
      });
      return { to: to.imports(path.space), done: 'started' };
    },
    address: importAddress,
    export: importExport,
    files: importFiles,
    async cancel(request, fields) {
      const { call, to, path } = request;
      const { space } = await spacePlace(request, path.space);
      await call(contentContract.cancelContentImport, {
        path: { organizationId: space.organization, importId: fields.text('import') },
      });
      return { to: to.imports(path.space), done: 'cancelled' };
    },
  },
});

/** Imports into the space itself, or into a new change request, which is archived when what it was made for is refused. */
async function importInto<T>(
  { call, path }: Asking,
  fields: FormFields,
  subject: string,
  bring: (made?: ChangeRequest) => Promise<T>,
): Promise<T> {
  if (fields.raw('target') !== 'change') return bring();
  const at = { spaceId: path.space };
  const made = await call(contentContract.createChangeRequest, { path: at, body: { subject } });
  return bring(made).catch(async (error) => {
    const isRefused = failureOf(error).status < 500;
    // Nothing of it counts beside the reason of the refusal.
    if (isRefused)
      await call(contentContract.updateChangeRequestById, {
        path: { ...at, changeRequestId: made.id },
        body: { status: 'archived' },
      }).catch(() => undefined);
    throw error;
  });
}

function importAddress(request: Asking, fields: FormFields): Promise<Onward> {
  const url = fields.text('url');
  const name = URL.canParse(url) ? new URL(url).hostname : request.words.imports.title;
  return importSource(request, fields, { name, given: { url } });
}

/** Bytes of a file that an import takes. */
const maxExport = 24_000_000;

function importExport(request: Asking, fields: FormFields): Promise<Onward> {
  const { imports } = request.words;
  const [file] = fields.files('file');
  if (!file || file.bytes.length === 0) throw invalid(imports.noFiles);
  if (file.bytes.length > maxExport) throw invalid(fill(imports.exportTooLarge, maxExport / 1e6));
  const { name, bytes } = file;
  return importSource(request, fields, { name, given: { file: { name, base64: bytes.toString('base64') } } });
}

interface NamedSource {
  /** For the subject of the change request. */
  name: string;
  given: { url: string } | { file: { name: string; base64: string } };
}

async function importSource(request: Asking, fields: FormFields, { name, given }: NamedSource): Promise<Onward> {
  const { call, path, to, words } = request;
  const spaceId = path.space;
  const body = { ...given, source: fields.text('source') as ContentImport['source'] };
  const subject = fill(words.imports.subject, name).slice(0, 100);
  const answer = await importInto<object>(request, fields, subject, (made) =>
    made
      ? call(contentContract.importContentInChangeRequest, { path: { spaceId, changeRequestId: made.id }, body })
      : call(contentContract.importContent, { path: { spaceId }, body }),
  );
  const hasEnded = !('object' in answer);
  return { to: to.imports(spaceId), done: hasEnded ? 'imported' : 'started' };
}

async function importFiles(request: Asking, fields: FormFields): Promise<Onward> {
  const { call, path, to, words } = request;
  const changes = changesOfFiles(request, fields.files('files'));
  const spaceId = path.space;
  const subject = fill(words.imports.subject, words.imports.files);
  const address = await importInto(request, fields, subject, async (made) => {
    if (!made) {
      await call(contentContract.updateSpaceContent, { path: { spaceId }, body: { changes } });
      return to.imports(spaceId);
    }
    const at = { spaceId, changeRequestId: made.id };
    await call(contentContract.updateChangeRequestContent, { path: at, query: {}, body: { changes } });
    return to.changeRequest(spaceId, made.number);
  });
  return { to: address, done: 'imported' };
}

const exportSources = ['zip', 'notion', 'confluence', 'docx', 'google-docs', 'html', 'markdown'] as const;
const sources = ['website', ...exportSources, 'github-wiki'] as const;

function forms(request: ScreenRequest, { permissions, editMode }: Space): VNode {
  const { words, formToken } = request;
  const { imports } = words;
  const sent = (action: string) => fieldsSentBy(request, action);
  const target = (name: string, targets: readonly ('space' | 'change')[]) => (
    <Select
      label={imports.target}
      name="target"
      id={`${name}-target`}
      value={sent(name)?.raw('target') ?? (editMode === 'live' ? 'space' : 'change')}
      options={targets.map((value) => ({
        value,
        text: value === 'space' ? imports.targetSpace : imports.targetChange,
      }))}
    />
  );
  const address = sent('address');
  const sourceOf = (action: string, options: readonly (typeof sources)[number][]) => (
    <Select
      label={imports.source}
      name="source"
      id={`${action}-source`}
      value={sent(action)?.raw('source')}
      options={options.map((value) => ({ value, text: imports[value] }))}
    />
  );
  const files = sent('files');
  return (
    <div class="settings-cards">
      <details class="panel" open={address !== undefined}>
        <summary>{imports.fromAddress}</summary>
        <Form token={formToken} action="address">
          {sourceOf('address', sources)}
          <Field
            label={imports.address}
            name="url"
            id="address-url"
            required
            maxLength={2048}
            value={address?.text('url')}
            hint={imports.addressHint}
          />
          {target('address', ['space', 'change'])}
          <Button kind="primary">{imports.startImport}</Button>
        </Form>
      </details>
      <details class="panel" open={sent('export') !== undefined}>
        <summary>{imports.fromExport}</summary>
        <Form token={formToken} action="export" files>
          <p>{fill(imports.exportText, maxExport / 1e6)}</p>
          {sourceOf('export', exportSources)}
          <p class="form-field">
            <label for="field-export">{imports.exportFile}</label>
            <input id="field-export" type="file" name="file" required />
          </p>
          {target('export', ['space', 'change'])}
          <Button kind="primary">{imports.startImport}</Button>
        </Form>
      </details>
      <details class="panel" open={files !== undefined}>
        <summary>{imports.fromFiles}</summary>
        <Form token={formToken} action="files" files>
          <p>{imports.filesText}</p>
          <p class="form-field">
            <label for="field-files">{imports.files}</label>
            <input id="field-files" type="file" name="files" multiple required />
          </p>
          {target('files', editMode === 'live' ? ['space', 'change'] : ['change'])}
          <Button kind="primary">{imports.startImport}</Button>
        </Form>
      </details>
      {permissions.triggerGitSync && (
        <details class="panel" open={sent('git') !== undefined}>
          <summary>{imports.fromGit}</summary>
          <Form token={formToken} action="git">
            <p>{imports.gitText}</p>
            {repositoryFields(request, { sent: sent('git'), prefix: 'git' })}
            {forceField(imports.force)}
            <Button kind="primary">{imports.startImport}</Button>
          </Form>
        </details>
      )}
    </div>
  );
}

function importRow(request: ScreenRequest, item: ContentImport): VNode {
  const { words, to, formToken } = request;
  const { id, space, source, url, state, error, problems = [], revision } = item;
  return (
    <li class="row import-row">
      <div class="row-text">
        <p class="row-title">
          <bdi>{`${words.imports[source]}: ${url}`}</bdi>
        </p>
        <p class="row-about">{importText(request, item)}</p>
        {error && <p class="import-error">{error.message}</p>}
        {problemList(request, problems)}
      </div>
      <div class="actions">
        {state === 'completed' && revision !== undefined && (
          <a class="button" href={to.revision(space, revision)}>
            {words.imports.result}
          </a>
        )}
        {isUnended(item) && (
          <Form token={formToken} action="cancel">
            <input type="hidden" name="import" value={id} />
            <Button>{words.imports.cancel}</Button>
          </Form>
        )}
      </div>
    </li>
  );
}
